"""Frontier, with the Waiting and ReadySites it is made of, against brute force: all links sorted by (-score, id)."""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign, inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.frontier import Frontier, ready, waiting
from focused.frontier import frontier as frontier_module
from focused.frontier.waiting import keys_of, scores_of
from tests.focused.frontier.frontier_model import SITES, STEPS, Both


@pytest.fixture(autouse=True, scope="module")
def small() -> Iterator[None]:
    """Heaps so small that a handful of links spill over or have them tidied, and arrays that have to grow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waiting, "HOT", 2)
        patch.setattr(ready, "TIDY", 2)
        patch.setattr(frontier_module, "PAGES", 4)
        patch.setattr(frontier_module, "BLOCK", 5)
        yield


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 2), STEPS, st.booleans())
def test_every_answer_is_that_of_the_brute_force(per_site: int, steps: list[tuple[Any, ...]], ask: bool) -> None:
    both = Both(per_site)
    for name, *arguments in steps:
        both.step(name, *arguments)
        if ask:
            both.next_ready()


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_nothing_is_lost_and_nothing_comes_twice(steps: list[tuple[Any, ...]]) -> None:
    both = Both(per_site=1)
    for name, *arguments in steps:
        both.step(name, *arguments)
    both.now += 100
    for site in range(SITES):
        both.open(site)
        both.release(site, 0)
    expected = both.model.ready(both.now)
    picked = []
    while (page := both.frontier.pick(both.now)) is not None:
        picked.append(page)
        both.frontier.release(page % SITES, both.now)
    assert picked == expected
    assert len(both.frontier) == both.frontier.delayed == 0


def test_a_long_crawl_of_crowded_sites_agrees_with_the_brute_force() -> None:
    random = np.random.default_rng(7)
    both = Both(per_site=1)
    for _ in range(1500):
        pages = random.integers(1, 500, random.integers(1, 12)).tolist()
        links = {page: float(random.integers(0, 20)) / 20 for page in pages}
        name = random.choice(["push", "rescore", "rescore", "fetch", "fetch", "best", "take", "drop"])
        arguments: dict[str, Any] = {
            "fetch": 4,
            "best": int(random.integers(1, 60)),
            "take": pages[0],
            "drop": pages[:2],
        }
        getattr(both, name)(arguments.get(name, links))
        for site in range(SITES):
            both.release(site, 0.0)
    both.step("best", 500)


def drained(frontier: Frontier, now: float = 0.0) -> list[int]:
    picked = []
    while (page := frontier.pick(now)) is not None:
        picked.append(page)
        frontier.release(frontier.site_of(page), now)
    return picked


def test_a_higher_score_is_picked_sooner_and_equal_scores_in_order_of_discovery() -> None:
    frontier = Frontier()
    frontier.push([1, 2, 3, 4, 5], [1, 2, 3, 1, 2], [0.5, 0.9, 0.5, 0.9, inf])
    assert drained(frontier) == [5, 2, 4, 1, 3]


def test_ten_thousand_links_under_rescoring_come_out_in_exact_order() -> None:
    random = np.random.default_rng(1)
    pages = np.arange(1, 10_001)
    frontier = Frontier()
    frontier.load(pages[:5000], pages[:5000] % 7, random.integers(0, 50, 5000).astype(float))
    for part in np.array_split(pages[5000:], 100):
        frontier.push(part, part % 7, random.integers(0, 50, len(part)).astype(float))
        some = random.choice(pages, 300, replace=False)
        frontier.rescore(some, random.integers(0, 50, 300).astype(float))
    scores = frontier.score_of(pages)
    assert drained(frontier) == pages[np.lexsort((pages, -scores))].tolist()


def test_rescoring_up_and_down_without_end_does_not_grow_the_frontier() -> None:
    frontier = Frontier()
    pages = np.arange(1, 101)
    frontier.push(pages, np.ones(100), np.arange(100.0))
    for turn in range(5000):
        frontier.rescore([1 + turn % 50], [1000.0])
        frontier.rescore([1 + turn % 50], [-float(turn)])
    assert frontier.nbytes < 12_000
    scores = frontier.score_of(pages)
    assert drained(frontier) == pages[np.argsort(-scores)].tolist()


def test_telling_a_site_to_rest_again_and_again_does_not_grow_the_frontier() -> None:
    frontier = Frontier()
    frontier.push([1], [1], [1.0])
    for second in range(1000):
        frontier.rest(1, float(second))
    assert frontier.nbytes < 2_000
    assert (frontier.next_ready(0.0), frontier.pick(998.0), frontier.pick(999.0)) == (999.0, None, 1)


def test_better_and_better_links_on_sites_nobody_picks_do_not_grow_the_ready_heap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tidied = []
    tidy = ready.ReadySites._tidy

    def count_and_tidy(sites: ready.ReadySites) -> None:
        tidied.append(sites)
        tidy(sites)

    monkeypatch.setattr(ready.ReadySites, "_tidy", count_and_tidy)
    frontier = Frontier()
    for turn in range(400):
        frontier.push(np.arange(1, 11) + 10 * turn, np.arange(1, 11), np.full(10, float(turn)))
    frontier.drop(np.arange(3001, 4001))
    assert tidied
    assert drained(frontier) == [page for turn in range(299, -1, -1) for page in range(10 * turn + 1, 10 * turn + 11)]


def test_a_site_rests_as_long_as_it_was_ever_told_to() -> None:
    frontier = Frontier()
    frontier.push([1, 2], [1, 1], [1.0, 1.0])
    assert frontier.pick(0.0) == 1
    frontier.rest(1, 60.0)
    frontier.release(1, 1.0)
    assert (frontier.pick(59.0), frontier.next_ready(59.0), frontier.pick(60.0)) == (None, 60.0, 2)


def test_nothing_is_expected_of_a_resting_site_that_has_lost_its_links_until_it_gets_new_ones() -> None:
    frontier = Frontier()
    frontier.push([1], [1], [1.0])
    frontier.rest(1, 10.0)
    frontier.drop([1])
    assert frontier.next_ready(0.0) is None
    frontier.push([2], [1], [0.5])
    assert (frontier.next_ready(0.0), frontier.pick(9.0), frontier.pick(10.0)) == (10.0, None, 2)


def test_only_the_end_of_a_request_helps_a_site_in_flight() -> None:
    frontier = Frontier()
    frontier.push([1, 2], [1, 1], [1.0, 1.0])
    frontier.pick(0.0)
    assert frontier.pick(0.0) is None
    assert frontier.next_ready(0.0) is None
    frontier.release(1, 5.0)
    assert frontier.next_ready(0.0) == 5.0


def test_two_in_flight_are_allowed_where_two_are_allowed() -> None:
    frontier = Frontier(per_site=2)
    frontier.push([1, 2, 3], [1, 1, 1], [3.0, 2.0, 1.0])
    assert [frontier.pick(0.0) for _ in range(3)] == [1, 2, None]
    assert frontier.in_flight(1) == 2


def test_links_of_a_closed_site_stay_but_are_not_counted_nor_given() -> None:
    frontier = Frontier()
    frontier.push([1, 2], [1, 2], [2.0, 1.0])
    frontier.close_site(1)
    frontier.push([3], [1], [9.0])
    assert (len(frontier), frontier.sites_waiting, frontier.waiting_on(1), frontier.pick(0.0)) == (1, 1, 2, 2)
    frontier.open_site(1)
    assert (len(frontier), frontier.pick(0.0)) == (2, 3)


def test_a_delayed_link_waits_by_itself_and_then_for_its_turn() -> None:
    frontier = Frontier()
    frontier.delay(1, 1, 5.0, 10.0)
    frontier.push([2], [2], [1.0])
    assert (len(frontier), frontier.delayed, frontier.next_ready(0.0)) == (1, 1, 10.0)
    assert frontier.best(9.0, 5) == [2]
    assert frontier.best(10.0, 5) == [1, 2]
    assert (len(frontier), frontier.delayed, frontier.pick(10.0)) == (2, 0, 1)


def test_best_looks_and_does_not_touch() -> None:
    frontier = Frontier()
    pages = np.arange(1, 201)
    frontier.push(pages, pages % 3, pages / 7.0)
    assert frontier.best(0.0, 150) == list(range(200, 50, -1))
    assert len(frontier) == 200
    assert drained(frontier) == list(range(200, 0, -1))


def test_a_score_that_is_not_a_number_comes_last_and_is_not_lost() -> None:
    frontier = Frontier()
    frontier.push([1, 2, 3, 4], [1, 2, 3, 4], [nan, 0.0, -1e308, copysign(nan, -1.0)])
    assert drained(frontier) == [2, 3, 1, 4]


def test_pages_never_heard_of_are_passed_over() -> None:
    frontier = Frontier()
    frontier.push([], [], [])
    frontier.load([], [], [])
    frontier.rescore([10**6], [1.0])
    frontier.drop([10**6])
    assert np.isnan(frontier.score_of([10**6])).all()
    assert not frontier.take(10**6, 0.0)
    assert (frontier.site_of(10**6), len(frontier), frontier.pick(0.0), frontier.next_ready(0.0)) == (0, 0, None, None)


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=2))
def test_keys_are_ordered_as_scores_are_and_give_them_back(scores: list[float]) -> None:
    first, second = keys_of(scores).tolist()
    assert (first < second) == (scores[0] > scores[1])
    assert (first == second) == (scores[0] == scores[1])
    assert scores_of(keys_of(scores)).tolist() == scores
    assert 0 < first < 2**64 - 1


def test_the_best_link_of_one_site_can_be_taken() -> None:
    frontier = Frontier()
    frontier.push([1, 2, 3], [7, 7, 8], [0.1, 0.5, 0.9])
    assert frontier.pick_from(7, 0.0) == 2
    assert frontier.pick_from(7, 0.0) is None  # it has a request in flight
    frontier.release(7, 5.0)
    assert frontier.pick_from(7, 4.0) is None  # it rests
    assert frontier.pick_from(7, 5.0) == 1
    assert [frontier.pick_from(9, 5.0), frontier.pick(5.0), frontier.pick(5.0)] == [None, 3, None]


def test_pages_that_do_not_wait_have_a_site_too() -> None:
    frontier = Frontier()
    frontier.know(np.arange(1, 4), np.array([7, 8, 8], np.uint32))
    assert [frontier.site_of(page) for page in (1, 2, 3, 4)] == [7, 8, 8, 0]
    assert len(frontier) == 0


def test_the_frontier_says_where_a_link_is() -> None:
    frontier = Frontier()
    frontier.push([1, 2, 3, 4], [7, 7, 8, 9], [0.9, 0.5, 0.4, 0.3])
    frontier.close_site(8)
    frontier.delay(4, 9, 0.3, 5.0)
    assert frontier.pick(0.0) == 1
    places = ["in_flight", "waiting", "closed", "delayed", "away"]
    assert [frontier.place_of(page) for page in (1, 2, 3, 4, 5)] == places
    frontier.release(7, 0.0)
    assert frontier.place_of(1) == "away"
    assert frontier.take(2, 5.0)
    assert frontier.place_of(4) == "waiting"

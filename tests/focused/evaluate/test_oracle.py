"""focused.evaluate.oracle: as good as trying everything, never beaten, and quick."""

from __future__ import annotations

import doctest
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focused.evaluate import oracle as module
from focused.evaluate.metrics import area
from focused.evaluate.oracle import at_most, oracle
from focused.evaluate.webgraph import Graph
from tests.focused.evaluate.real_orderings import NAMES, fetched
from tests.focused.evaluate.small_webs import SmallWeb, optimum, rough, scattered, tunnelled


def solved(web: SmallWeb) -> list[int]:
    return oracle(web.graph, web.seeds, web.flags, web.pages)


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(module) == (0, 3)


@pytest.mark.parametrize("make", [scattered, tunnelled])
def test_small_webs_are_crawled_as_well_as_possible(make: Callable[[random.Random, int], SmallWeb]) -> None:
    dice = random.Random(7)
    for web in [make(dice, dice.choice((8, 10, 12, 14))) for _ in range(150)]:
        assert web.area(solved(web)) == pytest.approx(optimum(web), abs=1e-12)


@pytest.mark.parametrize("ordering", NAMES)
def test_no_ordering_is_better(ordering: str, tmp_path: Path) -> None:
    """Six webs each, 108 in all, crawled by the orderings themselves; each must find something, or it was no match."""
    dice, had = random.Random(ordering), 0
    for number in range(6):
        web = (scattered, tunnelled)[number % 2](dice, dice.choice((15, 30, 60)))
        order = fetched(ordering, web, dice, tmp_path / str(number))
        assert 0 < len(order) == len(set(order)) <= web.pages
        assert web.area(order) <= web.area(solved(web)) + 1e-12
        had += sum(web.relevant[page] for page in order)
    assert had > 0


def test_nor_are_rules_that_look_ahead_on_a_hundred_webs() -> None:
    dice = random.Random(3)
    webs = [(scattered, tunnelled)[n % 2](dice, dice.choice((15, 30, 60))) for n in range(100)]
    for web in webs:
        best = web.area(solved(web))
        for name, order in rough(web, dice).items():
            assert web.area(order) <= best + 1e-12, name


def test_it_is_a_crawl() -> None:
    """Every page once, each behind a link of one before it, no more pages than allowed, and no fewer than there are."""
    dice = random.Random(5)
    for _ in range(100):
        web = tunnelled(dice, 40)
        order = solved(web)
        known = set(web.seeds)
        for page in order:
            assert page in known
            known |= set(web.links[page])
        assert len(order) == len(set(order)) == min(web.pages, len(known))


def test_the_longer_way_is_taken_when_more_lies_there() -> None:
    links = [[1, 2], [3], [4], [], [5], [6, 7, 8], [], [], []]
    relevant = np.array([0, 0, 0, 1, 0, 0, 1, 1, 1], bool)  # one behind 1, three behind 2, 4 and 5
    assert oracle(Graph.of(links), [0], relevant, pages=4) == [0, 1, 3, 2]
    # Behind a first page that costs the same, more is better.
    links[2] = [6, 7, 8]
    assert oracle(Graph.of(links), [0], relevant, pages=9)[:5] == [0, 2, 6, 7, 8]


def test_a_way_that_does_not_fit_the_budget_is_not_begun() -> None:
    links = [[1, 2], [3], [4], [5], [], [6, 7, 8], [], [], []]
    relevant = np.array([0, 0, 0, 0, 1, 0, 1, 1, 1], bool)
    assert oracle(Graph.of(links), [0], relevant, pages=3) == [0, 2, 4]


def test_webs_without_anything_are_fine() -> None:
    assert oracle(Graph.of([]), [], np.zeros(0, bool), pages=5) == []
    assert oracle(Graph.of([[], []]), [0], np.zeros(2, bool), pages=5) == [0]
    assert oracle(Graph.of([[1], [0]]), [0, 0], np.ones(2, bool), pages=5) == [0, 1]
    assert oracle(Graph.of([[1], [0]]), [0], np.ones(2, bool), pages=0) == []


def test_upper_bound() -> None:
    assert (at_most(5, 0), at_most(0, 5), at_most(5, 10), at_most(50, 10)) == (0.0, 0.0, 0.5, 1.0)


def test_same_web_same_crawl() -> None:
    web = tunnelled(random.Random(1), 200)
    assert solved(web) == solved(web)


def test_twenty_thousand_pages_take_seconds() -> None:
    """Locality .8, a twentieth relevant: the work must grow with the links, not with pages times pages."""
    pages, rng = 20_000, np.random.default_rng(0)
    topic = rng.integers(0, 20, pages)
    of_topic = [np.flatnonzero(topic == number) for number in range(20)]
    links = []
    for page in range(pages):
        anywhere, near = rng.integers(0, pages, 10), rng.choice(of_topic[topic[page]], 10)
        links.append(np.where(rng.random(10) < 0.8, near, anywhere).tolist())
    relevant = (topic == 0) & (rng.random(pages) < 0.3)
    graph, before = Graph.of(links), time.process_time()
    order = oracle(graph, of_topic[3][:5].tolist(), relevant, pages=2000)
    assert time.process_time() - before < 20
    assert relevant[order].sum() > 0.9 * relevant.sum()
    assert area(relevant[order], 2000) > area(relevant[np.random.default_rng(1).permutation(pages)[:2000]], 2000)

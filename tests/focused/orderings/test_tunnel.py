"""Tunnelling against its pseudo-code on random webs; failures, redirects, closed sites, many at once, deaths."""

from __future__ import annotations

import json
import random
import tempfile
from collections import deque
from functools import partial
from itertools import islice
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.errors import SettingError
from focused.orderings.base import make
from focused.orderings.tunnel import Tunnel
from focused.store.team import of_site
from focused.visit import Visit
from tests.focused.orderings.drawn_web import LINKS, SCORES, DrawnWeb, drawn, name_of, random_web, rated

SLOW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
WEB = DrawnWeb(drawn(LINKS), rated(SCORES))


def brute_force(web: DrawnWeb, d: int, r: int) -> list[str]:
    """Tsoi 2003, §3, with the repairs of S-02 and S-03, as it stands there."""
    parent: dict[str, str | None] = {"a": None}
    links = {
        name: [] if name in web.failing else [t for t in targets if t != name] for name, targets in web.links.items()
    }
    score = {name: 0.0 if name in web.failing else value for name, value in web.scores.items()}

    def relatives(page: str) -> list[str]:
        above, steps = page, 0
        while steps < r - 1 and parent[above] is not None:
            above, steps = str(parent[above]), steps + 1
        level = [above]
        for _ in range(steps):
            level = [name for one in level for name in parent if parent[name] == one]
        return level

    while border := [name for name in parent if any(link not in parent for link in links[name])]:
        for start in relatives(max(border, key=score.__getitem__)):
            queue, seen = deque([(start, 0)]), {start}
            while queue:
                page, steps = queue.popleft()
                for link in links[page] if steps < d else ():
                    parent.setdefault(link, page)
                    if link not in seen:
                        seen.add(link)
                        queue.append((link, steps + 1))
    return list(parent)


def crawled(web: DrawnWeb, ordering: Tunnel, seeds: str = "a", **given: Any) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        crawl = web.opened(Path(folder) / "crawl", ordering, seeds, **given)
        try:
            return list(web.visits(crawl))
        finally:
            crawl.abandon()


@SLOW
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4))
def test_it_visits_in_the_order_of_the_pseudo_code(seed: int, d: int, r: int) -> None:
    web = random_web(seed)
    assert crawled(web, Tunnel(d=d, r=r)) == brute_force(web, d, r)


def crawled_in_lives(web: DrawnWeb, given: Tunnel, seeds: str, life: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        made = partial(Tunnel, given.r, given.d, given.adaptive)
        return web.visits_in_lives(Path(folder) / "crawl", made, life, seeds=seeds)


@SLOW
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3), st.integers(1, 5))
def test_it_goes_on_after_deaths_as_if_nothing_had_happened(seed: int, d: int, r: int, life: int) -> None:
    web = random_web(seed)
    assert crawled_in_lives(web, Tunnel(d=d, r=r), "a", life) == brute_force(web, d, r)


def test_of_equals_the_first_visited_is_selected_also_after_a_death() -> None:
    web = DrawnWeb(drawn("s>ab a>x b>y x>p y>q"), rated("s 1 a .6 b .9 x .5 y .5"))  # x is found before y
    assert crawled_in_lives(web, Tunnel(d=1, r=1), "s", 5) == "s a b y x q p".split()


def test_d_and_r_as_they_have_grown_survive_a_death() -> None:
    web = fading_web()
    assert crawled_in_lives(web, Tunnel(1, 1, True), "s", 110) == crawled(web, Tunnel(1, 1, True), "s")


@SLOW
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3), st.integers(2, 6))
def test_many_at_once_visit_everything_once(seed: int, d: int, r: int, at_once: int) -> None:
    web, chance, order = random_web(seed), random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": at_once}
        crawl = web.opened(Path(folder) / "crawl", Tunnel(d=d, r=r), "a", **given)
        under_way: list[Visit] = []
        while True:
            while len(under_way) < at_once and (visit := crawl.next()):
                under_way.append(visit)
            if not under_way:
                break
            visit = under_way.pop(chance.randrange(len(under_way)))
            order.append(name_of(visit))
            web.settle(crawl, visit)
        crawl.abandon()
    assert sorted(order) == sorted(brute_force(web, d, r))


def test_a_round_of_one_page_is_fetched_side_by_side(tmp_path: Path) -> None:
    given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 9}
    crawl = WEB.opened(tmp_path / "crawl", Tunnel(d=1, r=2), "s", **given)
    seed = crawl.next()
    assert seed is not None and crawl.next() is None
    WEB.settle(crawl, seed)
    visits = [crawl.next() for _ in range(4)]
    assert [name_of(visit) for visit in visits if visit] == ["a", "b", "k"]
    crawl.abandon()


@pytest.mark.parametrize("given", ["d=0", "r=0", "r=-1,d=2"])
def test_a_depth_or_degree_of_nothing_is_refused(given: str) -> None:
    with pytest.raises(SettingError, match="give r >= 1 and d >= 1"):
        make(Tunnel, given)


def test_what_failed_counts_as_visited_and_leads_nowhere() -> None:
    web = DrawnWeb(drawn(LINKS), rated(SCORES), failing={"c": "http_404"})
    assert crawled(web, Tunnel(d=1, r=2), "s") == "s a b k c d e m n g".split()


def test_the_target_of_a_redirect_takes_its_place() -> None:
    web = DrawnWeb(drawn("s>ab a>c c>f x>y"), rated("s 1 a .9 b .8 x .7 y .2 c .1"), moving={"a": "x", "y": "s"})
    # x comes in the place of a, before b; y leads back to the seed and counts as visited
    assert crawled(web, Tunnel(d=1, r=1), "s") == "s a x b y".split()


def test_redirects_in_a_circle_end() -> None:
    web = DrawnWeb(drawn("s>ab b>c"), rated("s 1 b .5"), moving={"a": "x", "x": "a"})
    assert crawled(web, Tunnel(d=3, r=2), "s") == "s a x b c".split()


@pytest.mark.parametrize("trouble", ["closed", "delayed"])
def test_what_cannot_be_had_now_does_not_hold_up_a_round(trouble: str) -> None:
    """z is on the site of the seed, whose budget is spent; or it is to be tried again in some seconds."""
    links = {**drawn(LINKS), "s": ["a", "z", "b", "k"]}
    if trouble == "closed":
        web = DrawnWeb(links, rated(SCORES), sites={name: f"of-{name}" for name in ascii_lowercase if name not in "sz"})
        order = crawled(web, Tunnel(d=1, r=2), "s", FOCUSED_SITE_BUDGET=1)
    else:
        order = crawled(DrawnWeb(links, rated(SCORES), failing={"z": "timeout"}), Tunnel(d=1, r=2), "s")
    assert [name for name in order if name != "z"] == "s a b k c d e m n f g h i".split()


def test_a_round_waits_for_the_pages_that_it_is_to_go_on_from(tmp_path: Path) -> None:
    web = DrawnWeb(drawn("1>ab a>x 2>yz"), rated("1 .9 2 .8 a .1"))
    given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 9}
    crawl = web.opened(tmp_path / "crawl", Tunnel(d=2, r=1), "12", **given)
    for seed in (crawl.next(), crawl.next()):
        assert seed is not None
        web.settle(crawl, seed)
    visits = [crawl.next() for _ in range(3)]
    assert [name_of(visit) for visit in visits if visit] == ["a", "b", "y"]  # y, as nothing better can be done
    assert visits[0]
    web.settle(crawl, visits[0])
    after = crawl.next()
    assert after and name_of(after) == "x"
    crawl.abandon()


def test_while_the_sites_of_a_round_rest_the_best_of_the_others_is_fetched(tmp_path: Path) -> None:
    sites = {**dict.fromkeys("abc", "small"), **dict.fromkeys("xyz", "other")}
    web = DrawnWeb(drawn("1>abc 2>xyz"), rated("1 .9 2 .8 a .1 b .1"), sites={**sites, "2": "two"})
    given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    crawl = web.opened(tmp_path / "crawl", Tunnel(d=1, r=1), "12", **given)
    for seed in (crawl.next(), crawl.next()):
        assert seed is not None
        web.settle(crawl, seed)
    first, second, third = crawl.next(), crawl.next(), crawl.next()
    assert first and second and third is None
    assert (name_of(first), name_of(second)) == ("a", "x")
    web.settle(crawl, first)
    third = crawl.next()
    assert third and name_of(third) == "b"
    crawl.abandon()


def fading_web() -> DrawnWeb:
    """A hundred relevant pages, then none; those behind are found in another order if d or r is another."""
    names = [f"p{n}" for n in range(250)]
    links = {"s": names, **{name: [f"q{name}"] for name in names[::20]}, **{f"q{name}": [f"r{name}"] for name in names}}
    return DrawnWeb(links, {"s": 1.0, **dict.fromkeys(names[:99], 0.6)})


def test_d_and_r_grow_in_a_crawl_that_finds_less_and_less() -> None:
    ordering = Tunnel(adaptive=True)  # begins with 1 and 1
    order = crawled(fading_web(), ordering, "s")
    assert (ordering._knobs.d, ordering._knobs.r) == (2, 1)
    assert order != crawled(fading_web(), Tunnel(d=1, r=1), "s")


def test_what_is_kept_of_a_page_is_written_once(tmp_path: Path) -> None:
    ordering = Tunnel(d=2, r=2)
    crawl = WEB.opened(tmp_path / "crawl", ordering, "s")
    for _ in WEB.visits(crawl):
        assert ordering.state() == {}  # the commit has taken it
    kept = crawl.store.load().memory
    crawl.abandon()
    assert len([name for name in kept if name.startswith("ordering.site:1:page:")]) == 13
    assert max(map(len, kept.values())) < 60


def test_the_visit_tree_of_a_site_goes_to_another_worker_with_it(tmp_path: Path) -> None:
    first, second = Tunnel(d=2, r=2), Tunnel(d=2, r=2)
    crawl = WEB.opened(tmp_path / "crawl", first, "s")
    for _ in islice(WEB.visits(crawl), 6):
        pass
    kept = {name: json.loads(value) for name, value in crawl.store.load().memory.items() if of_site(name)}
    for _ in range(2):  # it may leave and come back
        second.adopt({name.removeprefix("ordering."): part for name, part in kept.items()})
        assert second._tree == first._tree
    best = second._best_of_border(crawl.state.frontier)
    assert best is not None, "a round may begin from its pages"
    crawl.abandon()

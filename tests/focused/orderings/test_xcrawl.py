"""xCrawl on sites drawn by hand or by chance: the harvest, deaths, many sites at once, and what can go wrong."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from contextlib import closing
from itertools import islice
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.errors import SettingError
from focused.orderings.base import make
from focused.orderings.xcrawl import XCrawl
from focused.store.team import of_site
from focused.visit import Visit
from tests.focused.orderings.drawn_web import DrawnWeb, drawn, name_of, rated

SLOW = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


class Shop(DrawnWeb):
    """Links of capital letters stand in a list, others in a menu beside it."""

    def body(self, name: str) -> bytes:
        links = [f'<a href="{self.url(link)}">{link}</a>' for link in self.links.get(name, ())]
        menu = "".join(html for html in links if html[-5].islower())
        listed = "".join(f"<li>{html}</li>" for html in links if html[-5].isupper())
        return f"<body><div>{menu}</div><ul>{listed}</ul></body>".encode()


# Home page h, index i with its second page j; capitals are things, of which V to Z are something else.
SHOP = Shop(
    drawn("h>in i>hjABCD j>hiEFGH n>hAV A>hiB B>hi C>hi D>hi E>j F>j G>j H>j V>hw w>VWXYZ"),
    rated(" ".join(f"{name} 1" for name in "ABCDEFGH")),
)


def crawled(web: DrawnWeb, ordering: XCrawl, seeds: str = "A", **given: Any) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        crawl = web.opened(Path(folder) / "crawl", ordering, seeds, **given)
        try:
            order = list(web.visits(crawl))
            assert crawl.stop_reason() == "finished"
            return order
        finally:
            crawl.abandon()


def random_shop(seed: int) -> Shop:
    """Two sites; some pages fail, some redirect, also to the other site."""
    chance, names = random.Random(seed), ascii_letters[:20] + ascii_letters[26:40]
    links = {name: chance.sample(names, chance.randint(0, 6)) for name in names}
    links["A"] = ["a", "b", "B"]
    others = [name for name in names if name not in "AB"]
    troubled = chance.sample(others, 6)
    return Shop(
        links,
        {name: float(name.isupper() and chance.random() < 0.8) for name in names},
        dict.fromkeys(troubled[:3], "http_404"),
        {name: chance.choice(others) for name in troubled[3:]},
        {name: "b" for name in chance.sample(others, 8)},
    )


def test_everything_that_hubs_list_is_found() -> None:
    order = crawled(SHOP, XCrawl())
    assert set("ABCDEFGH") <= set(order)
    assert len(order) == len(set(order))


def test_only_the_part_of_a_hub_that_lists_authorities_is_harvested(tmp_path: Path) -> None:
    web = Shop(drawn("i>abcdeABCD A>i B>i"), rated("A 1 B 1 C 1 D 1"))
    ordering = XCrawl(max_iterations=1, restart=1.0)
    crawl = web.opened(tmp_path / "crawl", ordering, "AB")
    order = list(web.visits(crawl))
    assert order[:2] == ["A", "B"] and set(order) >= set("ABCDi")
    assert len(set("abcde") & set(order)) <= 1  # one walk may begin with such a link
    crawl.abandon()


@SLOW
@given(st.integers(0, 10**6), st.integers(1, 7))
def test_it_goes_on_after_deaths_as_if_nothing_had_happened(seed: int, life: int) -> None:
    web = random_shop(seed)
    whole = crawled(web, XCrawl(max_iterations=6), "AB")
    with tempfile.TemporaryDirectory() as folder:
        lives = web.visits_in_lives(Path(folder) / "crawl", lambda: XCrawl(max_iterations=6), life, seeds="AB")
    assert lives == whole


def test_sites_go_to_another_worker_with_all_that_is_known_of_them(tmp_path: Path) -> None:
    web, first, second = random_shop(1), XCrawl(max_iterations=6), XCrawl(max_iterations=6)
    there = next(name for name in web.sites if name not in {*web.failing, *web.moving})
    crawl = web.opened(tmp_path / "crawl", first, f"A{there}")
    for _ in islice(web.visits(crawl), 12):
        pass
    kept = {name: value for name, value in crawl.store.load().memory.items() if name.startswith("ordering.")}
    second.adopt({name.removeprefix("ordering."): json.loads(value) for name, value in kept.items()})
    assert second == first
    sites = {of_site(name) for name in kept}
    assert len(sites) == 2 and 0 not in sites, "nothing is known that is not a site's"
    for site in sites:
        first.leave(site)
    assert first == XCrawl(max_iterations=6)
    crawl.abandon()


@SLOW
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_many_at_once_visit_nothing_twice_and_come_to_an_end(seed: int, at_once: int) -> None:
    web, chance, order = random_shop(seed), random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": at_once}
        crawl = web.opened(Path(folder) / "crawl", XCrawl(max_iterations=6), "AB", **given)
        under_way: list[Visit] = []
        while True:
            while len(under_way) < at_once and (visit := crawl.next()):
                under_way.append(visit)
            if not under_way:
                break
            visit = under_way.pop(chance.randrange(len(under_way)))
            order.append(name_of(visit))
            web.settle(crawl, visit)
        assert crawl.stop_reason() == "finished"
        crawl.abandon()
    assert len(order) == len(set(order))


def test_one_request_a_site_and_several_sites_at_once(tmp_path: Path) -> None:
    web = Shop(drawn("A>abc B>def"), rated("A 1 B 1"), sites=dict.fromkeys("Bdef", "b"))
    given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 9}
    crawl = web.opened(tmp_path / "crawl", XCrawl(), "AB", **given)
    for seed in (crawl.next(), crawl.next()):
        assert seed is not None
        web.settle(crawl, seed)
    visits = [crawl.next() for _ in range(3)]
    assert [visit is None for visit in visits] == [False, False, True]
    assert len({visit.site_id for visit in visits if visit}) == 2
    crawl.abandon()


def test_a_site_of_one_page_is_left_and_says_why(tmp_path: Path) -> None:
    web = Shop({}, rated("A 1"))
    crawl = web.opened(tmp_path / "crawl", XCrawl(), "A")
    assert list(web.visits(crawl)) == ["A"]
    assert crawl.stop_reason() == "finished"
    crawl.commit()
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as db:
        assert db.execute("SELECT state, why FROM site").fetchone() == ("closed", "searched: 1 accepted, 0 hubs")
    crawl.abandon()


def test_a_site_that_redirects_away_is_not_followed_into_the_other_one() -> None:
    """x leads to another site, whose page is fetched and judged; that is all of it."""
    web = Shop(drawn("A>x B>XYZ"), rated("A 1 B 1"), moving={"x": "B"}, sites=dict.fromkeys("BXYZ", "b"))
    assert crawled(web, XCrawl(max_iterations=3)) == ["A", "x", "B"]


def test_a_seed_that_redirects_to_another_site_begins_there() -> None:
    web = Shop(drawn("B>X"), rated("B 1 X 1"), moving={"A": "B"}, sites=dict.fromkeys("BX", "b"))
    assert crawled(web, XCrawl(max_iterations=3)) == ["A", "B", "X"]


def test_a_seed_that_fails_leaves_the_others_alone() -> None:
    web = Shop(drawn("B>X"), rated("B 1 X 1"), failing={"A": "http_404"}, sites=dict.fromkeys("BX", "b"))
    assert crawled(web, XCrawl(max_iterations=3), "AB") == ["A", "B", "X"]


def test_no_more_sites_than_are_wanted_are_searched() -> None:
    web = Shop(drawn("A>X B>Y"), rated("A 1 B 1"), sites=dict.fromkeys("BY", "b"))
    assert crawled(web, XCrawl(max_iterations=3, sites=1), "AB") == ["A", "B", "X"]


def test_a_redirect_within_the_site_counts_as_a_link_to_its_target() -> None:
    web = Shop(drawn("i>XYABC A>i B>i"), rated("A 1 B 1 C 1"), moving={"X": "A", "Y": "B"})
    order = crawled(web, XCrawl(max_iterations=5))
    assert {"A", "B", "C", "i"} <= set(order)


def test_links_may_be_drawn_by_weight() -> None:
    assert set("ABCDEFGH") <= set(crawled(SHOP, XCrawl(sample=True)))


@pytest.mark.parametrize(
    ("given", "said"), [("restart=0", "probability"), ("max_iterations=0", "at least 1"), ("active=0", "at least 1")]
)
def test_numbers_that_make_no_sense_are_refused(given: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        make(XCrawl, given)

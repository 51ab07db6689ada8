"""Fish-Search: who is followed, how far, and in which order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focused.errors import SettingError
from focused.orderings.base import make
from focused.orderings.fish import Fish
from focused.page import Link, Page
from tests.focused.orderings.drawn_web import DrawnWeb, drawn, rated


def page_of(links: int, relevant: bool, depth: int | None = None) -> Page:
    page = Page("http://a.example/", links=[Link(f"http://a.example/{n}", [], 0, 0) for n in range(links)])
    page.relevant, page.trail = relevant, None if depth is None else {"depth": depth}
    return page


def test_the_first_links_of_a_relevant_page_score_one() -> None:
    page = page_of(5, relevant=True, depth=0)
    assert Fish(width=2, alpha=1.5).score(page).tolist() == [1, 1, 1, 0, 0]
    assert [link.trail for link in page.links] == [{"depth": 3}] * 5


def test_the_first_links_of_another_page_score_a_half() -> None:
    page = page_of(5, relevant=False, depth=2)
    assert Fish(width=2).score(page).tolist() == [0.5, 0.5, 0, 0, 0]
    assert [link.trail for link in page.links] == [{"depth": 1}] * 5


def test_behind_too_many_pages_that_are_not_relevant_nothing_is_followed() -> None:
    assert np.isnan(Fish().score(page_of(3, relevant=False, depth=0))).all()
    assert Fish().score(page_of(3, relevant=True, depth=0)).tolist() == [1, 1, 1]


def test_a_seed_has_the_full_depth() -> None:
    page = page_of(1, relevant=False)
    Fish(depth=2).score(page)
    assert page.links[0].trail == {"depth": 1}


def test_a_crawl_dies_out_where_there_is_no_food(tmp_path: Path) -> None:
    web = DrawnWeb(drawn("s>ab a>cd c>e e>f f>g b>x x>y y>z z>w"), rated("s 1 f 1"))
    crawl = web.opened(tmp_path / "crawl", Fish(depth=2), "s")
    # a and b may still be followed for two pages: e and y are read, what is behind them is not asked for.
    assert list(web.visits(crawl)) == "s a b c d x e y".split()
    crawl.abandon()


def test_a_path_that_a_better_page_opens_again_goes_on(tmp_path: Path) -> None:
    web = DrawnWeb(drawn("s>ab a>c b>e c>e e>f f>g"), rated("s 1 c 1"))
    crawl = web.opened(tmp_path / "crawl", Fish(depth=1), "s")
    assert list(web.visits(crawl)) == "s a b c e f".split()  # e waits with a half and depth 0 until c is read
    crawl.abandon()


@pytest.mark.parametrize("given", ["depth=-1", "width=0", "alpha=0"])
def test_what_makes_no_sense_is_refused(given: str) -> None:
    with pytest.raises(SettingError, match="give depth >= 0, width >= 1 and alpha > 0"):
        make(Fish, given)

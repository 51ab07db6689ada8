"""Orderings by importance: back-links, PageRank, URL depth, out-links."""

from __future__ import annotations

import random
from pathlib import Path

import networkx
import numpy as np
import pytest

from focused.graph import LinkGraph
from focused.orderings import pagerank
from focused.orderings.backlinks import Backlinks
from focused.orderings.base import Ordering
from focused.orderings.outlinks import Outlinks
from focused.orderings.pagerank import PageRank
from focused.orderings.url_depth import UrlDepth
from focused.page import Link, Page
from tests.focused.orderings.drawn_web import DrawnWeb, drawn, random_web


def crawled(folder: Path, ordering: Ordering, links: str, **given: object) -> str:
    web = DrawnWeb(drawn(links), {})
    crawl = web.opened(folder / "crawl", ordering, "s", **given)
    try:
        return " ".join(web.visits(crawl))
    finally:
        crawl.abandon()


def page_with(*urls: str) -> Page:
    return Page("http://a.example/", links=[Link(url, [], 0, 0) for url in urls])


def test_the_page_that_most_pages_link_to_comes_first(tmp_path: Path) -> None:
    assert crawled(tmp_path, Backlinks(), "s>abc a>xy b>yz c>zy") == "s a b y c z x"


def test_a_page_counts_once_however_often_it_has_the_link(tmp_path: Path) -> None:
    assert crawled(tmp_path, Backlinks(), "s>ab a>yyyx b>x") == "s a b x y"


def test_fewer_slashes_come_first() -> None:
    urls = ("http://b.example/", "http://b.example/a", "http://b.example/a/b", "http://b.example/?of=a/b/c")
    scores = UrlDepth().score(page_with(*urls, "http://b.example/a/"))
    assert scores.tolist() == pytest.approx([1, 1, 1 / 2, 1, 1 / 2])


def test_links_of_pages_with_many_links_come_first(tmp_path: Path) -> None:
    assert crawled(tmp_path, Outlinks(), "s>ab a>x b>yzw") == "s a b y z w x"


# --- PageRank ---------------------------------------------------------------------------------------------------


def test_in_between_shares_of_rank_add_up(tmp_path: Path) -> None:
    # y gets half of a's and half of b's, x and z half of one only.
    assert crawled(tmp_path, PageRank(), "s>ab a>xy b>yz") == "s a b y x z"


def test_a_page_hands_on_what_it_has() -> None:
    page = page_with(*(f"http://b.example/{n}" for n in range(4)))
    page.trail = {"rank": 2.0}
    share = 0.85 * 2 / 4
    assert PageRank().score(page) == pytest.approx([share / (1 + share)] * 4)
    assert page.links[0].trail == {"rank": pytest.approx(0.15 + share)}


@pytest.mark.parametrize("kind", [Backlinks, PageRank])
def test_deaths_change_nothing(tmp_path: Path, kind: type[Ordering]) -> None:
    web = random_web(5, pages=26)
    given = {"FOCUSED_REVISE_EVERY": 4}
    crawl = web.opened(tmp_path / "one", kind(), "a", **given)
    order = list(web.visits(crawl))
    crawl.abandon()
    assert len(order) >= 20
    assert web.visits_in_lives(tmp_path / "many", kind, 3, **given) == order


def test_ranks_are_those_of_all_known_pages() -> None:
    chance, graph = random.Random(1), networkx.DiGraph()
    ordering, known = PageRank(), LinkGraph()
    graph.add_nodes_from(range(1, 201))
    known.enter(np.arange(1, 201), np.ones(200))
    for source in range(1, 51):
        targets = chance.sample(range(1, 201), 7)
        known.add(source, targets)
        known.judge(source, 0.5)
        graph.add_edges_from((source, target) for target in targets)
    rescored = pagerank._ranked(known, ordering.damping, 3)
    expected = {page: 200 * rank for page, rank in networkx.pagerank(graph, tol=1e-12).items()}
    assert sorted(rescored.ids) == list(range(51, 201))
    ranks = [expected[page] for page in rescored.ids.tolist()]
    assert rescored.scores == pytest.approx([3 + rank / (1 + rank) for rank in ranks], abs=1e-6)
    assert (np.diff(rescored.scores) <= 0).all()


def test_only_the_best_are_rescored_and_come_before_all_older_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagerank, "MOST", 3)
    known = LinkGraph()
    known.enter(np.arange(1, 11), np.ones(10))
    known.add(1, [2, 3, 4, 5])
    known.add(2, [9, 8])
    known.add(3, [9])
    rescored = pagerank._ranked(known, 0.85, 1)
    assert rescored.ids.tolist()[0] == 9
    assert len(rescored.ids) == 3
    assert (rescored.scores > 1).all()


def test_a_newer_share_makes_an_older_score_void() -> None:
    ordering = PageRank()
    ordering._computed = 2
    old, new = np.array([1.5, 2 + 1 / 2, np.inf]), np.array([2.1, 2 + 2 / 3, 2.1])  # 1 / 2 is rank 1, 2 / 3 is rank 2
    assert ordering.combine(old, new) == pytest.approx([2.1, 2 + 3 / 4, np.inf])

"""focused.hubs: against networkx where the graphs allow it, and on graphs where networkx fails."""

from __future__ import annotations

from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from focused.graph import LinkGraph
from focused.hubs import Distilled, Pins, Stop, bar_of, distil, hits, link_matrix, pagerank, pinned_hits, propagate

LONG = Stop(5000, 1e-13)
NOBODY = np.zeros(0, np.int64)
Edges = list[tuple[int, int]]


@st.composite
def edges(draw: st.DrawFn) -> tuple[int, Edges]:
    """A graph of up to eight pages, each link once."""
    pages = draw(st.integers(2, 8))
    pairs = [(a, b) for a, b in product(range(pages), range(pages)) if a != b]
    return pages, draw(st.lists(st.sampled_from(pairs), unique=True, max_size=40))


def ends(links: Edges) -> tuple[np.ndarray, np.ndarray]:
    return np.array([a for a, _ in links], np.int64), np.array([b for _, b in links], np.int64)


def has_one_best(pages: int, links: Edges) -> bool:
    """Whether HITS has one solution: the co-citation matrix has one greatest eigenvalue, well above the next."""
    matrix = np.zeros((pages, pages))
    for a, b in links:
        matrix[a, b] = 1
    first, second = np.sort(np.linalg.eigvalsh(matrix @ matrix.T))[[-1, -2]]
    return bool(first > 1.01 * second)


@given(edges())
@settings(max_examples=60, deadline=None)
def test_plain_hits_is_that_of_networkx(graph: tuple[int, Edges]) -> None:
    pages, links = graph
    assume(links and has_one_best(pages, links))
    whole = nx.DiGraph(links)
    whole.add_nodes_from(range(pages))
    assume(nx.is_weakly_connected(whole))
    hub, authority = nx.algorithms.link_analysis.hits_alg._hits_python(whole, max_iter=5000, tol=1e-13)
    found = hits(*ends(links), pages, LONG)
    assert found.hub == pytest.approx([hub[page] for page in range(pages)], abs=1e-6)
    assert found.authority == pytest.approx([authority[page] for page in range(pages)], abs=1e-6)


@given(edges(), st.floats(0.1, 0.9), st.data())
@settings(max_examples=60, deadline=None)
def test_pagerank_is_that_of_networkx(graph: tuple[int, Edges], damping: float, data: st.DataObject) -> None:
    pages, links = graph
    restart = data.draw(st.lists(st.floats(0.1, 1.0), min_size=pages, max_size=pages))
    whole = nx.DiGraph(links)
    whole.add_nodes_from(range(pages))
    wanted = nx.pagerank(whole, damping, personalization=dict(enumerate(restart)), tol=1e-12, max_iter=1000)
    found = pagerank(*ends(links), pages, damping, np.array(restart))
    assert found == pytest.approx([wanted[page] for page in range(pages)], abs=1e-5)
    assert found.sum() == pytest.approx(1.0)


def made(pages: int, links: Edges, sites: list[int], relevance: list[float]) -> LinkGraph:
    graph = LinkGraph()
    graph.enter(range(1, pages + 1), sites)
    graph.extend(*(side.astype(np.uint32) for side in ends(links)))
    for page, value in enumerate(relevance, 1):
        graph.judge(page, value)
    return graph


def as_written(graph: LinkGraph, bar: float, rounds: int) -> dict[int, tuple[float, float]]:
    """F-17, page by page: (hub, authority)."""
    site, relevance = graph.site.tolist(), graph.relevance.tolist()
    pairs = set(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    votes = sorted((u, v) for u, v in pairs if site[u] != site[v] and relevance[v] > bar)
    to = {(u, v): len({x for x, y in votes if y == v and site[x] == site[u]}) for u, v in votes}
    by = {(u, v): len({y for x, y in votes if x == u and site[y] == site[v]}) for u, v in votes}
    hubs = {u for u, _ in votes}
    hub, authority = dict.fromkeys(hubs, 1 / max(1, len(hubs))), dict.fromkeys({v for _, v in votes}, 0.0)
    for _ in range(rounds):
        authority = scaled({v: sum(hub[u] * relevance[u] / to[u, v] for u, t in votes if t == v) for v in authority})
        hub = scaled({u: sum(authority[v] * relevance[u] / by[u, v] for s, v in votes if s == u) for u in hub})
    return {page: (hub.get(page, 0.0), authority.get(page, 0.0)) for page in sorted({*hub, *authority})}


def scaled(scores: dict[int, float]) -> dict[int, float]:
    whole = sum(scores.values())
    return {page: score / whole if whole else 0.0 for page, score in scores.items()}


def as_rows(found: Distilled) -> dict[int, tuple[float, float]]:
    rows = zip(found.ids.tolist(), found.hub.tolist(), found.authority.tolist(), strict=True)
    return {page: (hub, authority) for page, hub, authority in rows}


@given(edges(), st.floats(-0.1, 0.8), st.data())
@settings(max_examples=100, deadline=None)
def test_weighted_hits_is_what_the_paper_writes(graph: tuple[int, Edges], bar: float, data: st.DataObject) -> None:
    pages, links = graph
    links = [(a + 1, b + 1) for a, b in links]
    sites = data.draw(st.lists(st.integers(1, 3), min_size=pages, max_size=pages))
    values = data.draw(st.lists(st.sampled_from([0.25, 0.5, 0.75, 1.0]), min_size=pages, max_size=pages))
    whole = made(pages, links, sites, values)
    found = as_rows(distil(whole, bar, stop=Stop(5, 0.0)))
    wanted = as_written(whole, bar, 5)
    assert found.keys() == wanted.keys()
    for page, scores in wanted.items():
        assert found[page] == pytest.approx(scores, abs=1e-9)


def crossing() -> LinkGraph:
    """Pages 1 to 4 on sites of their own; 1 and 2 link to 3, 2 also to 4."""
    return made(4, [(1, 3), (2, 3), (2, 4)], [1, 2, 3, 4], [0.5, 0.5, 0.9, 0.9])


def test_the_order_of_the_links_and_doubles_make_no_difference() -> None:
    plain, mixed = crossing(), made(4, [(2, 4), (1, 3), (2, 3), (1, 3)], [1, 2, 3, 4], [0.5, 0.5, 0.9, 0.9])
    for first, second in zip(distil(plain, 0.6), distil(mixed, 0.6), strict=True):
        assert np.array_equal(first, second)


def test_a_warm_start_comes_to_the_same_in_fewer_rounds() -> None:
    cold = distil(crossing(), 0.6, stop=Stop(500, 1e-12))
    scores = np.zeros(5)
    scores[cold.ids] = cold.hub
    warm = distil(crossing(), 0.6, start=scores, stop=Stop(500, 1e-12))
    assert warm.rounds < cold.rounds
    assert warm.hub == pytest.approx(cold.hub, abs=1e-9)


def test_a_redirect_stands_for_the_page_behind_it() -> None:
    direct = crossing()
    # 1 links to 5, which is moved to 6, which is moved to 3: neither 5 nor 6 was ever judged
    moved = made(6, [(1, 5), (5, 6), (6, 3), (2, 3), (2, 4)], [1, 2, 3, 4, 5, 6], [0.5, 0.5, 0.9, 0.9])
    assert as_rows(distil(moved, 0.6)) == as_rows(distil(direct, 0.6))


def test_plain_hits_counts_a_link_once() -> None:
    assert hits(*ends([(0, 1), (0, 2), (0, 1)]), 3).authority.tolist() == [0.0, 0.5, 0.5]


def test_authorities_are_above_the_bar_not_at_it() -> None:
    assert distil(crossing(), 0.5).ids.tolist() == [1, 2, 3, 4]
    back = made(4, [(1, 3), (3, 1)], [1, 2, 3, 4], [0.5, 0.5, 0.75, 0.75])
    assert as_rows(distil(back, 0.5))[1] == (1.0, 0.0)  # it has a link, but does not count


def test_pages_that_were_not_had_are_no_authorities() -> None:
    waiting = made(3, [(1, 2), (1, 3)], [1, 2, 3], [0.5, 0.9])
    assert distil(waiting, -np.inf).ids.tolist() == [1, 2]


def test_nothing_links_to_the_topic() -> None:
    alone = made(2, [(1, 2)], [1, 1], [0.5, 0.9])
    assert as_rows(distil(alone, 0.6)) == {}
    assert as_rows(distil(LinkGraph(), -np.inf)) == {}


def test_no_links_and_no_pages() -> None:
    assert hits(NOBODY, NOBODY, 3).hub.tolist() == [0.0, 0.0, 0.0]
    assert hits(NOBODY, NOBODY, 0).hub.tolist() == []
    assert pinned_hits(link_matrix(NOBODY, NOBODY, 0), Pins(np.zeros(0), np.zeros(0))).hub.tolist() == []
    assert pagerank(NOBODY, NOBODY, 2).tolist() == [0.5, 0.5]
    assert propagate(link_matrix(NOBODY, NOBODY, 1), np.array([1.0])).tolist() == pytest.approx([0.15])


def test_two_pieces_are_scored_the_same_each_time() -> None:
    pieces = ends([(0, 1), (2, 3)])
    assert hits(*pieces, 4).hub.tolist() == [0.5, 0.0, 0.5, 0.0]


def test_a_bar_for_few_pages_lets_all_of_them_pass() -> None:
    assert bar_of(np.array([0.5]), 0.15) == -np.inf
    assert bar_of(np.array([], np.float32), 0.15) == -np.inf
    assert bar_of(np.array([0.5, 0.7, np.nan]), 0.15) == 0.5


def test_pages_that_share_the_highest_relevance_pass_together() -> None:
    relevance = np.array([1.0, 1.0, 1.0, 0.9], np.float32)
    assert (relevance > bar_of(relevance, 0.15)).tolist() == [True, True, True, False]

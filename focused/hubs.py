"""Hubs and authorities, and PageRank: power iterations over sparse matrices, from a fixed start.

HITS is one routine for three papers. Plain: Chakrabarti 1999, §3.2 (F-16). Weighted by relevance: the same, with the
changes made there for crawling (F-17). Pinned: xCrawl, §2 (X-11), where what the validator said is kept fixed.
Links are a matrix, made of two arrays of equal length, in any order; a link given twice counts once. Results do not
depend on the order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from focused.graph import LinkGraph

Ids = NDArray[np.integer]
Floats = NDArray[np.float64]
_REDIRECTS = 4  # aliases are followed 2**4 hops far


class Scores(NamedTuple):
    """Of page 0, 1, 2 …, and how many rounds it took."""

    hub: Floats
    authority: Floats
    rounds: int


class Distilled(NamedTuple):
    """Of the pages that point to the topic or are pointed to."""

    ids: NDArray[np.int64]
    hub: Floats
    authority: Floats
    rounds: int


class Pins(NamedTuple):
    """Scores that are known and stay; NaN where they are free."""

    hub: Floats
    authority: Floats


class Stop(NamedTuple):
    """After so many rounds, or when no score changes by more than this share of the highest one."""

    rounds: int = 50
    change: float = 1e-9


STOP = Stop()


# --- hubs and authorities -----------------------------------------------------------------------------------


def hits(sources: Ids, targets: Ids, pages: int, stop: Stop = STOP) -> Scores:
    """Plain HITS (F-16): both scores sum to 1."""
    links = link_matrix(sources, targets, pages)
    hub, authority, rounds = _reinforce((links.T, links), np.full(pages, 1 / max(pages, 1)), 1, stop)
    return Scores(hub, authority, rounds)


def pinned_hits(links: csr_array, pins: Pins, stop: Stop = STOP) -> Scores:
    """HITS in which some scores are known beforehand (X-11): hubs first, both of length 1 before they are pinned."""
    pages = len(pins.hub)
    start = _pinned(np.full(pages, 1 / max(pages, 1)), pins.authority)
    authority, hub, rounds = _reinforce((links, links.T), start, 2, stop, (pins.authority, pins.hub))
    return Scores(hub, authority, rounds)


def distil(
    graph: LinkGraph, bar: float, target_relevance: bool = False, start: Floats | None = None, stop: Stop = STOP
) -> Distilled:
    """HITS weighted by relevance and by votes of servers (F-17).

    Authorities are fetched pages above the bar, hubs all pages that link to one of them from another server; what a
    server's pages say of one page, and what one page says of a server's pages, counts as one vote.
    `target_relevance`: an authority's relevance counts in its own score, not that of the hubs.
    `start`: hub scores by page id, for instance the last ones; without it all hubs begin as equals.
    """
    ids, down = _votes(graph, bar)
    up = down.T.tocsr()
    relevance, site = np.nan_to_num(graph.relevance[ids].astype(np.float64)), graph.site[ids]
    links_up, links_down = np.diff(up.indptr), np.diff(down.indptr)
    up.data = np.repeat(relevance, links_up) if target_relevance else relevance[up.indices]
    up.data /= _same_site(up, site)
    down.data = np.repeat(relevance, links_down) / _same_site(down, site)
    is_hub = links_down > 0
    begin = is_hub / max(1, is_hub.sum()) if start is None else start[ids] * is_hub
    hub, authority, rounds = _reinforce((up, down), begin, 1, stop)
    order = np.argsort(ids)
    return Distilled(ids[order], hub[order], authority[order], rounds)


def bar_of(relevance: NDArray[np.floating], share: float) -> float:
    """The relevance that the best `share` of the fetched pages exceeds (F-17, rho); NaN: not fetched.

    Differs: where more pages than that share the highest relevance, so that none exceeds it, all of them pass.
    """
    fetched = relevance[~np.isnan(relevance)]
    better = max(1, int(np.ceil(share * len(fetched))))
    if better >= len(fetched):
        return -np.inf
    next_best = np.partition(fetched, -better - 1)[-better - 1]
    return float(min(next_best, np.nextafter(fetched.max(), -np.inf, dtype=fetched.dtype)))


def _votes(graph: LinkGraph, bar: float) -> tuple[NDArray[np.int64], csr_array]:
    """The pages that take part, sorted by server, and the links between them."""
    moved = np.isnan(graph.relevance[graph.sources])  # a page that was not had can only have been a redirect
    sources, targets = graph.sources, _behind_redirects(graph, moved)
    counts = (graph.relevance[targets] > bar) & (graph.site[sources] != graph.site[targets]) & ~moved
    sources, targets = sources[counts], targets[counts]
    takes_part = np.zeros(graph.pages + 1, np.bool_)
    takes_part[sources] = takes_part[targets] = True
    ids = np.flatnonzero(takes_part)
    ids = ids[np.argsort(graph.site[ids], kind="stable")]
    place = np.zeros(graph.pages + 1, np.int64)
    place[ids] = np.arange(len(ids))
    return ids, link_matrix(place[sources], place[targets], len(ids))


def _behind_redirects(graph: LinkGraph, moved: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """The targets of the links, each with the page that was had in its place."""
    if not moved.any():
        return graph.targets
    stands_for = np.arange(graph.pages + 1, dtype=np.uint32)
    stands_for[graph.sources[moved]] = graph.targets[moved]
    for _ in range(_REDIRECTS):
        stands_for = stands_for[stands_for]
    return stands_for[graph.targets]


def link_matrix(sources: Ids, targets: Ids, pages: int) -> csr_array:
    """1 in the row of the source and the column of the target, for each link."""
    keys = link_keys(sources, targets)
    keys.sort()
    return matrix_of(keys, pages)


def link_keys(sources: Ids, targets: Ids) -> NDArray[np.int64]:
    """A link in one number; sorted, they are sorted by source and then by target."""
    keys = sources.astype(np.int64)
    keys <<= 32
    keys |= targets.astype(np.int64)
    return keys


def matrix_of(keys: NDArray[np.int64], pages: int) -> csr_array:
    """The same of links that are sorted already."""
    keys = keys[_begins(keys)]
    starts = np.zeros(pages + 1, np.int32)
    np.cumsum(np.bincount(keys >> 32, minlength=pages), out=starts[1:])
    return csr_array((np.ones(len(keys)), keys.astype(np.int32), starts), shape=(pages, pages))


def _same_site(matrix: csr_array, site: Ids) -> NDArray[np.int64]:
    """For each entry, how many of its row have a column of the same site; columns are sorted by site."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    first = np.flatnonzero(_begins(rows << 32 | site[matrix.indices]))
    counts = np.diff(first, append=matrix.nnz)
    return np.repeat(counts, counts)


def _begins(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where another key begins, of keys in which equal ones stand together."""
    different = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=different[1:])
    return different


def _reinforce(
    matrices: tuple[csr_array, csr_array],
    start: Floats,
    norm: int,
    stop: Stop,
    pins: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, Floats, int]:
    """Two scores that make each other, the one and the other in turn; matrices and pins in the order of their use."""
    to_other, to_one = matrices
    one, other, done = start, np.zeros_like(start), 0
    while done < stop.rounds:
        done, before = done + 1, (one, other)
        other = _scaled(to_other @ one, norm)
        one = _scaled(to_one @ other, norm)
        if pins is not None:
            one, other = _pinned(one, pins[0]), _pinned(other, pins[1])
        if _is_settled(before[0], one, stop.change) and _is_settled(before[1], other, stop.change):
            break
    return one, other, done


def _pinned(scores: Floats, pins: Floats) -> Floats:
    return np.where(np.isnan(pins), scores, pins)


def _scaled(scores: Floats, norm: int) -> Floats:
    size = np.linalg.norm(scores, norm)
    return scores / size if size else scores


def _is_settled(before: Floats, after: Floats, change: float) -> bool:
    moved = after - before
    np.abs(moved, out=moved)
    return float(moved.max(initial=0.0)) <= change * float(after.max(initial=0.0))


# --- PageRank -----------------------------------------------------------------------------------------------


def pagerank(sources: Ids, targets: Ids, pages: int, damping: float = 0.85, restart: Floats | None = None) -> Floats:
    """PageRank of page 0, 1, 2 … (B-12), summing to 1. What pages without links have goes where restarts go."""
    begin = np.full(pages, 1 / max(pages, 1)) if restart is None else restart / restart.sum()
    matrix = _shares(link_matrix(sources, targets, pages))
    dangling = np.flatnonzero(np.bincount(sources, minlength=pages) == 0)
    return _flow(matrix, begin, damping, dangling, Stop(100))


def propagate(links: csr_array, init: Floats, damping: float = 0.85, stop: Stop = STOP) -> Floats:
    """Weights that flow along links and are given again each round (X-07); what reaches a page without links is lost.

    Differs: the print gives nothing again, so that all weights would end at 0; and it takes a link's weight from the
    page it leads to, which moves nothing (X-A1, X-A2).
    """
    return _flow(_shares(links), init, damping, np.zeros(0, np.int64), stop)


def propagate_as_printed(links: csr_array, init: Floats, damping: float, steps: int) -> Floats:
    """So many rounds in which nothing is given again (X-A2)."""
    matrix, weights = _shares(links), init
    for _ in range(steps):
        weights = damping * (matrix @ weights)
    return weights


def _shares(links: csr_array) -> csr_array:
    """What each page (row) gets of what the pages that link to it (columns) have: equal shares."""
    counts = np.diff(links.indptr)
    shares = links.data / np.repeat(counts, counts)
    return csr_array((shares, links.indices, links.indptr), shape=links.shape).T


def _flow(matrix: csr_array, restart: Floats, damping: float, dangling: Ids, stop: Stop) -> Floats:
    weights, given = restart, (1 - damping) * restart
    for _ in range(stop.rounds):
        before, weights = weights, matrix @ weights
        if len(dangling):
            weights += before[dangling].sum() * restart
        weights *= damping
        weights += given
        if _is_settled(before, weights, stop.change):
            break
    return weights

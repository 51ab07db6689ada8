"""PageRank — Batsakis 2007, §2.2 (B-12): the links of important pages first.

    every FOCUSED_REVISE_EVERY pages    the rank of all known pages, fetched or not, over the links known by then
    in between                          a link gets the share of its page's rank that PageRank sends over it, and a
                                        link found again the sum of its shares

Ranks are in units of the average one, so that they stay what they are while the crawl grows. A score is the number of
computations so far plus rank / (1 + rank): what was ranked last comes first.

Differs: only the best waiting links are given their new rank, more than are fetched before the next one; the others
keep an older score, below all of these. To rescore a million links would stop the crawl for seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from focused.errors import SettingError
from focused.graph import LinkGraph
from focused.hubs import pagerank
from focused.orderings.base import Ordering, Rescored, Revision
from focused.page import Page
from models.model import Floats

MOST = 2_000  # waiting links that get a new rank
DIGITS = 12  # the sums depend on the order of the links, which is another one after a restart


@dataclass
class PageRank(Ordering):
    """Important is what important pages link to."""

    needs_graph = True
    damping: float = 0.85  # chance to follow a link rather than to begin anywhere else
    _computed: int = field(default=0, init=False, repr=False)  # computations so far
    _news: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0.0 <= self.damping < 1.0:
            raise SettingError(f"ordering_args: damping={self.damping}: give a number from 0 up to, but not, 1.")

    def score(self, page: Page) -> Floats:
        rank = (page.trail or {}).get("rank", 1.0)
        share = round(self.damping * rank / max(len(page.links), 1), DIGITS)
        trail = {"rank": 1.0 - self.damping + share}
        for link in page.links:
            link.trail = trail
        return self._computed + _below_one(np.full(len(page.links), share))

    def combine(self, old: Floats, new: Floats) -> Floats:
        """Shares of one computation add up; a newer one makes an older one void. A seed stays what it is."""
        same = np.isfinite(old) & (old >= self._computed)
        first, second = (np.where(same, scores - self._computed, 0.0) for scores in (old, new))
        summed = first / (1.0 - first) + second / (1.0 - second)
        return np.where(same, self._computed + _below_one(summed), np.where(np.isfinite(old), new, old))

    def revise(self) -> Callable[[], Revision]:
        self._computed += 1
        self._news["computed"] = self._computed
        graph, computed = self.around.graph.copy(), self._computed
        return lambda: Revision(_ranked(graph, self.damping, computed))

    def state(self) -> dict[str, Any]:
        news, self._news = self._news, {}
        return news

    def restore(self, parts: dict[str, Any]) -> None:
        self._computed = parts.get("computed", 0)


def _below_one(ranks: Floats) -> Floats:
    return ranks / (1.0 + ranks)


def _ranked(graph: LinkGraph, damping: float, computed: int) -> Rescored:
    """The waiting pages of the highest rank, and their scores."""
    ranks = (graph.pages * pagerank(graph.sources - 1, graph.targets - 1, graph.pages, damping)).round(DIGITS)
    waiting = np.flatnonzero(np.isnan(graph.relevance[1:]))
    best = waiting[np.argsort(-ranks[waiting], kind="stable")[:MOST]]
    return Rescored(best + 1, computed + _below_one(ranks[best]))

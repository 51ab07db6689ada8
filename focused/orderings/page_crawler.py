"""The focused page crawler that the website crawler is compared with — Ester, Kriegel, Schubert 2004, §5.1 (W-25).

    rank(p) = mean confidence of the pages read that link to p

One frontier of pages. The guard refuses sites that have delivered `guard` pages. Which websites were found is told
afterwards, from the pages that happened to be fetched: focused.evaluate.websites (W-26).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from focused.budget import SiteBudget, confidence_of
from focused.errors import SettingError
from focused.orderings.base import Ids, Ordering, Rescored, Waiting
from focused.page import Link, Page
from focused.store.rows import Abroad
from models.model import Floats


def _none() -> NDArray[np.uint32]:
    return np.zeros(1024, np.uint32)


@dataclass
class PageCrawler(Ordering):
    """Best first by the mean confidence of all pages that link to a page."""

    needs_graph: ClassVar[bool] = True
    guard: int = 100  # pages a site; not printed in the paper
    _links: NDArray[np.uint32] = field(default_factory=_none, init=False, repr=False, compare=False)  # by page id
    _rescored: Rescored | None = field(default=None, init=False, repr=False, compare=False)
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.guard < 1:
            raise SettingError(f"ordering_args: guard={self.guard} is below 1: give pages a site.")

    def score(self, page: Page) -> Floats:
        return np.full(len(page.links), self._confidence(page))

    def combine(self, old: Floats, new: Floats) -> Floats:
        """Two scores do not make a mean: `found` counts the links, and `rescored` says what changed."""
        return old

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        if len(ids) and self._waiting is not None:
            self._rescored = self._count(ids, self._confidence(page), self._waiting)

    def _count(self, ids: Ids, confidence: float, waiting: Waiting) -> Rescored | None:
        """One more link to each of these pages: the means of those that wait."""
        self._grow(int(ids.max()) + 1)
        self._links[ids] += 1
        again = ids[self._links[ids] > 1]
        old = waiting.score_of(again.tolist())
        again, old = again[np.isfinite(old)], old[np.isfinite(old)]  # a seed keeps its place, what is done has none
        if not len(again):
            return None
        links = self._links[again].astype(np.int64)
        return Rescored(again, old + (confidence - old) / links, links)

    def rescored(self) -> Rescored | None:
        changed, self._rescored = self._rescored, None
        return changed

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting = waiting
        return waiting.pick(now)

    def budget(self) -> SiteBudget:
        return SiteBudget(self.guard)

    def restore(self, parts: dict[str, Any]) -> None:
        """The means are the scores of the waiting links; how many links they are of is counted in the graph."""
        graph = self.around.graph
        was_read = ~np.isnan(graph.relevance[graph.sources])
        self._links = np.bincount(graph.targets[was_read], minlength=graph.pages + 1024).astype(np.uint32)

    # --- several workers ------------------------------------------------------------------------------------

    def linked(self, page_id: int, link: Abroad, waiting: Waiting) -> Rescored | None:
        """Its score is what the page that has it is worth; a redirect, or a spider's own request, is no link."""
        is_link = bool(link.dom_path) and not link.hops
        return self._count(np.array([page_id]), link.score, waiting) if is_link else None

    def counted(self, ids: Ids, links: Ids) -> None:
        if len(ids):
            self._grow(int(ids.max()) + 1)
            self._links[ids] = links

    def _confidence(self, page: Page) -> float:
        return confidence_of(page, self.around.model.threshold)

    def _grow(self, size: int) -> None:
        if size > len(self._links):
            self._links = np.concatenate([self._links, np.zeros(size, np.uint32)])

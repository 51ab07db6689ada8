"""LinkGraph: who links to whom, by page id, in memory: 8 bytes a link and 8 a page.

Kept only for an ordering that asks for it, and filled again from the store when a crawl is resumed.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.uint32]
Kind = TypeVar("Kind", bound=np.generic)


class LinkGraph:
    """Grows with the crawl; arrays by page id begin with an unused entry 0."""

    def __init__(self) -> None:
        self.pages = 0  # the highest page id
        self.links = 0
        self._sources: Numbers = np.zeros(1024, np.uint32)
        self._targets: Numbers = np.zeros(1024, np.uint32)
        self._site: Numbers = np.zeros(1024, np.uint32)
        self._relevance: NDArray[np.float32] = np.full(1024, np.nan, np.float32)

    @property
    def sources(self) -> Numbers:
        """The page each link is on."""
        return self._sources[: self.links]

    @property
    def targets(self) -> Numbers:
        """The page each link leads to."""
        return self._targets[: self.links]

    @property
    def site(self) -> Numbers:
        """The site of each page."""
        return self._site[: self.pages + 1]

    @property
    def relevance(self) -> NDArray[np.float32]:
        """The relevance of each page, NaN of one that was not had."""
        return self._relevance[: self.pages + 1]

    def enter(self, ids: ArrayLike, sites: ArrayLike) -> None:
        """These pages exist from now on."""
        pages = np.asarray(ids, np.int64)
        if len(pages):
            self._reach(int(pages.max()))
            self._site[pages] = sites

    def _reach(self, page_id: int) -> None:
        if page_id > self.pages:
            self.pages = page_id
            self._site, self._relevance = _room(self._site, page_id + 1), _room(self._relevance, page_id + 1)

    def judge(self, page_id: int, relevance: float) -> None:
        """A page was had; it may be another worker's, of which nothing else is known here."""
        self._reach(page_id)
        self._relevance[page_id] = relevance

    def add(self, source: int, targets: ArrayLike) -> None:
        """All links of a page."""
        listed = np.asarray(targets, np.uint32)
        self.extend(np.full(len(listed), source, np.uint32), listed)

    def extend(self, sources: Numbers, targets: Numbers) -> None:
        """Links of many pages, as they come from the store."""
        if not len(sources):
            return
        self._reach(max(int(sources.max()), int(targets.max())))  # another worker's pages may be younger than the rest
        end = self.links + len(sources)
        self._sources, self._targets = _room(self._sources, end), _room(self._targets, end)
        self._sources[self.links : end], self._targets[self.links : end] = sources, targets
        self.links = end

    def copy(self) -> LinkGraph:
        """As it is now, for another thread."""
        twin = LinkGraph()
        twin.pages, twin.links = self.pages, self.links
        twin._sources, twin._targets = self.sources.copy(), self.targets.copy()
        twin._site, twin._relevance = self.site.copy(), self.relevance.copy()
        return twin


def _room(values: NDArray[Kind], size: int) -> NDArray[Kind]:
    """The same array, or a larger one with the same beginning; floats are NaN where nothing was written."""
    if size <= len(values):
        return values
    larger = np.zeros(size + size // 2, values.dtype)
    if values.dtype.kind == "f":
        larger[:] = np.nan
    larger[: len(values)] = values
    return larger

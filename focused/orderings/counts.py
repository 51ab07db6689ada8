"""Finished websites, and the efficiency of the crawl by windows of pages — Ester, Kriegel, Schubert 2004 (W-19, W-20).

Several workers each count their own and hear of the others'. A window is over all pages, as they are heard of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass
class Counts:
    """What one worker has done, and, not kept, what the others said last of themselves."""

    screened: int = 0
    relevant: int = 0
    likely: int = 0  # whose pages alone, without the prior, spoke for the topic
    begun: int = 0
    pages: int = 0  # of the present window
    found: int = 0  # relevant sites of the present window
    best: float | None = None  # pages per relevant site in the best window
    has_collapsed: bool = False
    downloads: int = 0  # for the sites that are finished
    heard_downloads: int = 0  # of the others', how many have been in a window
    heard_relevant: int = 0
    at_work: bool = False  # a site is under way or could be begun: links may yet be published
    others: Sequence[Counts] = field(default=(), init=False, repr=False, compare=False)
    is_untold: bool = field(default=False, init=False, repr=False, compare=False)  # something has changed by itself

    def add(self, pages: int, is_relevant: bool, window: int, factor: float) -> None:
        """A site is finished."""
        self.screened, self.relevant = self.screened + 1, self.relevant + is_relevant
        self.downloads += pages
        self._go_on(pages, int(is_relevant), window, factor)

    def hear(self, others: Sequence[Counts], window: int, factor: float) -> None:
        """What the others have finished since they were last heard of counts as if it had been finished just now."""
        self.others = others
        downloads, relevant = sum(other.downloads for other in others), sum(other.relevant for other in others)
        pages, found = downloads - self.heard_downloads, relevant - self.heard_relevant
        if pages or found:
            self.heard_downloads, self.heard_relevant, self.is_untold = downloads, relevant, True
            self.best = min((one.best for one in (self, *others) if one.best), default=None)
            self._go_on(pages, found, window, factor)

    def _go_on(self, pages: int, found: int, window: int, factor: float) -> None:
        """A5: the paper stops when pprs falls, but it is the rise that is bad."""
        self.pages, self.found = self.pages + pages, self.found + found
        if self.pages < window:
            return
        if self.found:
            self.best = min(self.best or self.pages, self.pages / self.found)
        self.has_collapsed = bool(factor and self.best) and self.pages > factor * (self.best or 0.0) * self.found
        self.pages = self.found = 0

    def is_working(self, at_work: bool) -> None:
        self.is_untold |= at_work != self.at_work
        self.at_work = at_work

    def of_all(self, name: str) -> int:
        """A count of this worker and of all others."""
        return sum(getattr(one, name) for one in (self, *self.others))

    @property
    def anybody_collapsed(self) -> bool:
        return any(one.has_collapsed for one in (self, *self.others))

    def state(self) -> list[Any]:
        self.is_untold = False
        return [getattr(self, part.name) for part in fields(self) if part.init]


def counts_of(is_alive: bool, state: list[Any]) -> Counts:
    """Another worker's, from what it said; who is gone is at work no more, but what it has done stands."""
    counts = Counts(*state)
    counts.at_work &= is_alive
    return counts

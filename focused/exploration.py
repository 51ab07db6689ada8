"""The visit tree of a crawl, rounds of exploration in it, and how far they go — Tsoi 2003 (S-01, S-02, S-06)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

WINDOW, DROP, MOST = 100, 0.5, 3  # S-06: pages looked at, share of the best precision, highest d and r


@dataclass(slots=True)
class Node:
    """A page of the visit tree."""

    parent: int | None
    number: int  # in order of visit
    relevance: float
    links: Sequence[int]
    children: list[int] = field(default_factory=list)


class VisitTree(dict[int, Node]):
    """Every page that was had, by id, each below the page from which it was first visited (S-01); seeds are roots."""

    def add(self, page_id: int, parent: int | None, relevance: float, links: Sequence[int]) -> Node:
        node = self[page_id] = Node(parent if parent in self else None, len(self), relevance, links)
        if node.parent is not None:
            self[node.parent].children.append(page_id)
        return node

    def relatives(self, page_id: int, r: int) -> list[int]:
        """The pages as many links below their common ancestor as this one, which is at most r - 1 (S-02)."""
        ancestor, steps = page_id, 0
        while steps < r - 1 and (parent := self[ancestor].parent) is not None:
            ancestor, steps = parent, steps + 1
        level = [ancestor]
        for _ in range(steps):
            level = [child for page in level for child in self[page].children]
        return level


@dataclass(slots=True)
class Round:
    """Exploration from the relatives of one page, as far as it has come."""

    d: int
    relatives: deque[int]
    queue: deque[tuple[int, int]] = field(default_factory=deque)  # pages to go on from, and how many links further
    reach: dict[int, int] = field(default_factory=dict)  # the pages that were in the queue: the same number
    links: list[tuple[int, int]] = field(default_factory=list)  # to be fetched or under way: link, its page

    @property
    def is_over(self) -> bool:
        return not (self.links or self.queue or self.relatives)

    def enter(self, page_id: int, left: int) -> None:
        """Go on from that page, unless that has been done already at least as far."""
        if left > self.reach.get(page_id, 0):
            self.reach[page_id] = left
            self.queue.append((page_id, left))


@dataclass(slots=True)
class Knobs:
    """d and r, and how they grow (S-06)."""

    d: int
    r: int
    best: float = 0.0  # precision since the last change
    pages: int = 0  # of the window
    relevant: int = 0

    def count(self, relevant: bool) -> None:
        self.pages, self.relevant = self.pages + 1, self.relevant + relevant
        if self.pages == WINDOW:
            self.adapt(self.relevant / self.pages)
            self.pages = self.relevant = 0

    def adapt(self, precision: float) -> None:
        """A window has ended."""
        self.best = max(self.best, precision)
        if precision >= DROP * self.best:
            return
        if self.d <= self.r and self.d < MOST:
            self.d += 1
        elif self.r < MOST:
            self.r += 1
        self.best = precision

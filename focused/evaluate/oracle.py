"""The oracle: the best crawl by someone who knows which pages are relevant, but may fetch only what it has a link to.

A relevant page it has a link to it fetches at once: that can never be a mistake, since any crawl that fetches it later
has fewer relevant pages in between and no more afterwards. What is left to choose is which other pages to pay for.
Each of these leads over a shortest path of undiscovered pages to a door, a page with links to relevant ones; the oracle
goes to the door that brings most relevant pages a fetch, and looks again after each fetch.

The best possible choice is NP-hard (with all links known it still contains set cover), so this is a lower bound of the
optimum: the best of three greedy rules. `at_most` is the trivial upper bound.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from focused.evaluate.metrics import area

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Rule = Callable[[float, int], float]  # relevant pages gained, other pages paid for → the higher the sooner

RULES: tuple[Rule, ...] = (
    lambda gain, cost: gain / (cost + gain),  # most relevant pages a fetch
    lambda gain, cost: -cost,  # the nearest first
    lambda gain, cost: gain / math.sqrt(cost + gain),  # a rich part of the web is worth a longer way
)
FAR = 1 << 40


@dataclass(slots=True, frozen=True)
class Graph:
    """Pages 0 … n - 1 and their links: those of page p are targets[offsets[p] : offsets[p + 1]]."""

    offsets: Ints
    targets: Ints
    seeds: tuple[int, ...]

    @classmethod
    def of(cls, links: Sequence[Sequence[int]], seeds: Iterable[int]) -> Graph:
        lengths = np.fromiter(map(len, links), np.int64, len(links))
        targets = np.fromiter((target for page in links for target in page), np.int64, int(lengths.sum()))
        return cls(np.concatenate([[0], np.cumsum(lengths)]), targets, tuple(seeds))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def links(self, page: int) -> list[int]:
        found: list[int] = self.targets[self.offsets[page] : self.offsets[page + 1]].tolist()
        return found

    def only(self, wanted: Bools) -> Graph:
        """The same pages with only the links to the wanted ones."""
        kept = wanted[self.targets]
        before = np.concatenate([[0], np.cumsum(kept)])
        return Graph(before[self.offsets], self.targets[kept], self.seeds)


def oracle(graph: Graph, relevant: Bools, pages: int) -> list[int]:
    """The pages it fetches, at most `pages`, in order.

    >>> graph = Graph.of([[1, 2], [3], [4, 5], [], [], []], seeds=[0])  # 4 and 5 lie behind 2, 3 behind 1
    >>> oracle(graph, np.array([0, 0, 0, 1, 1, 1], bool), pages=5)
    [0, 2, 4, 5, 1]
    """
    ways = Ways(graph.only(relevant), graph.only(~relevant), relevant)
    crawls = [Crawl(ways, graph.seeds, pages, rule).run() for rule in RULES]
    return max(crawls, key=lambda crawl: area(relevant[crawl], pages))


def at_most(relevant: int, pages: int) -> float:
    """A harvest no crawl of so many pages can pass, with so many relevant ones within reach.

    >>> at_most(relevant=30, pages=100), at_most(relevant=300, pages=100)
    (0.3, 1.0)
    """
    return min(pages, relevant) / pages if pages else 0.0


@dataclass(slots=True, frozen=True)
class Ways:
    """A web as the oracle sees it: links to relevant pages, links to others."""

    wanted: Graph
    other: Graph
    relevant: Bools


class Crawl:
    """One greedy crawl. For every page that is not relevant it knows the cost: how many such pages lie on the shortest
    way to it, itself counted. Costs only fall and gains only fall, so what the heap says of a door is never too little
    and it is enough to look again at the one on top."""

    def __init__(self, ways: Ways, seeds: Iterable[int], pages: int, rule: Rule) -> None:
        self._ways, self._pages, self._rule = ways, pages, rule
        self._is_relevant: list[bool] = ways.relevant.tolist()
        count = len(self._is_relevant)
        self._fetched = bytearray(count)
        self._cost = [FAR] * count
        self._before = [-1] * count  # the page before it on that way
        self._gain = [FAR] * count  # of a door; FAR: not looked at since the way to it changed
        self._doors: list[tuple[float, int, int, int]] = []  # -worth, cost, page, gain: a heap
        self._ready: deque[int] = deque()  # relevant pages there is a link to
        self._rest: deque[int] = deque()  # other pages there is a link to
        self._order: list[int] = []
        self._discover(seeds)

    def run(self) -> list[int]:
        while len(self._order) < self._pages and (page := self._next()) is not None:
            self._fetched[page] = 1
            self._order.append(page)
            self._discover(self._ways.wanted.links(page))
            self._discover(self._ways.other.links(page))
        return self._order

    def _next(self) -> int | None:
        """A relevant page, else the first step to the best door, else anything."""
        while self._ready:
            if not self._fetched[page := self._ready.popleft()]:
                return page
        door = self._best_door()
        if door is not None:
            while self._cost[door] > 1:
                door = self._before[door]
            return door
        return next((page for page in self._drain(self._rest) if not self._fetched[page]), None)

    @staticmethod
    def _drain(pages: deque[int]) -> Iterable[int]:
        while pages:
            yield pages.popleft()

    def _discover(self, pages: Iterable[int]) -> None:
        """There is a link to these pages: relevant ones are ready, from the others on everything may be nearer."""
        nearer = []
        for page in pages:
            if self._fetched[page]:
                continue
            if self._is_relevant[page]:
                self._ready.append(page)
            elif self._cost[page] > 1:
                self._cost[page] = 1
                self._rest.append(page)
                nearer.append(page)
        cost = 1
        while nearer:
            nearer = self._pass_on(nearer, cost)
            cost += 1

    def _pass_on(self, pages: list[int], cost: int) -> list[int]:
        """To these pages the way became as short as `cost`; those behind them whose way became shorter, too."""
        nearer = []
        for page in pages:
            self._consider(page, FAR)
            for target in self._ways.other.links(page):
                if self._cost[target] > cost + 1 and not self._fetched[target]:
                    self._cost[target] = cost + 1
                    self._before[target] = page
                    nearer.append(target)
        return nearer

    def _consider(self, page: int, gain: int) -> None:
        offsets = self._ways.wanted.offsets
        if gain and offsets[page] < offsets[page + 1]:
            cost = self._cost[page]
            self._gain[page] = gain
            most = min(gain, self._pages - len(self._order) - cost)
            if most > 0:
                heapq.heappush(self._doors, (-self._rule(most, cost), cost, page, gain))

    def _best_door(self) -> int | None:
        while self._doors:
            worth, cost, page, gain = heapq.heappop(self._doors)
            if self._fetched[page] or (cost, gain) != (self._cost[page], self._gain[page]):
                continue  # another entry speaks for it, or none any more
            true_gain = self._gain_at(page, self._pages - len(self._order) - cost)
            self._consider(page, true_gain)
            if true_gain and -self._rule(true_gain, cost) <= worth:
                return page
        return None

    def _gain_at(self, door: int, most: int) -> int:
        """Relevant pages to be had, one after the other, from the links of the pages on the way to a door."""
        found: set[int] = set()
        stack: list[int] = []
        page, cost = door, self._cost[door]
        while cost:
            self._add(page, found, stack)
            page, cost = self._before[page], cost - 1
        while stack and len(found) < most:
            self._add(stack.pop(), found, stack)
        return max(0, min(len(found), most))

    def _add(self, page: int, found: set[int], stack: list[int]) -> None:
        for target in self._ways.wanted.links(page):
            if target not in found and not self._fetched[target]:
                found.add(target)
                stack.append(target)

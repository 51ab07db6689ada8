"""The oracle: the best crawl by someone who knows which pages are relevant, but may fetch only what it has a link to.

A relevant page it has a link to it fetches at once: that is never a mistake, since a crawl that fetches it later has
fewer relevant pages in between and no more afterwards. What is left to choose is which other pages to pay for. Each of
these leads over a shortest path of undiscovered pages to a door, a page with links to relevant ones; the oracle goes to
the door that brings most relevant pages a fetch, and looks again after each fetch.

Choosing best of all is NP-hard (set cover is a special case), so this is a lower bound of the optimum: the best of
three greedy rules and of some crawls with the first of them shaken. Where the optimum can be computed, on webs of up to
18 pages, they have always found it. `at_most` is the trivial upper bound.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from focused.evaluate.metrics import area
from focused.evaluate.webgraph import Bools, Clusters, Graph

Rule = Callable[[int, int, int], float]  # door, relevant pages gained, other pages paid for → the higher the sooner

FAR = 1 << 40
SHAKEN = 30  # crawls with a shaken rule,
EFFORT = 3_000_000  # as long as they do not have to look at more links than this
SHAKE = 0.6  # standard deviation of the logarithm of what worths are multiplied with


def per_fetch(_: int, gain: int, cost: int) -> float:
    """Most relevant pages a fetch."""
    return gain / (cost + gain)


def nearest(_: int, gain: int, cost: int) -> float:
    return -cost


def richest(_: int, gain: int, cost: int) -> float:
    """A rich part of the web is worth a longer way."""
    return gain / math.sqrt(cost + gain)


def shaken(seed: int, pages: int) -> Rule:
    factors: list[float] = np.random.default_rng(seed).lognormal(0.0, SHAKE, pages).tolist()
    return lambda door, gain, cost: factors[door] * gain / (cost + gain)


def oracle(graph: Graph, seeds: Iterable[int], relevant: Bools, pages: int) -> list[int]:
    """The pages it fetches, at most `pages`, in order.

    >>> graph = Graph.of([[1, 2], [3], [4, 5], [], [], []])  # 4 and 5 lie behind 2, 3 behind 1
    >>> oracle(graph, [0], np.array([0, 0, 0, 1, 1, 1], bool), pages=5)
    [0, 2, 4, 5, 1]
    """
    ways = Ways.over(graph, seeds, relevant)
    tries = min(SHAKEN, EFFORT // (len(graph.targets) + 1))
    rules: list[Rule] = [per_fetch, nearest, richest, *(shaken(seed, len(graph)) for seed in range(tries))]
    perfect = area(np.ones(min(pages, int(relevant.sum())), np.bool_), pages)
    best: list[int] = []
    highest = -1.0
    for rule in rules:
        order = Crawl(ways, pages, rule).run()
        reached = area(relevant[order], pages)
        if reached > highest:
            best, highest = order, reached
        if highest >= perfect:
            break
    return best


def at_most(relevant: int, pages: int) -> float:
    """A harvest no crawl of so many pages can pass, with so many relevant ones within reach.

    >>> at_most(relevant=30, pages=100), at_most(relevant=300, pages=100)
    (0.3, 1.0)
    """
    return min(pages, relevant) / pages if pages else 0.0


@dataclass(slots=True, frozen=True)
class Ways:
    """A web as the oracle sees it."""

    seeds: list[int]
    relevant: Bools
    wanted: Graph  # links to relevant pages
    other: Graph  # links to the rest
    clusters: Clusters

    @classmethod
    def over(cls, graph: Graph, seeds: Iterable[int], relevant: Bools) -> Ways:
        wanted = graph.only(relevant)
        return cls(list(seeds), relevant, wanted, graph.only(~relevant), Clusters.among(wanted, relevant))


class Crawl:
    """One greedy crawl. Of every page that is not relevant it knows the cost: how many such pages lie on the shortest
    way to it, itself counted. For one cost the gain only falls, so what the heap says of a door is never too little and
    it is enough to look again at the one on top."""

    def __init__(self, ways: Ways, pages: int, rule: Rule) -> None:
        self._ways, self._pages, self._rule = ways, pages, rule
        self._is_relevant: list[bool] = ways.relevant.tolist()
        count = len(self._is_relevant)
        self._fetched = bytearray(count)
        self._had = bytearray(len(ways.clusters.sizes))
        self._cost = [FAR] * count
        self._before = [-1] * count  # the page before it on that way
        self._gain = [0] * count  # of a door, as in its entry of the heap
        self._doors: list[tuple[float, int, int, int]] = []  # -worth, cost, page, gain: a heap
        self._ready: deque[int] = deque()  # relevant pages there is a link to
        self._rest: deque[int] = deque()  # other pages there is a link to
        self._order: list[int] = []
        self._missing = int(ways.relevant.sum())

    def run(self) -> list[int]:
        self._discover(self._ways.seeds)
        while len(self._order) < self._pages and (page := self._next()) is not None:
            self._fetched[page] = 1
            self._order.append(page)
            if self._is_relevant[page]:
                self._missing -= 1
                self._had[self._ways.clusters.of_page[page]] = 1
            self._discover(self._ways.wanted.links(page))
            self._discover(self._ways.other.links(page))
        return self._order

    def _next(self) -> int | None:
        """A relevant page, else the first step to the best door, else whatever is left."""
        page = next(self._unfetched(self._ready), None)
        if page is None:
            page = self._best_door()
            while page is not None and self._cost[page] > 1:
                page = self._before[page]
        return next(self._unfetched(self._rest), None) if page is None else page

    def _unfetched(self, pages: deque[int]) -> Iterator[int]:
        while pages:
            if not self._fetched[page := pages.popleft()]:
                yield page

    def _left_after(self, cost: int) -> int:
        return self._pages - len(self._order) - cost

    # --- what becomes known -------------------------------------------------------------------------------

    def _discover(self, pages: Iterable[int]) -> None:
        """There is a link to these pages: relevant ones are ready, from the others on everything may be nearer."""
        nearer = []
        for page in pages:
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
        """The way to these pages became as short as `cost`; returns those behind them whose way became shorter, too."""
        nearer = []
        for page in pages:
            self._consider(page, self._missing)
            for target in self._ways.other.links(page):
                if self._cost[target] > cost + 1:
                    self._cost[target] = cost + 1
                    self._before[target] = page
                    nearer.append(target)
        return nearer

    # --- which door ---------------------------------------------------------------------------------------

    def _consider(self, page: int, gain: int) -> None:
        """`gain`: the most that may be behind it."""
        offsets = self._ways.wanted.offsets
        cost = self._cost[page]
        most = min(gain, self._left_after(cost))
        self._gain[page] = gain
        if most > 0 and offsets[page] < offsets[page + 1]:
            heapq.heappush(self._doors, (-self._rule(page, most, cost), cost, page, gain))

    def _best_door(self) -> int | None:
        while self._doors:
            worth, cost, page, gain = heapq.heappop(self._doors)
            if self._fetched[page] or (cost, gain) != (self._cost[page], self._gain[page]):
                continue  # another entry speaks for it, or none any more
            true_gain = self._gain_at(page, self._left_after(cost))
            self._consider(page, true_gain)
            if true_gain > 0 and -self._rule(page, true_gain, cost) <= worth:
                return page
        return None

    def _gain_at(self, door: int, most: int) -> int:
        """Relevant pages to be had, one after the other, from the links of the pages on the way to a door."""
        clusters, wanted = self._ways.clusters, self._ways.wanted
        found: set[int] = set()
        stack: list[int] = []
        gain, page = 0, door
        for _ in range(self._cost[door]):
            linked: list[int] = clusters.of_page[wanted.links(page)].tolist()
            gain += self._enter(linked, found, stack)
            page = self._before[page]
        while stack and gain < most:
            gain += self._enter(clusters.beside.links(stack.pop()), found, stack)
        return min(gain, most)

    def _enter(self, linked: list[int], found: set[int], stack: list[int]) -> int:
        new = {cluster for cluster in linked if not self._had[cluster]} - found
        found |= new
        stack.extend(new)
        return sum(self._ways.clusters.sizes[cluster] for cluster in new)

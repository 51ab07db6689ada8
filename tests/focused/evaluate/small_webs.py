"""Small random webs, every way to crawl them, and the best crawl there is, by trying all."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from focused.evaluate.metrics import area
from focused.evaluate.webgraph import Bools, Graph


class SmallWeb(NamedTuple):
    links: list[list[int]]
    relevant: list[bool]
    seeds: list[int]
    pages: int

    @property
    def graph(self) -> Graph:
        return Graph.of(self.links)

    @property
    def flags(self) -> Bools:
        return np.array(self.relevant, bool)

    def area(self, order: list[int]) -> float:
        return area([self.relevant[page] for page in order], self.pages)


def scattered(dice: random.Random, size: int) -> SmallWeb:
    """Links to anywhere."""
    relevant = [dice.random() < dice.choice((0.1, 0.2, 0.4)) for _ in range(size)]
    degree = dice.choice((2, 3, 4))
    links = [sorted({dice.randrange(size) for _ in range(dice.randint(0, degree))} - {page}) for page in range(size)]
    return SmallWeb(links, relevant, dice.sample(range(size), 2), dice.choice((size // 2, size)))


def tunnelled(dice: random.Random, size: int) -> SmallWeb:
    """Nearly a tree, few relevant pages, with others between them."""
    share = dice.choice((0.15, 0.25))
    relevant = [dice.random() < share for _ in range(size)]
    links: list[set[int]] = [set() for _ in range(size)]
    for page in range(1, size):
        links[dice.randrange(max(0, page - 6), page)].add(page)
    for _ in range(size // 4):
        links[dice.randrange(size)].add(dice.randrange(size))
    pages = dice.choice((size // 2, 2 * size // 3, size))
    return SmallWeb([sorted(found - {page}) for page, found in enumerate(links)], relevant, [0, 1], pages)


def optimum(web: SmallWeb) -> float:
    """The highest area of any crawl, by trying every order of the pages that are not relevant.

    Relevant pages are fetched as soon as there is a link: the state is the set of other pages fetched so far.
    """
    worth = [sum(1 / n for n in range(at, web.pages + 1)) / web.pages for at in range(1, web.pages + 1)]

    def known(paid: frozenset[int]) -> tuple[set[int], set[int]]:
        """Pages fetched, pages there is a link to."""
        fetched: set[int] = set()
        linked = set(web.seeds)
        while new := {p for p in linked if (web.relevant[p] or p in paid) and p not in fetched}:
            fetched |= new
            linked |= {target for page in new for target in web.links[page]}
        return fetched, linked

    @cache
    def best_from(paid: frozenset[int]) -> float:
        fetched, linked = known(paid)
        best = 0.0
        for page in linked - fetched if len(fetched) < web.pages else ():
            after = len(known(paid | {page})[0])
            gain = sum(worth[len(fetched) + 1 : after])  # the page itself brings nothing
            best = max(best, gain + best_from(paid | {page}))
        return best

    return sum(worth[: len(known(frozenset())[0])]) + best_from(frozenset())


def crawl(web: SmallWeb, score: Callable[[int, int], float]) -> list[int]:
    """A best-first crawl: a link waits with score(page it is on, page it leads to), the seeds first."""
    waiting = [(-float("inf"), number, page) for number, page in enumerate(web.seeds)]
    seen, order = set(web.seeds), list[int]()
    while waiting and len(order) < web.pages:
        _, _, page = heapq.heappop(waiting)
        order.append(page)
        for target in web.links[page]:
            if target not in seen:
                seen.add(target)
                heapq.heappush(waiting, (-score(page, target), len(seen), target))
    return order


def rough(web: SmallWeb, dice: random.Random) -> dict[str, list[int]]:
    """Rules that no ordering has: depth-first, noisy judges that look ahead, and one that cheats."""
    noise = {page: dice.random() for page in range(len(web.links))}
    judged = [(0.7 if web.relevant[page] else 0.3) + 0.4 * noise[page] for page in range(len(web.links))]
    turns = iter(range(10**6))
    scores: dict[str, Callable[[int, int], float]] = {
        "depth_first": lambda page, target: float(next(turns)),
        "anchor": lambda page, target: judged[target],
        "both": lambda page, target: judged[page] + judged[target],
        "cheat": lambda page, target: web.relevant[target] + 0.5 * noise[target] * dice.random(),
    }
    return {name: crawl(web, score) for name, score in scores.items()}

"""A frontier said simply, by brute force, and the steps that a real one and this one take together."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, isnan
from typing import Any

import numpy as np
from hypothesis import strategies as st

from focused.frontier import Frontier

SITES = 4


@dataclass
class Model:
    """What a frontier is, said simply; the site of a page is its id modulo SITES."""

    per_site: int
    score: dict[int, float] = field(default_factory=dict)
    delayed: dict[int, tuple[float, float]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    in_flight: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(SITES), 0))
    ready_at: dict[int, float] = field(default_factory=lambda: dict.fromkeys(range(SITES), -inf))

    def is_free(self, site: int) -> bool:
        return site not in self.closed and self.in_flight[site] < self.per_site

    def wake(self, now: float) -> None:
        for page in [page for page, (not_before, _) in self.delayed.items() if not_before <= now]:
            self.score[page] = self.delayed.pop(page)[1]

    def ready(self, now: float) -> list[int]:
        self.wake(now)
        pages = [page for page in self.score if self.is_free(page % SITES) and self.ready_at[page % SITES] <= now]
        return sorted(pages, key=lambda page: (-self.score[page], page))

    def start(self, page: int) -> None:
        del self.score[page]
        self.in_flight[page % SITES] += 1

    def next_ready(self, now: float) -> float | None:
        self.wake(now)
        own = {page: -inf for page in self.score if self.ready_at[page % SITES] > now}
        times = own | {page: not_before for page, (not_before, _) in self.delayed.items()}
        free = [max(at, self.ready_at[page % SITES]) for page, at in times.items() if self.is_free(page % SITES)]
        return min(free, default=None)


PAGES = st.integers(1, 40)
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.5, inf, -inf, 5e-324, -5e-324]), st.floats(allow_nan=False), st.floats(0, 1)
)
SITE = st.integers(0, SITES - 1)
TIMES = st.integers(0, 6).map(float)
LINKS = st.dictionaries(PAGES, SCORES, min_size=1, max_size=25)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("push"), LINKS),
        st.tuples(st.just("load"), LINKS),
        st.tuples(st.just("rescore"), LINKS),
        st.tuples(st.just("pick")),
        st.tuples(st.just("fetch"), st.integers(1, 8)),
        st.tuples(st.just("best"), st.integers(0, 30)),
        st.tuples(st.just("take"), PAGES),
        st.tuples(st.just("release"), SITE, TIMES),
        st.tuples(st.just("release"), SITE, TIMES),
        st.tuples(st.just("rest"), SITE, TIMES),
        st.tuples(st.just("close"), SITE),
        st.tuples(st.just("open"), SITE),
        st.tuples(st.just("delay"), PAGES, SCORES, TIMES),
        st.tuples(st.just("drop"), st.lists(PAGES, max_size=5)),
        st.tuples(st.just("pass"), TIMES),
    ),
    max_size=60,
)


class Both:
    """The frontier and the model, one step at a time."""

    def __init__(self, per_site: int) -> None:
        self.frontier = Frontier(per_site)
        self.model = Model(per_site)
        self.now = 0.0

    def push(self, links: dict[int, float]) -> None:
        self.frontier.push([*links], [page % SITES for page in links], [*links.values()])
        self.model.score |= links
        self.model.delayed = {page: when for page, when in self.model.delayed.items() if page not in links}

    def load(self, links: dict[int, float]) -> None:
        known = self.model.score.keys() | self.model.delayed.keys()
        new = {page: score for page, score in links.items() if page not in known}
        self.frontier.load([*new], [page % SITES for page in new], [*new.values()])
        self.model.score |= new

    def rescore(self, links: dict[int, float]) -> None:
        rescored = self.frontier.rescore([*links], [*links.values()])
        changes = {page: score for page, score in links.items() if self.model.score.get(page, inf) != inf}
        assert rescored.tolist() == [page in changes for page in links]
        self.model.score |= changes

    def pick(self) -> None:
        expected = next(iter(self.model.ready(self.now)), None)
        assert self.frontier.pick(self.now) == expected
        if expected is not None:
            self.model.start(expected)

    def fetch(self, times: int) -> None:
        for _ in range(times):
            ready = self.model.ready(self.now)
            self.pick()
            if ready:
                self.release(ready[0] % SITES, 0.0)

    def best(self, n: int) -> None:
        assert self.frontier.best(self.now, n) == self.model.ready(self.now)[:n]

    def take(self, page: int) -> None:
        expected = page in self.model.ready(self.now)
        assert self.frontier.take(page, self.now) == expected
        if expected:
            self.model.start(page)

    def release(self, site: int, rest: float) -> None:
        self.frontier.release(site, self.now + rest)
        self.model.in_flight[site] = max(0, self.model.in_flight[site] - 1)
        self.model.ready_at[site] = max(self.model.ready_at[site], self.now + rest)

    def rest(self, site: int, rest: float) -> None:
        self.frontier.rest(site, self.now + rest)
        self.model.ready_at[site] = max(self.model.ready_at[site], self.now + rest)

    def close(self, site: int) -> None:
        self.frontier.close_site(site)
        self.model.closed.add(site)

    def open(self, site: int) -> None:
        self.frontier.open_site(site)
        self.model.closed.discard(site)

    def delay(self, page: int, score: float, seconds: float) -> None:
        self.frontier.delay(page, page % SITES, score, self.now + seconds)
        self.model.score.pop(page, None)
        self.model.delayed[page] = (self.now + seconds, score)

    def drop(self, pages: list[int]) -> None:
        self.frontier.drop(pages)
        for page in pages:
            self.model.score.pop(page, None)
            self.model.delayed.pop(page, None)

    def next_ready(self) -> None:
        assert self.frontier.next_ready(self.now) == self.model.next_ready(self.now)

    def check_counts(self) -> None:
        frontier, model = self.frontier, self.model
        on = [sum(page % SITES == site for page in model.score) for site in range(SITES)]
        assert [frontier.waiting_on(site) for site in range(SITES)] == on
        assert len(frontier) == sum(n for site, n in enumerate(on) if site not in model.closed)
        assert frontier.sites_waiting == sum(n > 0 for site, n in enumerate(on) if site not in model.closed)
        assert frontier.delayed == len(model.delayed)
        assert [frontier.in_flight(site) for site in range(SITES)] == [*model.in_flight.values()]
        scores = frontier.score_of(np.arange(1, 45)).tolist()
        assert {page + 1: score for page, score in enumerate(scores) if not isnan(score)} == model.score

    def step(self, name: str, *arguments: Any) -> None:
        if name == "pass":
            self.now += arguments[0]
        else:
            getattr(self, name)(*arguments)
        self.check_counts()

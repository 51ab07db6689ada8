"""All orderings on several frozen webs beside the oracle: the table of docs/compare.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from focused.evaluate.archive import Archive, stamp_of
from focused.evaluate.browsing import browsed
from focused.evaluate.claims.checks import Difference
from focused.evaluate.compare import FEW, TIE
from focused.evaluate.contest import Ground
from focused.evaluate.curves import mean_curve
from focused.evaluate.fingerprint import fingerprint
from focused.evaluate.metrics import Floats, area_of_oracle
from focused.evaluate.oracle import oracle
from focused.evaluate.runs import Entry, Job, Plan, Run, Task
from focused.evaluate.scores import Stat
from focused.evaluate.taught import Teacher
from focused.evaluate.truth import Truth

BROWSING = "browsing"  # folder of what simulated readers saw

Told = Callable[[Task, Run], None]
Explored = Callable[[int, int], None]  # seed set, pages so far


class Field(NamedTuple):
    """A topic on a web that orderings are compared on."""

    web: str
    topic: str
    settings: tuple[str, ...] = ()


class Prospect(NamedTuple):
    """What there is to be found from one seed set, and what the oracle finds of it, page by page."""

    reachable: int
    relevant: int
    best: list[bool]


@dataclass(slots=True)
class Standing:
    """How the orderings do on a field; `areas` are shares of the oracle's, by seed, None where a crawl failed."""

    at: Field
    pages: int
    prospects: list[Prospect]
    areas: dict[str, list[float | None]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    found: dict[str, list[list[bool]]] = field(default_factory=dict)  # page by page, of the crawls that did not fail

    def stat(self, name: str) -> Stat:
        return Stat.of(self.areas[name])

    @property
    def best(self) -> list[str]:
        """The ordering with the highest mean, and those that cannot be told from it."""
        means = {name: stat.mean for name in self.areas if (stat := self.stat(name)).mean is not None}
        first = max(means, key=lambda name: means[name] or 0.0, default=None)
        return [name for name in means if first is not None and not self._is_behind(name, first)]

    def _is_behind(self, name: str, first: str) -> bool:
        between = self.between(first, name)
        return between is not None and between.is_more

    def between(self, one: str, other: str) -> Difference | None:
        """One ordering less another, by seed set; None: there is none that both came through."""
        pairs = [(a, b) for a, b in zip(self.areas[one], self.areas[other], strict=True) if a is not None is not b]
        return Difference.of(*map(list, zip(*pairs, strict=True))) if pairs else None

    def not_discriminating(self) -> str:
        """Why the scores do not tell the orderings apart; empty if they do."""
        means = [mean for name in self.areas if (mean := self.stat(name).mean) is not None]
        if max(prospect.relevant for prospect in self.prospects) <= FEW:
            return "hardly anything relevant is within reach"
        return "all orderings tie" if len(means) > 1 and max(means) - min(means) < TIE else ""

    def mean_of(self, what: Callable[[Prospect], int]) -> float:
        return fmean(map(what, self.prospects))


@dataclass(slots=True, frozen=True)
class Contest:
    """Explores and runs what is not in the archive yet."""

    archive: Archive
    at_once: int
    explored: Explored
    told: Told
    teacher: Teacher | None = None  # who makes the models that steer; None: the topics' own do

    def standing(
        self, at: Field, plan: Plan, entries: Sequence[Entry], ground: Ground, pages: int | None = None
    ) -> Standing:
        """After that many pages of the crawls; None: after all."""
        pages = pages or plan.pages
        prospects, truth = self._prospects(plan, ground, pages), truth_of(ground)
        plan = self.teacher.taught(plan, ground) if self.teacher else plan
        jobs = [Job(entry, seed) for seed in range(len(ground.seeds)) for entry in entries]
        tasks = {job: (browsed(plan, job, ground, self.archive.shelf.folder / BROWSING), job) for job in jobs}
        runs = self.archive.run(list(tasks.values()), self.at_once, self.told)
        found = Standing(at, pages, prospects)
        for entry in entries:
            own = [runs[tasks[Job(entry, seed)]] for seed in range(len(ground.seeds))]
            found.found[entry.name] = [truth.of(run.urls[:pages]) for run in own if not run.error]
            found.areas[entry.name] = [
                None if run.error else area_of_oracle(truth.of(run.urls[:pages]), prospect.best)
                for run, prospect in zip(own, prospects, strict=True)
            ]
            found.errors.update((entry.name, run.error) for run in own if run.error)
        return found

    def _prospects(self, plan: Plan, ground: Ground, pages: int) -> list[Prospect]:
        key = {
            "field": [stamp_of(plan.web), plan.topic, pages, ground.limit, list(map(list, ground.seeds))],
            "code": fingerprint("focused.evaluate.reach", "focused.evaluate.oracle", "focused.evaluate.truth"),
        }
        kept: list[list[Any]] | None = self.archive.shelf.get(key)
        if kept is None:
            kept = [list(self._prospect(pages, ground, number)) for number in range(len(ground.seeds))]
            self.archive.shelf.put(key, kept)
        return [Prospect(*prospect) for prospect in kept]

    def _prospect(self, pages: int, ground: Ground, number: int) -> Prospect:
        reach = ground.atlas.reach(ground.seeds[number], ground.limit, partial(self.explored, number))
        relevant = np.array(truth_of(ground).of(reach.urls), bool)
        order = oracle(reach.graph, reach.seeds, relevant, pages)
        return Prospect(len(reach.urls), int(relevant.sum()), relevant[order].tolist())


def mean_harvest(standings: Sequence[Standing], name: str) -> Floats:
    """The harvest of an ordering after 1, 2, 3 … pages, as a mean over the topics (B-27)."""
    return mean_curve((standing.found[name] for standing in standings), standings[0].pages)


def truth_of(ground: Ground) -> Truth:
    """What the web itself knows; all webs of the table do."""
    return Truth(ground.web, str(ground.topic.sim["topic"]))

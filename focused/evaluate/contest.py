"""A comparison from beginning to end: explore the frozen web, settle what is relevant, run the crawls, score them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from focused.evaluate.compare import Comparison
from focused.evaluate.likeness import likeness
from focused.evaluate.reach import Atlas, Reach
from focused.evaluate.runs import Entry, Job, Plan, Run, run_all
from focused.evaluate.scores import Case
from focused.evaluate.truth import Fair, Judge, Labels, Truth, Verdicts, names_of
from focused.topic import Topic
from focused.webs import Web, faults_of
from models.text import Vocabulary

OF_WEB, OF_LABELS, OF_MODEL = "judged by the web itself", "judged by labels", "judged by the model that steered"
OF_OTHER = "judged by a model that did not steer ({})"
WARNING = (
    "Judged by the model that steered: nobody else says what the pages of this web are about, so the scores show what "
    "the orderings make of that model's mistakes. Give --truth labels.csv or --truth judge:KIND."
)


class Watcher(Protocol):
    """Who is shown how far it is."""

    def explored(self, seed: int, pages: int) -> None: ...
    def crawled(self, job: Job, run: Run) -> None: ...


@dataclass(slots=True, frozen=True)
class Ground:
    """What the crawls run on, and what is known of it."""

    topic: Topic
    web: Web
    seeds: Sequence[Sequence[str]]  # one set a crawl of an ordering
    atlas: Atlas
    vocabulary: Vocabulary
    labels: Labels | None = None
    limit: int = 100_000  # pages explored from one seed set
    examples: frozenset[str] = frozenset()  # what the model that steers has learned from
    other: str = ""  # kind of the model that judges in its place, and whose verdicts the atlas has


def compete(plan: Plan, entries: Sequence[Entry], ground: Ground, watcher: Watcher, at_once: int) -> Comparison:
    reaches = _explore(ground, watcher)
    jobs = [Job(entry, seed) for seed in range(len(ground.seeds)) for entry in entries]
    runs = run_all(plan, jobs, at_once, watcher.crawled)
    if not all(reach.is_whole for reach in reaches):  # what a crawl has found, the oracle must be able to find
        reaches = _explore(ground, watcher, {url for run in runs.values() for url in run.urls})
    judge, told = _judge(ground, reaches)
    comparison = Comparison(ground.topic.name, plan.web, plan.pages, _cases(ground, reaches, judge, plan.pages), told)
    comparison.notes += _notes(ground, reaches, told)
    for entry in entries:
        own = [runs[Job(entry, seed)] for seed in range(len(ground.seeds))]
        comparison.add(entry.name, own, [judge.of(run.urls) for run in own])
    comparison.add_oracle()
    return comparison


def _explore(ground: Ground, watcher: Watcher, also: Collection[str] = ()) -> list[Reach]:
    """Once for all orderings; what one seed set has shown is not asked again for the next."""
    reaches: dict[tuple[str, ...], Reach] = {}
    for number, seeds in enumerate(map(tuple, ground.seeds)):
        if seeds not in reaches:
            reaches[seeds] = ground.atlas.reach(seeds, ground.limit, partial(watcher.explored, number), also)
    return [reaches[tuple(seeds)] for seeds in ground.seeds]


def _judge(ground: Ground, reaches: Sequence[Reach]) -> tuple[Judge, str]:
    """Who judges, without what a model has learned from."""
    judge, told = _chosen(ground, reaches)
    return Fair(judge, ground.examples), told


def _chosen(ground: Ground, reaches: Sequence[Reach]) -> tuple[Judge, str]:
    """Labels and the model that was named, else the web if it knows the topic by one of its names, else the model."""
    verdicts, other = Verdicts(ground.atlas.verdicts), OF_OTHER.format(ground.other)
    if labels := _labels(ground):
        return labels, f"{OF_LABELS}, pages without one {other}" if ground.other else OF_LABELS
    if ground.other:
        return verdicts, other
    for name in names_of(ground.topic):
        truth = Truth(ground.web, name)
        if any(any(truth.of(reach.urls)) for reach in reaches):
            return truth, OF_WEB
    return verdicts, OF_MODEL


def _labels(ground: Ground) -> Labels | None:
    """Where a model was named, too, it judges what has no label."""
    if ground.labels is None or not ground.other:
        return ground.labels
    return replace(ground.labels, others=Verdicts(ground.atlas.verdicts))


def _cases(ground: Ground, reaches: Sequence[Reach], judge: Judge, pages: int) -> list[Case]:
    """Seed sets that are the same are the same case, and the oracle is asked once."""
    relevant = {url for reach in reaches for url, yes in zip(reach.urls, judge.of(reach.urls), strict=True) if yes}
    like = likeness(ground.atlas.terms, list(relevant), ground.vocabulary)
    cases: dict[int, Case] = {}
    for reach in reaches:
        if id(reach) not in cases:
            cases[id(reach)] = Case.of(reach, [url in relevant for url in reach.urls], like, pages)
    return [cases[id(reach)] for reach in reaches]


def _notes(ground: Ground, reaches: Sequence[Reach], told: str) -> list[str]:
    notes = [WARNING] if told == OF_MODEL else []
    if faults := faults_of(ground.web):
        notes.append(f"The web has faults ({faults}); the rest of it was served.")
    if labels := _labels(ground):
        notes += labels.notes(url for reach in reaches for url in reach.urls)
    if learned := ground.examples.intersection(url for reach in reaches for url in reach.urls):
        notes.append(f"Pages that the model that steers has learned from, which do not count: {len(learned):,}.")
    if not all(reach.is_whole for reach in reaches):
        notes.append(
            f"Only the {ground.limit:,} pages nearest to the seeds were explored, and those the crawls fetched."
        )
    if len(reaches) > 1 and len(set(map(id, reaches))) == 1:
        notes.append("All seeds start from the same pages: they differ only in what is random in an ordering.")
    return notes

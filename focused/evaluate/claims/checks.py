"""What can be said of two ways to crawl, with one rule for when it is true.

Crawls are paired: the same topic on the same web from the same seeds. A is more than B if the mean of the differences
is above zero by more than two standard errors; A and B are alike if it is not, either way, or if it is less than a
twentieth of the larger mean. `Each` asks topic by topic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import NamedTuple

from focused.evaluate.claims.claim import Check, Finding, Measure, Results, Study
from focused.evaluate.runs import Entry, entries_of

ERRORS = 2.0  # standard errors a difference must have
LITTLE = 0.05  # share of the larger mean below which a difference is none


class Difference(NamedTuple):
    """Of pairs: the two means, the mean difference and its standard error."""

    first: float
    second: float
    mean: float
    error: float
    pairs: int

    @classmethod
    def of(cls, first: list[float], second: list[float]) -> Difference:
        """
        >>> Difference.of([0.5, 0.7, 0.6], [0.4, 0.5, 0.5]).is_more
        True
        >>> Difference.of([0.5, 0.7, 0.6], [0.4, 0.9, 0.4]).is_more
        False
        """
        each = [a - b for a, b in zip(first, second, strict=True)]
        error = stdev(each) / math.sqrt(len(each)) if len(each) > 1 else 0.0
        return cls(fmean(first), fmean(second), fmean(each), error, len(each))

    @property
    def is_more(self) -> bool:
        return self.mean > 1e-12 and self.mean > ERRORS * self.error

    @property
    def is_none(self) -> bool:
        little = LITTLE * max(abs(self.first), abs(self.second))
        return abs(self.mean) <= max(little, ERRORS * self.error)

    def __str__(self) -> str:
        return f"difference {self.mean:+.3f} ± {self.error:.3f}, {self.pairs} pairs"


def short(study: Study) -> str:
    """An ordering by what sets it apart.

    >>> short(Study(None, "best_first:on=page;n=2"))
    'best_first on=page, n=2'
    """
    entry: Entry = entries_of(study.ordering)[0]
    named = f"{entry.ordering} {entry.arguments.replace(',', ', ')}".strip()
    return f"{named} with fewer {study.setup.fewer}" if study.setup and study.setup.fewer else named


@dataclass(slots=True, frozen=True)
class Against:
    """How two ways to crawl differ in one measure; made by `more`, `more_by`, `not_more` and `alike`."""

    first: Study
    second: Study
    measure: Measure
    is_so: Callable[[Difference], bool]

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.first, self.second)

    def look(self, results: Results) -> Finding:
        """Over the trials that both have; two setups may share only some."""
        first, second = results[self.first], results[self.second]
        shared = [trial for trial in first if trial in second]
        of = self.measure.of
        difference = Difference.of([of(first[trial]) for trial in shared], [of(second[trial]) for trial in shared])
        means = f"{short(self.first)} {difference.first:.3f}, {short(self.second)} {difference.second:.3f}"
        return Finding(self.is_so(difference), f"{self.measure.name}: {means} ({difference})")


def more(first: Study, second: Study, measure: Measure) -> Against:
    return Against(first, second, measure, lambda difference: difference.is_more)


def more_by(least: float, first: Study, second: Study, measure: Measure) -> Against:
    return Against(first, second, measure, lambda difference: difference.is_more and difference.mean >= least)


def not_more(first: Study, second: Study, measure: Measure) -> Against:
    return Against(first, second, measure, lambda difference: not difference.is_more)


def alike(first: Study, second: Study, measure: Measure) -> Against:
    return Against(first, second, measure, lambda difference: difference.is_none)


@dataclass(slots=True, frozen=True)
class Within:
    """Its mean is between two bounds."""

    study: Study
    measure: Measure
    least: float = -math.inf
    most: float = math.inf

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.study,)

    def look(self, results: Results) -> Finding:
        values = [self.measure.of(outcome) for outcome in results[self.study].values()]
        spread = stdev(values) if len(values) > 1 else 0.0
        bounds = [f"≥ {self.least:g}"] * math.isfinite(self.least) + [f"≤ {self.most:g}"] * math.isfinite(self.most)
        numbers = f"{self.measure.name}: {short(self.study)} {fmean(values):.3f} ± {spread:.3f}"
        return Finding(self.least <= fmean(values) <= self.most, f"{numbers} (asked: {', '.join(bounds)})")


@dataclass(slots=True, frozen=True)
class Each:
    """The same topic by topic; true if it is on at least so many of them (all, unless said)."""

    check: Check
    least: int | None = None

    @property
    def studies(self) -> tuple[Study, ...]:
        return self.check.studies

    def look(self, results: Results) -> Finding:
        topics = self.studies[0].setup.topics
        findings = {topic: self.check.look(_only(results, self.studies, topic)) for topic in topics}
        true = sum(finding.holds for finding in findings.values())
        numbers = "; ".join(
            f"{topic}{'' if found.holds else ' (no)'}: {found.numbers}" for topic, found in findings.items()
        )
        return Finding(true >= (self.least or len(topics)), f"on {true} of {len(topics)} topics; {numbers}")


def _only(results: Results, studies: tuple[Study, ...], topic: str) -> Results:
    return {
        study: {trial: outcome for trial, outcome in results[study].items() if trial[0] == topic} for study in studies
    }

"""Comparisons of another kind: two measures of one crawl, the best of three, a gain here and a gain there."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from focused.evaluate.claims.checks import Difference, short
from focused.evaluate.claims.claim import Check, Finding, Measure, Results, Study


@dataclass(slots=True, frozen=True)
class AboveHomepage:
    """On every topic one measure of a crawl is above another of the same crawl."""

    study: Study
    measure: Measure
    other: Measure

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.study,)

    def look(self, results: Results) -> Finding:
        differences = {topic: self._difference(results, topic) for topic in self.study.setup.topics}
        shown = [f"{topic} {found.first:.3f} against {found.second:.3f}" for topic, found in differences.items()]
        numbers = f"{self.measure.name} against {self.other.name}: {'; '.join(shown)}"
        return Finding(all(found.is_more for found in differences.values()), numbers)

    def _difference(self, results: Results, topic: str) -> Difference:
        outcomes = [outcome for trial, outcome in results[self.study].items() if trial[0] == topic]
        return Difference.of(list(map(self.measure.of, outcomes)), list(map(self.other.of, outcomes)))


@dataclass(slots=True, frozen=True)
class AmongBest:
    """On every topic not the last of three, by the mean."""

    study: Study
    others: tuple[Study, Study]
    measure: Measure

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.study, *self.others)

    def look(self, results: Results) -> Finding:
        means = {
            topic: [self._mean(results, study, topic) for study in self.studies] for topic in self.study.setup.topics
        }
        shown = [f"{topic} {', '.join(f'{value:.3f}' for value in values)}" for topic, values in means.items()]
        numbers = f"{self.measure.name} of {', '.join(map(short, self.studies))}: {'; '.join(shown)}"
        return Finding(all(values[0] > min(values[1:]) for values in means.values()), numbers)

    def _mean(self, results: Results, study: Study, topic: str) -> float:
        return fmean(self.measure.of(outcome) for trial, outcome in results[study].items() if trial[0] == topic)


@dataclass(slots=True, frozen=True)
class AtSameCost:
    """The same, of each crawl only as many pages as the shortest of its trial had."""

    check: Check

    @property
    def studies(self) -> tuple[Study, ...]:
        return self.check.studies

    def look(self, results: Results) -> Finding:
        trials = results[self.studies[0]]
        pages = {trial: min(len(results[study][trial].found) for study in self.studies) for trial in trials}
        cut = {study: {trial: results[study][trial].first(pages[trial]) for trial in trials} for study in self.studies}
        finding = self.check.look(cut)
        return finding._replace(numbers=f"in {fmean(pages.values()):,.0f} pages, {finding.numbers}")


@dataclass(slots=True, frozen=True)
class GainGrows:
    """The first is ahead of the second by more in one measure than in another."""

    first: Study
    second: Study
    measure: Measure
    other: Measure

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.first, self.second)

    def look(self, results: Results) -> Finding:
        gains, others = (self._gains(results, measure) for measure in (self.measure, self.other))
        found = Difference.of(gains, others)
        numbers = f"gain in {self.measure.name} {found.first:.3f}, in {self.other.name} {found.second:.3f} ({found})"
        return Finding(found.is_more, numbers)

    def _gains(self, results: Results, measure: Measure) -> list[float]:
        first, second = results[self.first], results[self.second]
        return [measure.of(first[trial]) - measure.of(second[trial]) for trial in first]

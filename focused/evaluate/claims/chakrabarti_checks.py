"""Two crawls of one topic beside each other: what one misses, and what those from disjoint seeds share (F-26, F-27)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from focused.evaluate.claims.checks import Difference, short
from focused.evaluate.claims.claim import Finding, Results, Study
from focused.evaluate.claims.outcome import Outcome
from focused.evaluate.robustness import overlap, top_overlap
from focused.evaluate.websites import top_sites

SOON = 0.1  # of the crawl
BEST = 25  # sites (§5.4)


@dataclass(slots=True, frozen=True)
class FindsMissed:
    """In as many pages the first crawl has relevant ones that the second has not."""

    first: Study
    second: Study

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.first, self.second)

    def look(self, results: Results) -> Finding:
        pairs = [(results[self.first][trial], results[self.second][trial]) for trial in results[self.first]]
        missed = [float(len(_relevant(first) - set(second.run.urls))) for first, second in pairs]
        found = Difference.of(missed, [0.0] * len(missed))
        had, without = (fmean(len(_relevant(pair[side])) for pair in pairs) for side in (0, 1))
        numbers = f"{short(self.first)} has {had:.0f} relevant pages, {short(self.second)} {without:.0f}"
        return Finding(found.is_more, f"{numbers}; {found.mean:.0f} ± {found.error:.0f} that only the first has")


def _relevant(outcome: Outcome) -> set[str]:
    return {url for url, found in zip(outcome.run.urls, outcome.found, strict=True) if found}


def pairs_of(results: Results, study: Study, topic: str = "") -> list[tuple[Outcome, Outcome]]:
    """Crawls from disjoint seeds, of one topic or of all that there are: trials 2n and 2n + 1 share a web."""
    outcomes = results[study]
    first = [(of, number) for of, number in outcomes if number % 2 == 0 and topic in ("", of)]
    return [(outcomes[of, number], outcomes[of, number + 1]) for of, number in first]


def _pages(first: Outcome, second: Outcome, share: float = 1.0) -> float:
    length = min(len(first.run.urls), len(second.run.urls))
    return overlap(first.run.urls, second.run.urls, round(share * length))


def _sites(first: Outcome, second: Outcome, share: float = 1.0) -> float:
    length = min(len(first.sites), len(second.sites))
    return overlap(first.sites, second.sites, round(share * length))


def _best_sites(outcome: Outcome) -> list[str]:
    return top_sites(dict(zip(outcome.run.urls, outcome.found, strict=True)), BEST)


@dataclass(slots=True, frozen=True)
class Overlap:
    """At the end two crawls share more of their pages and sites than soon after the start, and many pages."""

    study: Study
    least: float = 0.0  # of the pages, at the end

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.study,)

    def look(self, results: Results) -> Finding:
        pairs = pairs_of(results, self.study)
        grown = {
            name: Difference.of([of(*pair) for pair in pairs], [of(*pair, SOON) for pair in pairs])
            for name, of in (("pages", _pages), ("sites", _sites))
        }
        numbers = [
            f"{name} shared at the end {found.first:.3f}, after a tenth {found.second:.3f} ({found})"
            for name, found in grown.items()
        ]
        grows = all(found.is_more for found in grown.values())
        return Finding(grows and grown["pages"].first >= self.least, f"{'; '.join(numbers)} (asked: ≥ {self.least:g})")


@dataclass(slots=True, frozen=True)
class HigherOverlap:
    """At the end crawls on one topic share more of their pages than those on another."""

    study: Study
    topic: str
    other: str

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.study,)

    def look(self, results: Results) -> Finding:
        first, second = (
            [_pages(*pair) for pair in pairs_of(results, self.study, topic)] for topic in (self.topic, self.other)
        )
        found = Difference.of(first, second)
        numbers = f"pages shared: {self.topic} {found.first:.3f}, {self.other} {found.second:.3f} ({found})"
        return Finding(found.is_more, numbers)


@dataclass(slots=True, frozen=True)
class SiteOverlap:
    """Two crawls share more of their best sites than of their pages."""

    study: Study

    @property
    def studies(self) -> tuple[Study, ...]:
        return (self.study,)

    def look(self, results: Results) -> Finding:
        pairs = pairs_of(results, self.study)
        best = [top_overlap(_best_sites(first), _best_sites(second), BEST) for first, second in pairs]
        found = Difference.of(best, [_pages(*pair) for pair in pairs])
        numbers = f"of the {BEST} best sites shared {found.first:.3f}, of the pages {found.second:.3f} ({found})"
        return Finding(found.is_more, numbers)

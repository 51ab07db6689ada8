"""A crawl on a simulated web beside what its pages really are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from focused.evaluate.runs import Run
from focused.urls import site_of


@dataclass(slots=True, frozen=True)
class Outcome:
    run: Run
    found: list[bool]  # which of its pages are on the topic
    likeness: list[float] = field(default_factory=list)  # of each page to the most similar of 50 on the topic
    websites: list[str] = field(default_factory=list)  # sites it met of which at least half the pages are on the topic
    existing: dict[str, int] = field(default_factory=dict)  # of a catalogue: pages that present a thing, by shop
    base_rate: float = 0.0  # share of all pages of the web that are on the topic

    def part(self, begin: float, end: float) -> list[bool]:
        """What was found between two shares of the crawl: part(0.5, 1) is its second half."""
        pages = len(self.found)
        return self.found[round(begin * pages) : round(end * pages)]

    def first(self, pages: int) -> Outcome:
        """The crawl as it was after so many pages."""
        run = self.run
        cut = {name: getattr(run, name)[:pages] for name in ("urls", "judged", "relevance", "depths")}
        return replace(self, run=replace(run, **cut), found=self.found[:pages], likeness=self.likeness[:pages])

    @property
    def sites(self) -> list[str]:
        """Of each page."""
        return [site_of(url) for url in self.run.urls]


def mean(values: Sequence[float] | Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0

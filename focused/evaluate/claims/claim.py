"""A claim of a paper as something that can be checked: which crawls it needs, and what must be true of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from focused.evaluate.claims.outcome import Outcome

SEEDS = 5  # simulated webs a claim is tried on, at least


@dataclass(slots=True, frozen=True)
class Setup:
    """What the crawls of a claim share. Seed n is the web of seed n + 1, begun with FOCUSED_SEED n."""

    web: str  # such as sim:medium
    topics: tuple[str, ...]
    pages: int
    model: str  # lines of the topic files: [model], [taxonomy] ...; empty: the model that the topic itself has
    far: tuple[str, ...] = ()  # topics whose seeds are two or three links away from the nearest page on them
    pairs: bool = False  # two crawls a web, from seeds that have none in common
    likeness: bool = False  # whether similarity to known relevant pages is wanted
    fewer: str = ""  # of the pages that were browsed to learn from, only a quarter of these: relevant or other
    seeds: int = SEEDS
    starts: int = 5  # URLs a crawl begins with
    settings: tuple[str, ...] = ()  # NAME=VALUE of its crawls
    screened: bool = False  # whether all of these are on the topic; of those a web offers, some are not
    examples: str = ""  # of what the model learns: single pages, or the first pages of whole "sites"

    @property
    def trials(self) -> list[tuple[str, int]]:
        """Topic and number of each crawl of an ordering."""
        return [(topic, number) for number in range(self.seeds * (1 + self.pairs)) for topic in self.topics]


class Study(NamedTuple):
    """One ordering on one setup."""

    setup: Setup
    ordering: str  # such as best_first:on=anchor;n=4


class Measure(NamedTuple):
    """A number of one crawl."""

    name: str
    of: Callable[[Outcome], float]


class Finding(NamedTuple):
    holds: bool
    numbers: str


Results = Mapping[Study, Mapping[tuple[str, int], Outcome]]


class Check(Protocol):
    """Something that is true of crawls, or not."""

    @property
    def studies(self) -> tuple[Study, ...]: ...

    def look(self, results: Results) -> Finding: ...


@dataclass(slots=True, frozen=True)
class Claim:
    """Holds if all its checks do."""

    id: str
    where: str  # section of the paper
    says: str
    checks: Sequence[Check] = ()
    missing: str = ""  # what would be needed to check it and is not there
    given: str = ""  # why it holds without any crawl

    @property
    def studies(self) -> list[Study]:
        return list(dict.fromkeys(study for check in self.checks for study in check.studies))


@dataclass(slots=True, frozen=True)
class Paper:
    letter: str
    title: str
    claims: Sequence[Claim] = field(default_factory=tuple)
    differs: str = ""  # what is not as in the paper, for all its claims

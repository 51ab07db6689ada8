"""The numbers of a crawl while it runs, and the limits it must not pass."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from focused.alarms import Alarms, Counts
from focused.options import Options


@dataclass(slots=True)
class Progress:
    """Counted as pages are finished; the monitor only reads."""

    pages: int = 0
    relevant: int = 0
    failed: int = 0
    not_judged: int = 0  # pages of this run on which the model failed
    revisits: int = 0  # looks at pages had before, in this run
    changes: int = 0  # of them, those that found another page
    sites: int = 0
    relevant_sites: int = 0
    waiting: int = 0
    in_flight: int = 0
    picks: int = 0
    inversions: int = 0  # when the download began, something waited that had looked better at the pick
    max_pages: int = 0
    enough: str | None = None  # the ordering's own reason to stop
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=100))
    last_titles: deque[str] = field(default_factory=lambda: deque(maxlen=5))
    started: float = field(default_factory=time.monotonic)
    alarms: Alarms = field(default_factory=Alarms)

    def become(self, other: Progress) -> Progress:
        """The numbers of another, but for what this one has lived through."""
        self.pages, self.relevant, self.failed = other.pages, other.relevant, other.failed
        self.sites, self.relevant_sites = other.sites, other.relevant_sites
        self.waiting, self.in_flight, self.enough, self.alarms = other.waiting, 0, other.enough, other.alarms
        return self

    @property
    def counts(self) -> Counts:
        return Counts(self.pages, self.failed, self.waiting + self.in_flight)

    @property
    def harvest(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def inversion_rate(self) -> float:
        return self.inversions / self.picks if self.picks else 0.0


def limit_reached(options: Options, progress: Progress) -> str | None:
    """The name of the limit that ends the crawl."""
    discovers = options.maintain < 1
    if discovers and options.max_pages and progress.pages >= options.max_pages:
        return "max_pages"
    if discovers and options.max_relevant and progress.relevant >= options.max_relevant:
        return "max_relevant"
    if options.max_seconds and time.monotonic() - progress.started >= options.max_seconds:
        return "max_seconds"
    return progress.enough


def may_begin_another(options: Options, progress: Progress) -> bool:
    """Whether one more fetch could not pass a limit, even if everything under way succeeds: limits are exact."""
    if limit_reached(options, progress):
        return False
    if options.maintain == 1:
        return True
    if options.max_pages and progress.pages + progress.in_flight >= options.max_pages:
        return False
    return not options.max_relevant or progress.relevant + progress.in_flight < options.max_relevant


def is_within(options: Options, progress: Progress) -> bool:
    """Whether everything under way could succeed without passing a limit."""
    if options.max_pages and progress.pages + progress.in_flight > options.max_pages:
        return False
    return not options.max_relevant or progress.relevant + progress.in_flight <= options.max_relevant

"""What the questions of `focused.store.queries` are answered with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Point(NamedTuple):
    """One point of the harvest curve: after `visit` pages."""

    visit: int
    relevant_so_far: int
    harvest: float
    harvest_100: float  # of the last 100 pages


class SiteRow(NamedTuple):
    id: int
    host: str
    pages: int
    relevant: int
    relevance: float  # mean over its pages
    state: str
    why: str | None
    next_ok_at: float


class PageRow(NamedTuple):
    id: int
    url: str
    host: str
    state: int
    outcome: str | None
    depth: int
    parent_id: int | None
    hops: int
    score: float
    relevance: float | None
    relevant: int | None
    best_class: str | None
    title: str | None
    visit: int | None
    fetched_at: float | None
    status: int | None
    tries: int
    not_before: float | None
    warc_offset: int | None
    site_id: int = 0
    trail: str | None = None  # JSON
    segment: str = ""  # of the WARC it is in


class LinkRow(NamedTuple):
    """A link, and the page at its other end."""

    page_id: int
    url: str
    anchor: str | None
    dom_path: str | None
    score: float | None
    relevance: float | None


class HubRow(NamedTuple):
    """A hub or an authority: `value` is what the `hub` table says of it or, while that is empty, a count."""

    url: str
    title: str | None
    relevance: float | None
    value: float


class PromotionRow(NamedTuple):
    """A hub, how many links it promoted, and what of them was fetched and relevant."""

    url: str
    title: str | None
    promoted: int
    fetched: int
    relevant: int


class Event(NamedTuple):
    at: float
    kind: str
    detail: str | None


@dataclass(slots=True, frozen=True)
class Summary:
    """The headline numbers of a crawl."""

    pages: int = 0
    relevant: int = 0
    sites: int = 0  # with at least one page
    relevant_sites: int = 0  # with at least one relevant page
    websites: int = 0  # judged as a whole
    relevant_websites: int = 0
    discovered: int = 0  # URLs known
    waiting: int = 0  # on sites that are open
    shut_out: int = 0  # waiting on sites that were closed
    in_flight: int = 0
    failed: int = 0
    failures: dict[str, int] = field(default_factory=dict)  # outcome → URLs given up
    reason: str = ""  # why it stopped
    started: float | None = None
    finished: float | None = None

    @property
    def harvest(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0


class Choice(NamedTuple):
    """Which of the fetched pages are wanted."""

    relevant: bool = False  # relevant ones only
    new: bool = False  # no seeds

    def condition(self, table: str) -> str:
        """For the WHERE clause."""
        only = [f"{table}.relevant = 1"] * self.relevant + [f"{table}.depth > 0"] * self.new
        return " AND ".join([f"{table}.visit IS NOT NULL", *only])


ALL = Choice()

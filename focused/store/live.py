"""What a crawl has done lately: questions that cost the same however long the crawl is (Chakrabarti 1999, F-19)."""

from __future__ import annotations

import time
from typing import NamedTuple

from focused.store.queries import Reading

DENSE = 1000  # newest pages, all of which are shown
SPARSE = 1000  # of the pages before them, evenly spaced
AVERAGES = 200  # points of the moving average before the newest pages
WINDOW = 100  # pages of the moving average
TITLE = 120
SILENT = 60.0  # seconds without a page after which a crawl counts as not running

_ROW = f"""page.visit, page.id, coalesce(page.relevance, 0), coalesce(page.relevant, 0), page.fetched_at,
    substr(title, 1, {TITLE})"""
_LAST = "SELECT max(visit) FROM page WHERE visit IS NOT NULL"  # as its index wants it
# 1 × step, 2 × step, ... up to a page: looked up one by one, so that nothing between them is read.
_SPACED = """WITH RECURSIVE spaced(visit) AS (
    SELECT CAST(:step AS BIGINT) WHERE :step <= :until
    UNION ALL SELECT visit + :step FROM spaced WHERE visit + :step <= :until)"""


class Dot(NamedTuple):
    """One page of the plot; one that could not be judged has relevance 0."""

    visit: int
    page_id: int
    relevance: float
    relevant: int
    at: float
    title: str | None


class Average(NamedTuple):
    """The mean relevance of the last pages after `visit` pages."""

    visit: int
    at: float
    relevance: float


class Glance(NamedTuple):
    """A crawl in a list of crawls."""

    pages: int
    relevant: int
    relevant_sites: int
    is_running: bool
    begun: float | None
    ended: float | None
    reason: str  # why it stopped

    @property
    def harvest(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0


def glance(reading: Reading) -> Glance:
    meta, last = reading.meta(), last_page_at(reading)
    relevant, sites = reading._one("SELECT coalesce(sum(relevant), 0), count(*) FILTER (WHERE relevant > 0) FROM site")
    running = is_running(reading)
    ended = last if running else float(meta.get("stopped_at", last))
    begun = float(meta.get("started_at", 0)) if last else 0.0
    reason = "" if running else meta.get("stop_reason", "")
    return Glance(last_visit(reading), relevant, sites, running, begun or None, ended or None, reason)


def is_running(reading: Reading) -> bool:
    """As far as the store can tell: a page was had after the last stop, and not long ago."""
    stopped = float(reading.meta().get("stopped_at", 0))
    return last_page_at(reading) > max(stopped, time.time() - SILENT)


def last_visit(reading: Reading) -> int:
    return int(reading._one(f"SELECT coalesce(({_LAST}), 0)")[0])


def dots(reading: Reading, last: int) -> list[Dot]:
    """In order: some of the early pages, all of the newest."""
    until = max(0, last - DENSE)
    early = f"{_SPACED} SELECT {_ROW} FROM spaced JOIN page ON page.visit = spaced.visit ORDER BY 1"
    late = f"SELECT {_ROW} FROM page WHERE visit > ? AND visit <= ? ORDER BY visit"
    rows = reading._db.execute(early, {"step": _step(until, SPARSE), "until": until}).fetchall()
    return [Dot(*row) for row in rows + reading._all(late, until, last)]


def averages(reading: Reading, last: int) -> list[Average]:
    """The moving average at the same pages; while there are fewer than the window is wide, their mean (F-19)."""
    until = max(0, last - DENSE)
    early = f"""{_SPACED} SELECT page.visit, page.fetched_at, (SELECT avg(coalesce(relevance, 0)) FROM page AS before
        WHERE before.visit BETWEEN spaced.visit - {WINDOW - 1} AND spaced.visit)
        FROM spaced JOIN page ON page.visit = spaced.visit ORDER BY 1"""
    late = f"""SELECT * FROM (SELECT visit, fetched_at, avg(coalesce(relevance, 0))
        OVER (ORDER BY visit ROWS {WINDOW - 1} PRECEDING) FROM page WHERE visit > ? AND visit <= ?) AS averaged
        WHERE visit > ? ORDER BY visit"""
    rows = reading._db.execute(early, {"step": _step(until, AVERAGES), "until": until}).fetchall()
    return [Average(*row) for row in rows + reading._all(late, until - WINDOW, last, until)]


def last_page_at(reading: Reading) -> float:
    """When the newest page was had; 0 if there is none."""
    row = reading._one(f"SELECT fetched_at FROM page WHERE visit = ({_LAST})")
    return float(row[0] or 0) if row else 0.0


def last_events(reading: Reading) -> int:
    """Grows with each event."""
    return int(reading._one("SELECT coalesce(max(rowid), 0) FROM event")[0])


def _step(until: int, at_most: int) -> int:
    return max(1, -(-until // at_most))

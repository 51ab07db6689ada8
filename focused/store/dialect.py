"""The few things SQLite and PostgreSQL say differently; all else that readers ask is the same SQL for both."""

from __future__ import annotations

from typing import NamedTuple


class Dialect(NamedTuple):
    """Pieces of SQL."""

    least: str
    greatest: str
    cut: str  # a number without what is behind its point
    segment: str  # of the page's WARC: see focused.outputs
    begin: str
    of_one: str  # a condition: what one worker remembers, the one with most commits, and what is known of sites


SQLITE = Dialect("min", "max", "CAST({} AS INTEGER)", "''", "BEGIN", "TRUE")
POSTGRES = Dialect(
    "least",
    "greatest",
    "CAST(trunc({}) AS INTEGER)",
    "CASE WHEN page.worker_id > 1 THEN '-' || page.worker_id ELSE '' END",
    "BEGIN ISOLATION LEVEL REPEATABLE READ",
    """(holder > 0 OR holder = (SELECT -id FROM worker WHERE EXISTS (SELECT 1 FROM memory WHERE holder = -worker.id)
    ORDER BY batch DESC, id LIMIT 1))""",
)

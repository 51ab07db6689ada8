"""Pages that are done and looked at again: the part of the store that maintenance needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from focused.store.rows import Kept, Lease, Look

MOST_DEATHS = 3  # as of a first visit: what killed the process that often is not looked at again
_LEASE = f"""UPDATE page SET state = 4, tries = tries + 1, token = token + 1
    WHERE id = ? AND state = 2 AND deaths < {MOST_DEATHS}
    RETURNING id, url, site_id, token, score, depth, hops, tries, trail, request,
        visit, fetched_at, coalesce(relevance, 0), coalesce(relevant, 0), hash, etag, last_modified"""
_LOOK = """UPDATE page SET state = 2, last_visit = ?, revisits = revisits + ?, changes = changes + ?,
    outcome = coalesce(?, outcome) WHERE id = ? AND token = ?"""
# A request of a spider's own is for the spider to repeat; what was not kept has nothing to be compared with.
_PAGES = f"""SELECT id, site_id, coalesce(relevance, 0), fetched_at, coalesce(last_visit, fetched_at), revisits, changes
    FROM page WHERE visit IS NOT NULL AND state = 2 AND outcome = 'ok' AND request IS NULL AND hash IS NOT NULL
    AND deaths < {MOST_DEATHS} ORDER BY id"""


class AgainRows:
    """Belongs to the store, and to its transactions."""

    def __init__(self, db: sqlite3.Connection, begin: Callable[[], None]) -> None:
        self._db = db
        self._begin = begin

    def lease(self, page_id: int, next_ok_at: float | None) -> tuple[Lease, Kept] | None:
        """done → leased again; see SqliteStore.lease."""
        self._begin()
        row = self._db.execute(_LEASE, (page_id,)).fetchone()
        if row is None:
            return None
        lease, kept = Lease(*row[:10]), Kept(*row[10:])
        if next_ok_at is not None:
            self._db.execute("UPDATE site SET next_ok_at = ? WHERE id = ?", (next_ok_at, lease.site_id))
        return lease, kept

    def looked(self, page_id: int, token: int, look: Look) -> bool:
        """leased again → done. False: it is no longer ours, discard everything."""
        self._begin()
        values = (look.at, look.was_answered, look.is_changed, look.outcome, page_id, token)
        return self._db.execute(_LOOK, values).rowcount == 1

    def pages(self) -> Iterator[tuple[Any, ...]]:
        """The pages worth another look: id, site, relevance, had at, last looked at, revisits, changes."""
        return self._db.execute(_PAGES)

    def hubs(self) -> list[tuple[int, float]]:
        """Of the last distillation."""
        return self._db.execute("SELECT page_id, hub FROM hub WHERE hub > 0").fetchall()

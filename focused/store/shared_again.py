"""Pages that are done and looked at again, on the shared store; see focused.store.again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from focused.store.again import MOST_DEATHS
from focused.store.rows import AGAIN, Kept, Lease, Look

if TYPE_CHECKING:
    from focused.store.postgres import PostgresStore

_MINE = "site_id IN (SELECT id FROM site WHERE owner = %s)"
_ROW = f"""SELECT id, url, site_id, token, score, depth, hops, tries, trail, request, visit, fetched_at,
    coalesce(relevance, 0), coalesce(relevant, 0) = 1, hash, etag, last_modified
    FROM page WHERE id = %s AND state = 2 AND deaths < {MOST_DEATHS} AND {_MINE}"""
_PAGES = f"""SELECT id, site_id, coalesce(relevance, 0), fetched_at, coalesce(last_visit, fetched_at), revisits, changes
    FROM page WHERE visit IS NOT NULL AND state = 2 AND outcome = 'ok' AND request IS NULL AND hash IS NOT NULL
    AND deaths < {MOST_DEATHS} AND {_MINE} ORDER BY id"""


class SharedAgain:
    """Belongs to the store, and to its batches; knows the pages of this worker's sites only."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store

    def lease(self, page_id: int, next_ok_at: float | None) -> tuple[Lease, Kept] | None:
        store = self._store
        row = store.session.one(_ROW, page_id, store.team.me.id) if page_id not in store.batch.leases else None
        if row is None:
            return None
        lease, kept = Lease(*row[:10]), Kept(*row[10:])
        lease = lease._replace(token=lease.token + 1, tries=lease.tries + 1)
        store.take(lease, AGAIN, next_ok_at)
        store.again_leased[page_id] = kept
        return lease, kept

    def looked(self, page_id: int, token: int, look: Look) -> bool:
        store = self._store
        lease = store.leased.pop(page_id, None)
        kept = store.again_leased.pop(page_id, None)  # gone already: the page was had anew
        if kept is not None and (lease is None or lease.token != token):
            return False
        store.batch.looks.append((look.at, look.was_answered, look.is_changed, look.outcome, page_id, token))
        return True

    def pages(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._store.session.all(_PAGES, self._store.team.me.id))

    def hubs(self) -> list[tuple[int, float]]:
        return self._store.session.all("SELECT page_id, hub FROM hub WHERE hub > 0")

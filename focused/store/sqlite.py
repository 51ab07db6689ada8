"""The store of one crawl on one machine: an SQLite file, one writer, one transaction at a time.

Everything between two commits is one transaction; `commit` makes outputs and database agree (the
caller has flushed the outputs and gives their sizes). A lease commits at once, and with it every
page that was finished before: so nothing is fetched that the database does not know to be under way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.errors import StoreError
from focused.store.again import AgainRows
from focused.store.lock import locked
from focused.store.rows import GIVEN_UP, Fetched, Found, Lease, Site, Snapshot

VERSION = 3
BLOCK = 1 << 17  # links read at a time
MOST_DEATHS = 3  # two would quarantine an innocent page about once in 1,500 random kills

_NEW_PAGE = """INSERT INTO page (id, url, site_id, score, depth, parent_id, hops, trail, request)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_FINISH = """UPDATE page SET state = ?, outcome = ?, visit = ?, fetched_at = ?, status = ?, relevance = ?, relevant = ?,
    class = ?, title = ?, hash = ?, warc_offset = ?, etag = ?, last_modified = ?, not_before = ?
    WHERE id = ? AND token = ? AND state IN (1, 4)"""
_SITE = (
    "UPDATE site SET state = ?, why = ?, pages = ?, relevant = ?, relevance = ?, errors = ?, delay = ?, "
    "next_ok_at = ?, posterior = ?, mean_confidence = ?, budget = ?"
)
_LEASE = """UPDATE page SET state = 1, tries = tries + 1, token = token + 1, not_before = NULL
    WHERE id = ? AND state = 0
    RETURNING id, url, site_id, token, score, depth, hops, tries, trail, request"""


class SqliteStore:
    """The truth about one crawl."""

    team = None

    def __init__(self, path: Path, sync: str = "NORMAL") -> None:
        self.path = path
        self._lock = locked(path.with_suffix(".lock"))
        self._db = sqlite3.connect(":memory:")  # to be closed, if there is no other
        try:
            self._db = sqlite3.connect(path, isolation_level=None, cached_statements=64)
            self._db.executescript(
                f"PRAGMA journal_mode = WAL; PRAGMA synchronous = {sync}; PRAGMA busy_timeout = 30000; "
                "PRAGMA cache_size = -65536;"
            )
            self._prepare()
            self.again = AgainRows(self._db, self._begin)
        except StoreError:
            self.close()
            raise
        except sqlite3.DatabaseError as error:
            self.close()
            raise StoreError(
                f"{path} cannot be used ({error}): move it away, or give another FOCUSED_DATA_DIR."
            ) from None

    def _prepare(self) -> None:
        if not self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            schema = resources.files("focused.store").joinpath("schema.sql").read_text()
            self._db.executescript(f"BEGIN; {schema} INSERT INTO meta VALUES ('schema_version', {VERSION}); COMMIT;")
        found = self.meta()["schema_version"]
        if found != VERSION:
            raise StoreError(
                f"{self.path} has schema version {found} and this program writes {VERSION}: use its program."
            )
        self._next_id = 1 + int(self._db.execute("SELECT coalesce(max(id), 0) FROM page").fetchone()[0])

    # --- one run ------------------------------------------------------------------------------------

    def resume(self, page_in_hand: int = 0) -> int:
        """Take back what a dead process had leased; the number of links taken back.

        `page_in_hand` was being read when it died: after the third time it is set aside for good.
        """
        self._begin()
        self._db.execute("UPDATE page SET deaths = deaths + 1 WHERE id = ? AND state IN (1, 4)", (page_in_hand,))
        self._db.execute(
            "UPDATE page SET state = ?, outcome = 'killed_process' WHERE state = 1 AND deaths >= ?",
            (GIVEN_UP, MOST_DEATHS),
        )
        taken = self._db.execute("UPDATE page SET state = 0, tries = tries - 1 WHERE state = 1").rowcount
        self._db.execute("UPDATE page SET state = 2, tries = tries - 1 WHERE state = 4")
        self.commit({})
        return taken

    def load(self) -> Snapshot:
        """The frontier and the seen test, from packed arrays; rows are read only where they differ from them."""
        packed = self._db.execute("SELECT keys, sites, scores FROM discovery ORDER BY first_id").fetchall()
        keys, sites, scores = (b"".join(column) for column in zip(*packed, strict=True)) if packed else (b"", b"", b"")
        snapshot = Snapshot(
            np.arange(1, len(keys) // 8 + 1),
            np.frombuffer(keys, np.int64),
            np.frombuffer(sites, np.uint32),
            np.frombuffer(scores, np.float64).copy(),
            dict(self._db.execute("SELECT id, not_before FROM page WHERE state = 0 AND not_before IS NOT NULL")),
            [
                Site(*row)
                for row in self._db.execute(
                    "SELECT id, host, state, why, pages, relevant, relevance, errors, delay, next_ok_at, posterior, "
                    "mean_confidence, budget FROM site ORDER BY id"
                )
            ],
            self.meta(),
            dict(self._db.execute("SELECT name, value FROM memory")),
        )
        for page_id, score in self._db.execute("SELECT id, score FROM page WHERE state = 0 AND rescored"):
            snapshot.scores[page_id - 1] = score
        gone = [row[0] - 1 for row in self._db.execute("SELECT id FROM page WHERE state <> 0")]
        snapshot.scores[gone] = np.nan
        return snapshot

    def counts(self) -> tuple[int, int, int]:
        """Pages had, relevant ones among them, links given up."""
        row = self._db.execute(
            "SELECT count(visit), coalesce(sum(relevant), 0), count(*) FILTER (WHERE state = 3) "
            "FROM page WHERE state > 1"
        ).fetchone()
        return int(row[0]), int(row[1]), int(row[2])

    def pending(self) -> int:
        """Links that wait on open sites or are leased."""
        row = self._db.execute(
            "SELECT count(*) FROM page JOIN site ON site.id = page.site_id WHERE page.state < 2 AND site.state = 'open'"
        ).fetchone()
        return int(row[0])

    # --- T1: lease ------------------------------------------------------------------------------------

    def lease(self, page_id: int, next_ok_at: float | None) -> Lease | None:
        """waiting → leased. The caller commits before it fetches. None: another one was quicker.

        `next_ok_at`: when its site may be asked again, should the process die during the fetch.
        """
        self._begin()
        row = self._db.execute(_LEASE, (page_id,)).fetchone()
        if row is None:
            return None
        lease = Lease(*row)
        if next_ok_at is not None:
            self._db.execute("UPDATE site SET next_ok_at = ? WHERE id = ?", (next_ok_at, lease.site_id))
        return lease

    def give_back(self, page_id: int, token: int) -> None:
        """leased → waiting, or done, as if it had not been taken."""
        self._begin()
        self._db.execute(
            "UPDATE page SET state = iif(state = 4, 2, 0), tries = tries - 1 "
            "WHERE id = ? AND token = ? AND state IN (1, 4)",
            (page_id, token),
        )

    # --- T2: done -------------------------------------------------------------------------------------

    def finish(self, page_id: int, token: int, fetched: Fetched) -> bool:
        """leased → done, given up or waiting again. False: it is no longer ours, discard everything."""
        self._begin()
        return self._db.execute(_FINISH, (*fetched, page_id, token)).rowcount == 1

    def add(self, found: Found) -> None:
        """What a page brought to light."""
        self._begin()
        if found.new:
            self._db.executemany(_NEW_PAGE, found.new)
            sites = np.fromiter((page.site_id for page in found.new), np.uint32, len(found.new))
            scores = np.fromiter((page.score for page in found.new), np.float64, len(found.new))
            packed = (found.new[0].id, found.keys.tobytes(), sites.tobytes(), scores.tobytes())
            self._db.execute("INSERT INTO discovery VALUES (?, ?, ?, ?)", packed)
        if found.raised:
            self._db.executemany(
                "UPDATE page SET score = ?, rescored = 1, parent_id = ?, depth = min(depth, ?), "
                "trail = coalesce(?, trail) WHERE id = ? AND state = 0",
                found.raised,
            )
        if found.edges:
            self._db.executemany("INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?)", found.edges)

    def reserve(self, count: int) -> NDArray[np.int64]:
        """Ids for new pages, ascending."""
        first, self._next_id = self._next_id, self._next_id + count
        return np.arange(first, first + count)

    def enter_sites(self, hosts: Sequence[str]) -> list[Site]:
        """Sites nobody has heard of."""
        self._begin()
        insert = "INSERT INTO site (host) VALUES (?)"
        return [Site(self._db.execute(insert, (host,)).lastrowid or 0, host) for host in hosts]

    def save_site(self, site: Site) -> None:
        self._begin()
        values = (
            site.state,
            site.why,
            site.pages,
            site.relevant,
            site.relevance,
            site.errors,
            site.delay,
            site.next_ok_at,
            site.posterior,
            site.mean_confidence,
            site.budget,
        )
        self._db.execute(f"{_SITE} WHERE id = ?", (*values, site.id))

    def rescore(self, ids: list[int], scores: list[float]) -> None:
        """New scores of waiting links, from the ordering's revision."""
        self._begin()
        rows = list(zip(scores, ids, strict=True))
        self._db.executemany("UPDATE page SET score = ?, rescored = 1 WHERE id = ? AND state = 0", rows)

    def log(self, at: float, kind: str, detail: str) -> None:
        self._begin()
        self._db.execute("INSERT INTO event VALUES (?, ?, ?)", (at, kind, detail))

    def commit(self, offsets: Mapping[str, int]) -> None:
        """Make it so. `offsets` are the sizes of the outputs that belong to what was finished."""
        if not self._db.in_transaction:
            return
        self._db.executemany("INSERT OR REPLACE INTO output VALUES (?, ?)", list(offsets.items()))
        self._db.execute("COMMIT")

    def offsets(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT name, offset FROM output"))

    # --- small things ---------------------------------------------------------------------------------

    def meta(self) -> dict[str, Any]:
        return dict(self._db.execute("SELECT name, value FROM meta"))

    def note(self, **values: Any) -> None:
        """Keep named values: topic, ordering, why it stopped, the ordering's state."""
        self._begin()
        self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))

    def remember(self, parts: Mapping[str, str | None]) -> None:
        """Keep what ordering and budget must not forget; None: forget it."""
        self._begin()
        self._db.executemany("INSERT OR REPLACE INTO memory VALUES (?, ?)", list(parts.items()))
        if None in parts.values():
            self._db.execute("DELETE FROM memory WHERE value IS NULL")

    def save_hubs(self, rows: Iterable[tuple[int, float, float]], at_pages: int, is_whole: bool = True) -> None:
        """The latest distillation replaces the one before: all sites are this worker's."""
        self._begin()
        self._db.execute("DELETE FROM hub")
        self._db.executemany(f"INSERT INTO hub VALUES (?, ?, ?, {at_pages})", rows)

    def links(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        """All links, (sources, targets), some hundred thousand at a time."""
        cursor = self._db.execute("SELECT source_id, target_id FROM link")
        while rows := cursor.fetchmany(BLOCK):
            pairs = np.array(rows, np.uint32)
            yield pairs[:, 0], pairs[:, 1]

    def verdicts(self) -> Iterator[tuple[int | None, str | None]]:
        """Of the pages that were had, in order: whether they are relevant, and their class."""
        return self._db.execute("SELECT relevant, class FROM page WHERE visit IS NOT NULL ORDER BY visit")

    def relevances(self) -> list[tuple[int, float]]:
        """Of the pages that were had: id and relevance."""
        return self._db.execute("SELECT id, coalesce(relevance, 0) FROM page WHERE visit IS NOT NULL").fetchall()

    def robots(self, site_id: int) -> tuple[int | None, str, float] | None:
        row = self._db.execute(
            "SELECT robots_status, robots, robots_until FROM site WHERE id = ?", (site_id,)
        ).fetchone()
        return (row[0], row[1] or "", row[2]) if row and row[2] is not None else None

    def save_robots(self, site_id: int, status: int | None, text: str, until: float) -> None:
        self._begin()
        values = (status, text, until, site_id)
        self._db.execute("UPDATE site SET robots_status = ?, robots = ?, robots_until = ? WHERE id = ?", values)

    def roll_back(self) -> None:
        """What was not committed did not happen."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def close(self) -> None:
        self.roll_back()
        self._db.close()
        self._lock.close()

    def _begin(self) -> None:
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")

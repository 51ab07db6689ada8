"""The store that many workers share: PostgreSQL, one schema a crawl.

A worker collects what it does and commits it as one short transaction (focused/store/batch.py). It asks only its own
sites (focused/store/team.py), so nobody else touches their rows, and nothing has to be locked while a page is fetched.
After a restart of the server the same batch is sent again; its number tells whether it had arrived.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.store.batch import Batch
from focused.store.crawl_schema import prepare
from focused.store.rows import DONE, GIVEN_UP, LEASED, WAITING, Fetched, Found, Kept, Lease, Site, Snapshot
from focused.store.session import Connection, Session
from focused.store.shared_again import SharedAgain
from focused.store.shared_graph import SharedGraph
from focused.store.slot import Slot
from focused.store.sqlite import MOST_DEATHS
from focused.store.team import TAKE_BACK, Team, of_site

KEPT = 20_000  # rows of links found lately that need not be read again when they are picked
BLOCK = 1000  # ids a worker takes at a time, as the schema says
_ROWS = """SELECT id, url, site_id, token, score, depth, hops, tries, trail, request FROM page
    WHERE id BETWEEN %s AND %s AND state = 0 AND site_id IN (SELECT id FROM site WHERE owner = %s)"""
NEAR = 32  # pages found next to one that is picked are likely to be picked soon: they are read with it
_SET_ASIDE = "UPDATE page SET state = %s, outcome = 'killed_process' WHERE id = %s AND state < 2 AND deaths >= %s"


class PostgresStore:
    """The truth about one crawl, as one worker sees it."""

    def __init__(self, url: str, schema: str, folder: Path, lease: float = 60.0) -> None:
        self.session = Session(url, schema)
        try:
            prepare(self.session)
            self._slot = Slot(folder)
        except Exception:
            self.session.close()
            raise
        self.team = Team(self.session, self._slot.name, lease)
        self.again = SharedAgain(self)
        self._start_anew()

    def _start_anew(self) -> None:
        self.batch = Batch()
        self._rows: dict[int, Lease] = {}  # of links that wait: found or given back lately
        self.leased: dict[int, Lease] = {}
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._offsets: dict[str, int] = {}
        self._texts: dict[int, str] = {}  # of the page that is about to be finished
        self.again_leased: dict[int, Kept] = {}  # of those leased, the pages that were had before

    def begin_again(self) -> None:
        """After the lease has run out: a worker without sites."""
        self.team.register()
        self._start_anew()

    def forget(self, sites: Collection[int]) -> None:
        self._rows = {page: row for page, row in self._rows.items() if row.site_id not in sites}

    # --- one run ------------------------------------------------------------------------------------

    def resume(self, page_in_hand: int = 0) -> int:
        """Take back what a dead process of this slot had leased; see SqliteStore."""

        def work(db: Connection) -> int:
            with db.transaction():
                db.execute("UPDATE page SET deaths = deaths + 1 WHERE id = %s AND state < 2", (page_in_hand,))
                lost = db.execute(_SET_ASIDE, (GIVEN_UP, page_in_hand, MOST_DEATHS)).rowcount
                db.execute("UPDATE total SET failed = failed + %s", (lost,))
                return db.execute(TAKE_BACK, ([self.team.me.id],)).rowcount

        return self.session.run(work)

    def load(self) -> Snapshot:
        """All that is this worker's; one that is alone takes whatever is nobody's."""
        if self.team.is_alone():
            self.team.claim_all()
        self.team.inherit()
        return self.team.snapshot(None)

    def counts(self) -> tuple[int, int, int]:
        pages, relevant, failed = self.session.one("SELECT pages, relevant, failed FROM total")
        return int(pages), int(relevant), int(failed)

    def pending(self) -> int:
        """Of all workers, as of their last commits; what lies in the inbox counts as waiting."""
        (waiting,) = self.session.one(
            """SELECT (SELECT count(*) FROM page JOIN site ON site.id = page.site_id
            WHERE page.state < 2 AND site.state = 'open') + (SELECT count(*) FROM inbox)"""
        )
        return int(waiting)

    # --- T1: lease ----------------------------------------------------------------------------------

    def lease(self, page_id: int, next_ok_at: float | None) -> Lease | None:
        row = None if page_id in self.leased else self._rows.pop(page_id, None) or self._read(page_id)
        if row is None:
            return None
        row = row._replace(token=row.token + 1, tries=row.tries + 1)
        self.take(row, LEASED, next_ok_at)
        return row

    def take(self, row: Lease, state: int, next_ok_at: float | None) -> None:
        """It is leased, in this state, with the next commit."""
        self.leased[row.id] = row
        self.batch.leases[row.id] = (row.site_id, state, row.tries, row.token)
        if next_ok_at is not None:
            self.batch.rests[row.site_id] = next_ok_at

    def _read(self, page_id: int) -> Lease | None:
        batch = self.batch
        for row in map(Lease._make, self.session.all(_ROWS, page_id, page_id + NEAR, self.team.me.id)):
            if row.id in batch.leases or row.id in self.leased or row.id in self._rows:
                continue
            if row.id in batch.raised:
                row = _raised(row, batch.raised[row.id])
            self._rows[row.id] = row._replace(score=batch.rescored.get(row.id, row.score))
        return self._rows.pop(page_id, None)

    def give_back(self, page_id: int, token: int) -> None:
        row = self.leased.get(page_id)
        if row is not None and row.token == token:
            del self.leased[page_id]
            row = row._replace(tries=row.tries - 1)
            was_had = self.again_leased.pop(page_id, None) is not None
            self.batch.leases[page_id] = (row.site_id, DONE if was_had else WAITING, row.tries, row.token)
            if not was_had:
                self._rows[page_id] = row

    # --- T2: done -----------------------------------------------------------------------------------

    def reserve(self, count: int) -> NDArray[np.int64]:
        while len(self._ids) < count:
            (first,) = self.session.one("SELECT nextval('page_id')")
            self._ids = np.append(self._ids, np.arange(first, first + BLOCK))
        taken, self._ids = self._ids[:count], self._ids[count:]
        return taken

    def enter_sites(self, hosts: Sequence[str]) -> list[Site]:
        """A site nobody has heard of belongs to the worker that found it."""
        return self.team.enter(hosts)

    def keep_text(self, page_id: int, text: str) -> None:
        """What it is found by, from the commit of its `finish` on, which comes next."""
        self._texts = {page_id: text}

    def finish(self, page_id: int, token: int, fetched: Fetched) -> bool:
        row, text = self.leased.get(page_id), self._texts.pop(page_id, "")
        if row is None or row.token != token:
            return False
        del self.leased[page_id]
        self.batch.finish(row, fetched, self.again_leased.pop(page_id, None), text)
        if fetched.state == WAITING:
            self._rows[page_id] = row
        return True

    def add(self, found: Found) -> None:
        batch = self.batch
        for page, key in zip(found.new, found.keys.tolist(), strict=True):
            batch.pages.append((*page, key))
            self._rows[page.id] = Lease(
                page.id, page.url, page.site_id, 0, page.score, page.depth, page.hops, 0, page.trail, page.request
            )
        for raised in found.raised:
            self._raise(raised)
        for edge in found.edges:
            batch.links.setdefault((edge[0], edge[1]), edge)
        batch.abroad.extend(found.abroad)

    def _raise(self, raised: tuple[Any, ...]) -> None:
        page_id = raised[4]
        before = self.batch.raised.get(page_id)
        if before is not None:
            raised = (*raised[:2], min(raised[2], before[2]), raised[3] or before[3], page_id)
        self.batch.raised[page_id] = raised
        self.batch.rescored.pop(page_id, None)
        if page_id in self._rows:
            self._rows[page_id] = _raised(self._rows[page_id], raised)

    def save_site(self, site: Site) -> None:
        self.batch.save_site(site)

    def rescore(self, ids: list[int], scores: list[float]) -> None:
        for page_id, score in zip(ids, scores, strict=True):
            self.batch.rescored[page_id] = score
            if page_id in self._rows:
                self._rows[page_id] = self._rows[page_id]._replace(score=score)

    def count(self, ids: Sequence[int], links: Sequence[int]) -> None:
        """Over how many links the scores of these pages are means."""
        self.batch.counted.update(zip(ids, links, strict=True))

    def write(self, letters: Sequence[tuple[int, float]], scores: Mapping[int, float]) -> None:
        """Of an ordering: something about sites, and new scores of links, to whoever has them at the time."""
        self.batch.letters.extend(letters)
        self.batch.new_scores.update(scores)

    def log(self, at: float, kind: str, detail: str) -> None:
        self.batch.events.append((at, kind, detail))

    def note(self, **values: Any) -> None:
        self.batch.notes.update({name: str(value) for name, value in values.items()})

    def remember(self, parts: Mapping[str, str | None]) -> None:
        """What is told of a site moves with it to its next owner; the rest is this worker's."""
        for name, value in parts.items():
            self.batch.memory[of_site(name) or -self.team.me.id, name] = value

    def save_hubs(self, rows: Iterable[tuple[int, float, float]], at_pages: int, is_whole: bool = True) -> None:
        self.batch.hubs, self.batch.hubs_are_whole = [(*row, at_pages) for row in rows], is_whole

    def save_robots(self, site_id: int, status: int | None, text: str, until: float) -> None:
        self.batch.robots[site_id] = (site_id, status, text, until)

    def commit(self, offsets: Mapping[str, int]) -> None:
        """Raises Fenced if the lease has run out: then nothing of it has happened."""
        changed = [item for item in offsets.items() if self._offsets.get(item[0]) != item[1]]
        if self.batch.is_empty and not changed and not (self.team.post.has_read or self.team.beat_is_due()):
            return
        batch, self.batch = self.batch, Batch()
        self.team.commit(batch, changed)
        self._offsets.update(changed)
        # The first of a dict is found by a walk over all that were removed before it: one walk for all.
        for page_id in list(islice(self._rows, max(0, len(self._rows) - KEPT))):
            del self._rows[page_id]

    def roll_back(self) -> None:
        self.batch = Batch()
        self._rows.clear()
        self.leased.clear()
        self.again_leased.clear()

    def close(self) -> None:
        self.session.close()
        self._slot.close()

    # --- questions ----------------------------------------------------------------------------------

    def offsets(self) -> dict[str, int]:
        self._offsets = dict(
            self.session.all('SELECT name, "offset" FROM output WHERE worker_id = %s', self.team.me.id)
        )
        return dict(self._offsets)

    def meta(self) -> dict[str, Any]:
        return dict(self.session.all("SELECT name, value FROM meta"))

    def links(self) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        return SharedGraph(self.session).links()

    @contextmanager
    def graph(self) -> Iterator[SharedGraph]:
        """For another thread: over a connection of its own, which is closed afterwards."""
        session = Session(self.session.url, self.session.schema, read_only=True)
        try:
            yield SharedGraph(session)
        finally:
            session.close()

    def verdicts(self) -> Iterator[tuple[int | None, str | None]]:
        return iter(self.session.all("SELECT relevant, class FROM page WHERE visit IS NOT NULL ORDER BY visit"))

    def relevances(self) -> list[tuple[int, float]]:
        return self.session.all("SELECT id, coalesce(relevance, 0) FROM page WHERE visit IS NOT NULL")

    def robots(self, site_id: int) -> tuple[int | None, str, float] | None:
        if site_id in self.batch.robots:
            _, status, text, until = self.batch.robots[site_id]
            return status, text, until
        row = self.session.one("SELECT robots_status, robots, robots_until FROM site WHERE id = %s", site_id)
        return (row[0], row[1] or "", row[2]) if row and row[2] is not None else None


def _raised(row: Lease, raised: tuple[Any, ...]) -> Lease:
    score, _, depth, trail, _ = raised
    return row._replace(score=score, depth=min(row.depth, depth), trail=trail or row.trail)

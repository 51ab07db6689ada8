"""The workers of a crawl, and who has which site.

A worker holds a lease on all its sites at once; each of its commits extends it, by the database's clock. When it has
run out, whoever comes first makes the worker's epoch one higher and its sites nobody's: from then on the commits of
the old epoch fail. Nobody else writes to the pages of a site than its owner, so a URL becomes a page once.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.store.batch import Batch, Standing, column
from focused.store.news import Post
from focused.store.rows import Site, Snapshot
from focused.store.session import Connection, Session, end_sleepers
from focused.store.shared_graph import SharedGraph

_SITE = """SELECT id, host, state, why, pages, relevant, relevance, errors, delay, next_ok_at, posterior,
    mean_confidence, budget, owner FROM site"""
_PACKED = """SELECT coalesce(string_agg(int8send(id), ''), ''), coalesce(string_agg(int8send(key), ''), ''),
    coalesce(string_agg(int8send(site_id), ''), ''),
    coalesce(string_agg(float8send(CASE WHEN state = 0 THEN score ELSE 'NaN' END), ''), '')
    FROM page WHERE site_id = ANY(%s::bigint[])"""
_REST = """SELECT id, not_before, links FROM page WHERE site_id = ANY(%s::bigint[]) AND state = 0
    AND (not_before IS NOT NULL OR links IS NOT NULL)"""
_NEW_SITE = """INSERT INTO site (host, owner) SELECT host, %s FROM unnest(%s::text[]) WITH ORDINALITY AS new (host, nth)
    WHERE NOT EXISTS (SELECT 1 FROM site WHERE site.host = new.host) ORDER BY nth ON CONFLICT DO NOTHING"""
_READY = "SELECT id, best FROM site WHERE owner IS NULL AND best IS NOT NULL"  # nobody's, with links that waited
_ADDRESSED = """SELECT site.id, site.best FROM (SELECT DISTINCT site_id FROM inbox) AS letter
    JOIN site ON site.id = site_id WHERE owner IS NULL AND best IS NULL"""
_CLAIM = f"""WITH free AS ((({_READY} ORDER BY best DESC LIMIT %(most)s) UNION ALL ({_ADDRESSED})) LIMIT %(most)s),
    taken AS (UPDATE site SET owner = %(me)s WHERE id IN
        (SELECT id FROM site WHERE id IN (SELECT id FROM free) AND owner IS NULL FOR UPDATE SKIP LOCKED) RETURNING id),
    told AS (UPDATE worker SET busy = busy + (SELECT count(*) FROM taken) WHERE id = %(me)s)
    SELECT id FROM taken"""
_FREE = f"""SELECT (SELECT count(*) FROM ({_READY} LIMIT 1000) AS a_few)
        + (SELECT count(*) FROM ({_ADDRESSED}) AS more),
    (SELECT count(*) FROM (SELECT 1 FROM inbox LIMIT 1) AS one)"""
_BEST = "(SELECT max(score) FROM (SELECT score FROM page WHERE site_id = site.id AND state = 0 LIMIT 100) AS a_few)"
TAKE_BACK = """UPDATE page SET state = CASE state WHEN 4 THEN 2 ELSE 0 END, tries = tries - 1
    WHERE state IN (1, 4) AND site_id IN (SELECT id FROM site WHERE owner = ANY(%s))"""
_OTHERS = """SELECT count(*) FILTER (WHERE is_alive), coalesce(min(waiting) FILTER (WHERE is_alive), 0),
    coalesce(sum(waiting) FILTER (WHERE is_alive), 0), coalesce(sum(busy) FILTER (WHERE alive_until IS NOT NULL), 0)
    FROM (SELECT *, alive_until > now() AS is_alive FROM worker WHERE id <> %s) AS other"""
_EXPIRED = """SELECT id FROM worker WHERE alive_until < now() AND id <> %s
    AND pg_postmaster_start_time() < now() - make_interval(secs => %s)"""
_INHERIT = """WITH gone AS (SELECT id FROM worker WHERE alive_until IS NULL
        AND EXISTS (SELECT 1 FROM memory WHERE holder = -worker.id) ORDER BY batch DESC, id LIMIT 1
        FOR UPDATE SKIP LOCKED)
    UPDATE memory SET holder = -%(me)s FROM gone WHERE holder = -gone.id
    AND NOT EXISTS (SELECT 1 FROM memory WHERE holder = -%(me)s)"""
BEAT = 1.0  # seconds between two signs of life, at most


class Others(NamedTuple):
    """What the other workers are doing."""

    alive: int
    poorest: int  # sites with waiting links of the one that has fewest
    sites: int  # with waiting links, of all of them
    busy: int  # links that wait with them or are under way, those of the dead included
    free: int  # sites of nobody that have work
    posted: int  # 1: a link lies in the inbox


class Team:
    """This worker among the others."""

    def __init__(self, session: Session, name: str, lease: float) -> None:
        self.session = session
        self.name = name
        self.lease = lease
        self.me = Standing(0, 0, lease)
        self.held_until = 0.0  # by the clock that never jumps: until then the sites are ours for certain
        self.totals: tuple[int, int, int] | None = None  # pages, relevant, failed of all workers, at the last commit
        self.post = Post(session)
        self.register()

    def register(self) -> None:
        """Begin, or begin again: what an earlier process of this name still does is void from now on."""
        now = time.monotonic()
        self.post.forget()
        me = self.session.one(
            """INSERT INTO worker (name, busy, alive_until) VALUES (%s, 1, now() + make_interval(secs => %s))
            ON CONFLICT (name) DO UPDATE SET epoch = worker.epoch + 1, busy = 1, alive_until = excluded.alive_until
            RETURNING id, epoch, batch""",
            self.name,
            self.lease,
        )
        self.me = Standing(me[0], me[1], self.lease, me[2])
        self.held_until = now + self.lease

    @property
    def segment(self) -> str:
        """What is added to the names of this worker's files: nothing for the first of the crawl."""
        return "" if self.me.id == 1 else f"-{self.me.id}"

    def commit(self, batch: Batch, offsets: Sequence[tuple[str, int]]) -> None:
        """Once, however often the server goes away meanwhile."""
        now, me = time.monotonic(), self.me
        me.batch += 1
        batch.taken, batch.opened = self.post.links, self.post.letters
        self.post.forget()

        def work(db: Connection) -> tuple[int, int, int]:
            known = db.execute("SELECT batch, epoch FROM worker WHERE id = %s", (me.id,)).fetchone() if again else None
            again.append(True)
            if known == (me.batch, me.epoch):
                row = db.execute("SELECT pages, relevant, failed FROM total").fetchone()
                assert row is not None
                return row[0], row[1], row[2]
            return batch.commit(db, me, offsets)

        again: list[bool] = []
        self.totals = self.session.run(work)
        self.held_until = now + self.lease

    def beat_is_due(self) -> bool:
        """Whether the others should hear of this worker, though it has nothing to commit."""
        return time.monotonic() > self.held_until - self.lease + min(BEAT, self.lease / 6)

    # --- sites --------------------------------------------------------------------------------------

    def enter(self, hosts: Sequence[str]) -> list[Site]:
        """The sites of these hosts; those that are new are ours."""
        listed = column(hosts)

        def work(db: Connection) -> list[tuple[Any, ...]]:
            db.execute(_NEW_SITE, (self.me.id, listed))
            return db.execute(f"{_SITE} WHERE host = ANY(%s::text[])", (listed,)).fetchall()

        rows = {row[1]: row for row in self.session.run(work)}
        return [self._site(rows[host]) for host in hosts]

    def _site(self, row: tuple[Any, ...]) -> Site:
        site = Site(*row[:-1])
        site.is_ours = row[-1] == self.me.id
        return site

    def claim(self, most: int | None) -> list[int]:
        """Sites of nobody that have work become ours, the best first."""
        values = {"me": self.me.id, "most": most}
        return [site for (site,) in self.session.run(lambda db: db.execute(_CLAIM, values).fetchall())]

    def claim_all(self) -> None:
        """Whatever is nobody's is ours, with or without work: for a worker that is alone."""
        self.session.run(lambda db: db.execute("UPDATE site SET owner = %s WHERE owner IS NULL", (self.me.id,)))

    def inherit(self) -> None:
        """A worker that remembers nothing goes on with what one that is gone has left, the one with most commits."""
        self.session.run(lambda db: db.execute(_INHERIT, {"me": self.me.id}))

    def snapshot(self, sites: Sequence[int] | None) -> Snapshot:
        """Everything about these sites, or about all of ours."""
        of_these = "WHERE owner = %s" if sites is None else "WHERE owner = %s AND id = ANY(%s::bigint[])"
        values = (self.me.id,) if sites is None else (self.me.id, column(sites))
        records = [self._site(row) for row in self.session.all(f"{_SITE} {of_these} ORDER BY id", *values)]
        listed = column([site.id for site in records])
        packed = self.session.one(_PACKED, listed)
        ids, keys, numbers = (np.frombuffer(part, ">i8").astype(np.int64) for part in packed[:3])
        order = np.argsort(ids)
        scores = np.frombuffer(packed[3], ">f8").astype(np.float64)
        rest = self.session.all(_REST, listed)
        holders = column([*(site.id for site in records), *([-self.me.id] if sites is None else [])])
        memory = self.session.all("SELECT name, value FROM memory WHERE holder = ANY(%s::bigint[])", holders)
        return Snapshot(
            ids[order], keys[order], numbers[order].astype(np.uint32), scores[order],
            {page: at for page, at, _ in rest if at is not None}, records, {}, dict(memory),
            {page: links for page, _, links in rest if links is not None},
        )  # fmt: skip

    def release(self, sites: Sequence[int]) -> None:
        """Ours no longer; everything about them is committed."""
        self.session.run(lambda db: db.execute(
            f"UPDATE site SET owner = NULL, best = {_BEST} WHERE owner = %s AND id = ANY(%s::bigint[])",
            (self.me.id, column(sites)),
        ))  # fmt: skip

    def leave(self) -> None:
        """At the end of a run: all sites are nobody's, and nobody waits for the lease to run out."""

        def work(db: Connection) -> None:
            with db.transaction():
                db.execute(TAKE_BACK, ([self.me.id],))
                db.execute(f"UPDATE site SET owner = NULL, best = {_BEST} WHERE owner = %s", (self.me.id,))
                db.execute(
                    "UPDATE worker SET alive_until = NULL, busy = 0, waiting = 0 WHERE id = %s AND epoch = %s",
                    (self.me.id, self.me.epoch),
                )

        self.session.run(work)

    def reclaim(self) -> int:
        """The sites of workers whose lease has run out are nobody's; how many workers these were.

        Not right after a start of the server: while it was away nobody could extend a lease.
        """

        def work(db: Connection) -> int:
            with db.transaction():
                dead = db.execute(
                    f"""UPDATE worker SET epoch = epoch + 1, alive_until = NULL, busy = 0, waiting = 0 WHERE id IN
                    ({_EXPIRED} FOR UPDATE SKIP LOCKED) RETURNING id""",
                    (self.me.id, self.lease),
                ).fetchall()
                if dead:
                    db.execute(TAKE_BACK, ([worker for (worker,) in dead],))
                db.execute(
                    f"""UPDATE site SET owner = NULL, best = {_BEST}
                    WHERE owner IN (SELECT id FROM worker WHERE alive_until IS NULL)"""
                )
                if db.execute(_EXPIRED, (self.me.id, self.lease)).rowcount:  # it is locked by its own commit
                    end_sleepers(db)
                return len(dead)

        return self.session.run(work)

    # --- the whole crawl ----------------------------------------------------------------------------

    def lock(self) -> bool:
        """Become the one that looks back; False: another worker is it."""
        return bool(self.session.one("SELECT pg_try_advisory_lock(hashtext(%s), 0)", self.session.schema)[0])

    def unlock(self) -> None:
        self.session.one("SELECT pg_advisory_unlock_all()")

    def pages(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ids and sites of all pages of the crawl."""
        return SharedGraph(self.session).pages()

    def others(self) -> Others:
        alive, poorest, sites, busy = self.session.one(_OTHERS, self.me.id)
        free, posted = self.session.one(_FREE)
        return Others(int(alive), int(poorest), int(sites), int(busy), int(free), int(posted))

    def is_alone(self) -> bool:
        return not self.session.one("SELECT count(*) FROM worker WHERE id <> %s AND alive_until > now()", self.me.id)[0]


def of_site(part: str) -> int:
    """The site a part of ordering or budget is about, 0 if none: "budget.site:12", "ordering.event:12:3"."""
    found = re.match(r"\w+\.(?:site|event):(\d+)", part)
    return int(found[1]) if found else 0

"""What a worker of a shared store has done since its last commit, and how it becomes one short transaction.

Rows go as arrays, one statement a table, in one pipeline: the server is asked once, however much there is. The first
statement is the fence: it fails if the worker's lease has run out and somebody else was given its sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from focused.store.interface import Fenced
from focused.store.rows import GIVEN_UP, Abroad, Fetched, Kept, Lease, Site
from focused.store.session import Connection
from focused.store.shared_search import searchable

_FENCE = """WITH mine AS (UPDATE worker SET batch = %s, busy = %s, waiting = %s, seen_at = clock_timestamp(),
        alive_until = clock_timestamp() + make_interval(secs => %s) WHERE id = %s AND epoch = %s RETURNING 1)
    SELECT 1 / count(*) FROM mine"""
_PAGES = """INSERT INTO page (id, url, site_id, score, depth, parent_id, hops, trail, request, key)
    SELECT * FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::float8[], %s::int[], %s::bigint[], %s::smallint[],
    %s::text[], %s::text[], %s::bigint[]) ON CONFLICT DO NOTHING"""
_LINKS = """INSERT INTO link SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::float8[])
    ON CONFLICT DO NOTHING"""
_ABROAD = """INSERT INTO inbox (site_id, key, url, score, depth, source_id, hops, trail, request, anchor, dom_path)
    SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::float8[], %s::int[], %s::bigint[], %s::int[],
    %s::text[], %s::text[], %s::text[], %s::text[])"""
_LETTERS = "INSERT INTO letter (site_id, value) SELECT * FROM unnest(%s::bigint[], %s::float8[])"
_NEW_SCORES = """INSERT INTO letter (site_id, page_id, value) SELECT page.site_id, page.id, new.score
    FROM unnest(%s::bigint[], %s::float8[]) AS new (id, score) JOIN page ON page.id = new.id
    JOIN site ON site.id = page.site_id WHERE page.state = 0 AND site.owner IS DISTINCT FROM %s"""
_RAISED = """UPDATE page SET score = new.score, parent_id = new.parent_id, depth = least(page.depth, new.depth),
    trail = coalesce(new.trail, page.trail)
    FROM unnest(%s::float8[], %s::bigint[], %s::int[], %s::text[], %s::bigint[])
        AS new (score, parent_id, depth, trail, id)
    WHERE page.id = new.id AND state = 0"""
_RESCORED = """UPDATE page SET score = new.score FROM unnest(%s::bigint[], %s::float8[]) AS new (id, score)
    WHERE page.id = new.id AND state = 0"""
_MEANS = """UPDATE page SET score = new.score, links = new.links
    FROM unnest(%s::bigint[], %s::float8[], %s::int[]) AS new (id, score, links) WHERE page.id = new.id AND state = 0"""
_LEASES = """UPDATE page SET state = new.state, tries = new.tries, token = new.token, not_before = NULL
    FROM unnest(%s::bigint[], %s::bigint[], %s::smallint[], %s::int[], %s::int[])
        AS new (id, site_id, state, tries, token)
    WHERE page.id = new.id AND page.site_id = new.site_id"""
_DONE = """WITH counted AS (UPDATE total SET pages = pages + %s, relevant = relevant + %s, failed = failed + %s
        RETURNING pages)
    UPDATE page SET state = new.state, outcome = new.outcome, fetched_at = new.fetched_at, status = new.status,
        visit = CASE WHEN new.is_first = 1 THEN counted.pages - %s + new.visit ELSE new.visit END,
        relevance = new.relevance, relevant = new.relevant, class = new.best_class, title = new.title, hash = new.hash,
        warc_offset = new.warc_offset, etag = new.etag, last_modified = new.last_modified,
        not_before = new.not_before, worker_id = %s
    FROM counted, unnest(%s::bigint[], %s::bigint[], %s::int[], %s::smallint[], %s::smallint[], %s::text[],
        %s::bigint[], %s::float8[], %s::int[], %s::float8[], %s::smallint[], %s::text[], %s::text[], %s::bigint[],
        %s::bigint[], %s::text[], %s::text[], %s::float8[])
        AS new (id, site_id, token, is_first, state, outcome, visit, fetched_at, status, relevance, relevant,
        best_class, title, hash, warc_offset, etag, last_modified, not_before)
    WHERE page.id = new.id AND page.site_id = new.site_id AND page.token = new.token AND page.state IN (1, 4)"""
_TEXTS = """INSERT INTO page_text SELECT new.id, new.text, setweight(to_tsvector('words', new.title), 'A')
        || setweight(to_tsvector('words', new.url), 'B') || to_tsvector('words', new.words)
    FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[]) AS new (id, title, url, text, words)
    ON CONFLICT (page_id) DO UPDATE SET text = excluded.text, words = excluded.words"""
_LOOKS = """UPDATE page SET state = 2, last_visit = new.at, revisits = revisits + new.answered,
        changes = changes + new.changed, outcome = coalesce(new.outcome, page.outcome)
    FROM unnest(%s::float8[], %s::int[], %s::int[], %s::text[], %s::bigint[], %s::int[])
        AS new (at, answered, changed, outcome, id, token)
    WHERE page.id = new.id AND page.token = new.token"""
_SITES = """UPDATE site SET state = new.state, why = new.why, pages = new.pages, relevant = new.relevant,
        relevance = new.relevance, errors = new.errors, delay = new.delay, next_ok_at = new.next_ok_at,
        posterior = new.posterior, mean_confidence = new.mean_confidence, budget = new.budget
    FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::int[], %s::int[], %s::float8[], %s::int[], %s::float8[],
        %s::float8[], %s::float8[], %s::float8[], %s::int[]) AS new (id, state, why, pages, relevant, relevance, errors,
        delay, next_ok_at, posterior, mean_confidence, budget)
    WHERE site.id = new.id"""
_RESTS = """UPDATE site SET next_ok_at = new.at FROM unnest(%s::bigint[], %s::float8[]) AS new (id, at)
    WHERE site.id = new.id"""
_ROBOTS = """UPDATE site SET robots_status = new.status, robots = new.robots, robots_until = new.until
    FROM unnest(%s::bigint[], %s::int[], %s::text[], %s::float8[]) AS new (id, status, robots, until)
    WHERE site.id = new.id"""
_MEMORY = """INSERT INTO memory SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[])
    ON CONFLICT (holder, name) DO UPDATE SET value = excluded.value"""
_OWN_HUBS = """DELETE FROM hub USING page JOIN site ON site.id = page.site_id
    WHERE page.id = hub.page_id AND site.owner = %s"""
# A site may have gone to another worker since its hubs were looked for: they are told twice, and the later counts.
_HUBS = """INSERT INTO hub SELECT * FROM unnest(%s::bigint[], %s::float8[], %s::float8[], %s::int[])
    ON CONFLICT (page_id) DO UPDATE
    SET hub = excluded.hub, authority = excluded.authority, at_pages = excluded.at_pages"""
_NOTES = """INSERT INTO meta SELECT * FROM unnest(%s::text[], %s::text[])
    ON CONFLICT (name) DO UPDATE SET value = excluded.value"""
_OUTPUTS = """INSERT INTO output SELECT %s, * FROM unnest(%s::text[], %s::bigint[])
    ON CONFLICT (worker_id, name) DO UPDATE SET "offset" = excluded."offset" """


@dataclass(slots=True)
class Standing:
    """Who commits, and how it is doing."""

    id: int
    epoch: int
    lease: float  # seconds
    batch: int = 0
    busy: int = 1  # until it has looked what it has to do
    waiting: int = 0


@dataclass(slots=True)
class Batch:
    """Grows until it is committed."""

    pages: list[tuple[Any, ...]] = field(default_factory=list)  # a NewPage and its key
    links: dict[tuple[int, int], tuple[Any, ...]] = field(default_factory=dict)
    abroad: list[Abroad] = field(default_factory=list)
    letters: list[tuple[int, float]] = field(default_factory=list)  # to whoever has the site
    new_scores: dict[int, float] = field(default_factory=dict)  # of pages that may be on others' sites
    taken: list[int] = field(default_factory=list)  # entries of the inbox that are among the rest
    opened: list[int] = field(default_factory=list)  # letters, the same
    raised: dict[int, tuple[Any, ...]] = field(default_factory=dict)  # by page: score, parent, depth, trail, page
    rescored: dict[int, float] = field(default_factory=dict)
    counted: dict[int, int] = field(default_factory=dict)  # by page: over how many links its score is a mean
    leases: dict[int, tuple[int, int, int, int]] = field(default_factory=dict)  # page: site, state, tries, token
    done: list[tuple[Any, ...]] = field(default_factory=list)  # page, site, token, is it the first visit, a Fetched
    visits: list[int] = field(default_factory=lambda: [0, 0, 0])  # pages, relevant, failed among them
    texts: dict[int, tuple[str, str, str, str]] = field(default_factory=dict)  # by page: see searchable
    looks: list[tuple[Any, ...]] = field(default_factory=list)
    sites: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    rests: dict[int, float] = field(default_factory=dict)
    robots: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    memory: dict[tuple[int, str], str | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    events: list[tuple[float, str, str]] = field(default_factory=list)
    hubs: list[tuple[int, float, float, int]] | None = None
    hubs_are_whole: bool = False

    def finish(self, row: Lease, fetched: Fetched, kept: Kept | None, text: str = "") -> None:
        """Visits count from 1 in each batch; the totals make numbers of them. A page looked at again keeps its own."""
        if fetched.visit is not None:
            self.texts[row.id] = searchable(fetched.title, row.url, text if fetched.warc_offset is not None else "")
        is_first = kept is None and fetched.visit is not None
        self.visits[0] += is_first
        self.visits[1] += bool(fetched.relevant) - (kept.relevant if kept else 0) if fetched.visit is not None else 0
        self.visits[2] += fetched.state == GIVEN_UP
        if is_first:
            fetched = fetched._replace(visit=self.visits[0])
        self.done.append((row.id, row.site_id, row.token, int(is_first), *fetched))

    def save_site(self, site: Site) -> None:
        self.rests.pop(site.id, None)
        self.sites[site.id] = (
            site.id, site.state, site.why, site.pages, site.relevant, site.relevance, site.errors, site.delay,
            site.next_ok_at, site.posterior, site.mean_confidence, site.budget,
        )  # fmt: skip

    @property
    def is_empty(self) -> bool:
        return self.hubs is None and not any(getattr(self, name) for name in self.__slots__ if name != "visits")

    def commit(self, db: Connection, worker: Standing, offsets: Sequence[tuple[str, int]]) -> tuple[int, int, int]:
        """One transaction; returns pages, relevant pages and failures of the whole crawl."""
        try:
            with db.pipeline(), db.transaction():
                db.execute(_FENCE, (worker.batch, worker.busy, worker.waiting, worker.lease, worker.id, worker.epoch))
                self._write_found(db)
                self._write_letters(db, worker)
                self._write_site_news(db)
                self._write_small_things(db, worker, offsets)
                _many(db, _TEXTS, [(page, *rest) for page, rest in self.texts.items()])
                self._write_visits(db, worker)
                totals = db.execute("SELECT pages, relevant, failed FROM total")
            row = totals.fetchone()
        except psycopg.errors.DivisionByZero:
            raise Fenced from None
        assert row is not None
        return row[0], row[1], row[2]

    def _write_found(self, db: Connection) -> None:
        _many(db, _PAGES, self.pages)
        _many(db, _LINKS, self.links.values())
        _many(db, _ABROAD, self.abroad)
        _many(db, _RAISED, self.raised.values())
        rescored, counted = self.rescored, self.counted
        _many(db, _MEANS, [(page, rescored[page], links) for page, links in counted.items() if page in rescored])
        _many(db, _RESCORED, [new for new in rescored.items() if new[0] not in counted])

    def _write_letters(self, db: Connection, worker: Standing) -> None:
        _many(db, _LETTERS, self.letters)
        if self.new_scores:
            db.execute(_NEW_SCORES, (*columns(self.new_scores.items()), worker.id))
        for table, numbers in (("inbox", self.taken), ("letter", self.opened)):
            if numbers:
                db.execute(f"DELETE FROM {table} WHERE id = ANY(%s::bigint[])", (column(numbers),))

    def _write_site_news(self, db: Connection) -> None:
        _many(db, _SITES, [self.sites[site] for site in sorted(self.sites)])
        _many(db, _RESTS, sorted(self.rests.items()))
        _many(db, _ROBOTS, [self.robots[site] for site in sorted(self.robots)])

    def _write_small_things(self, db: Connection, worker: Standing, offsets: Sequence[tuple[str, int]]) -> None:
        _many(db, _MEMORY, [(*key, value) for key, value in self.memory.items() if value is not None])
        gone = [key for key, value in self.memory.items() if value is None]
        if gone:
            sql = """DELETE FROM memory USING unnest(%s::bigint[], %s::text[]) AS old (holder, name)
                WHERE memory.holder = old.holder AND memory.name = old.name"""
            _many(db, sql, gone)
        _many(db, "INSERT INTO event SELECT * FROM unnest(%s::float8[], %s::text[], %s::text[])", self.events)
        if self.hubs is not None:
            db.execute(*(("DELETE FROM hub",) if self.hubs_are_whole else (_OWN_HUBS, (worker.id,))))
            _many(db, _HUBS, self.hubs)
        _many(db, _NOTES, sorted(self.notes.items()))
        if offsets:
            db.execute(_OUTPUTS, (worker.id, *columns(offsets)))

    def _write_visits(self, db: Connection, worker: Standing) -> None:
        """Last: the totals are one row for all workers, locked from here to the end."""
        _many(db, _LEASES, [(page, *rest) for page, rest in self.leases.items()])
        if self.done:
            db.execute(_DONE, (*self.visits, self.visits[0], worker.id, *columns(self.done)))
        _many(db, _LOOKS, self.looks)


def columns(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Rows as arrays, one a column."""
    return [column(values) for values in zip(*rows, strict=True)]


def column(values: Sequence[Any]) -> str:
    """An array as PostgreSQL writes it; all values are texts, or all are numbers, or None.

    >>> column([1, None, True, 0.5]), column(['a "b"', None])
    ('{1,NULL,1,0.5}', '{"a \\\\"b\\\\"",NULL}')
    """
    first = next((value for value in values if value is not None), None)
    if isinstance(first, str):
        return _plain(values) or "{" + ",".join(["NULL" if value is None else _text(value) for value in values]) + "}"
    numbers = ",".join(map(str, values))
    if "e" in numbers:  # of None, True and False, or 1e-05
        numbers = numbers.replace("None", "NULL").replace("True", "1").replace("False", "0")
    return "{" + numbers + "}"


def _plain(values: Sequence[str | None]) -> str:
    """The same for texts in which nothing has to be marked, none missing, without a look at each; else empty."""
    if None in values:
        return ""
    joined = "\0".join(values)  # type: ignore[arg-type]  # none is missing
    if "\\" in joined or '"' in joined or joined.count("\0") >= len(values):
        return ""
    return '{"' + joined.replace("\0", '","') + '"}'


def _text(value: str) -> str:
    """PostgreSQL has no NUL in a text."""
    if "\\" in value or '"' in value or "\0" in value:
        value = value.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "")
    return f'"{value}"'


def _many(db: Connection, sql: str, rows: Iterable[Sequence[Any]]) -> None:
    listed = list(rows)
    if listed:
        db.execute(sql, columns(listed))

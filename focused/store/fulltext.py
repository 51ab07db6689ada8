"""Full-text search over the pages of a crawl: search.db beside crawl.db, which has another writer.

It grows by the pages fetched since the last time. It can be deleted; it is made again.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

from focused.errors import StoreError
from focused.store.queries import Reading

FILE = "search.db"
BATCH = 100  # pages a transaction
CHARACTERS = 50_000  # kept of a page's text
MARKS = ("\x02", "\x03")  # around a word that was found
_WORDS = re.compile(r'"([^"]*)"|(\S+)')
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS made (crawl TEXT, visit INTEGER NOT NULL);
    CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5 (title, url, text, relevance UNINDEXED,
        tokenize = "porter unicode61 remove_diacritics 2");
"""
_NEW = """SELECT id, visit, title, url, relevance, warc_offset, {} FROM page
    WHERE visit > ? AND visit IS NOT NULL ORDER BY visit LIMIT ?"""


class NewPage(NamedTuple):
    """A page that is not in the index yet."""

    id: int
    visit: int
    title: str | None
    url: str
    relevance: float | None
    warc_offset: int | None
    segment: str = ""  # of the WARC it is in


class Hit(NamedTuple):
    """A page that has all the words."""

    page_id: int
    title: str
    url: str
    relevance: float | None
    snippet: str  # MARKS around the words


TextOf = Callable[[NewPage], str]


class SearchIndex:
    """The index of one crawl."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.path = reading.folder / FILE

    def grow(self, text_of: TextOf, go_on: Callable[[], bool]) -> int:
        """Take in new pages as long as one may; returns the last visit that is in the index."""
        with self._open() as db:
            visit = self._begin(db)
            while go_on() and (rows := self.reading._all(_NEW.format(self.reading.sql.segment), visit, BATCH)):
                pages = [NewPage(*row) for row in rows]
                values = [(p.id, p.title, p.url, text_of(p)[:CHARACTERS], p.relevance) for p in pages]
                visit = _taken_in(db, visit, pages[-1].visit, values)
            return visit

    def search(self, words: str, limit: int = 50) -> list[Hit]:
        """Pages with all words, the best first; words in quotes stand side by side."""
        wanted = query_of(words)
        if not wanted or not self.path.is_file():
            return []
        sql = f"""SELECT rowid, title, url, relevance, snippet(found, 2, '{MARKS[0]}', '{MARKS[1]}', ' … ', 24)
            FROM found WHERE found MATCH ? ORDER BY bm25(found, 8, 4, 1) LIMIT ?"""
        with self._open() as db:
            self._begin(db)
            return [Hit(*row) for row in db.execute(sql, (wanted, limit))]

    def count(self, words: str) -> int:
        """How many pages have all words."""
        wanted = query_of(words)
        if not wanted or not self.path.is_file():
            return 0
        with self._open() as db:
            self._begin(db)
            return int(db.execute("SELECT count(*) FROM found WHERE found MATCH ?", (wanted,)).fetchone()[0])

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)  # a shared crawl may have no folder here
        try:
            with closing(sqlite3.connect(self.path, timeout=10)) as db:
                yield db
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} cannot be used ({error}): delete it, it is made again.") from None

    def _begin(self, db: sqlite3.Connection) -> int:
        """The last visit in the index; an index of an earlier crawl in the same folder is emptied."""
        db.executescript(_SCHEMA)
        crawl = self.reading.meta().get("started_at", "")
        known = db.execute("SELECT crawl, visit FROM made").fetchone()
        if known and known[0] == crawl:
            return int(known[1])
        with db:
            db.execute("DELETE FROM made")
            db.execute("DELETE FROM found")
            db.execute("INSERT INTO made VALUES (?, 0)", (crawl,))
        return 0


def _taken_in(db: sqlite3.Connection, since: int, until: int, values: Sequence[tuple[object, ...]]) -> int:
    """The last visit in the index afterwards. Whoever searches at the same time may have been quicker with them."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        (known,) = db.execute("SELECT visit FROM made").fetchone()
        if known != since:
            return int(known)
        db.executemany("INSERT INTO found (rowid, title, url, text, relevance) VALUES (?, ?, ?, ?, ?)", values)
        db.execute("UPDATE made SET visit = ?", (until,))
    return until


def query_of(words: str) -> str:
    """What somebody typed, in FTS5's language: every word must be there, and none is an operator.

    >>> query_of('road "bike shop" NOT*')
    '"road" "bike shop" "NOT*"'
    """
    found = (phrase or word for phrase, word in _WORDS.findall(words.replace("\0", " ")))
    return " ".join(f'"{one.replace(chr(34), " ")}"' for one in found if any(map(str.isalnum, one)))

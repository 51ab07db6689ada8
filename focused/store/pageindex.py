"""A full-text index of some pages: what stands in for a search engine where none may be asked."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from focused.errors import StoreError
from focused.store.fulltext import query_of

_SCHEMA = """CREATE VIRTUAL TABLE IF NOT EXISTS known
    USING fts5 (title, text, url UNINDEXED, tokenize = "porter unicode61 remove_diacritics 2")"""


class PageIndex:
    """One file; it can be deleted and is made again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fill(self, pages: Iterable[tuple[str, str, str]]) -> None:
        """Pages as (title, text, URL), all in one go: it is whole or it is not there, also if several make it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_suffix(f".part{os.getpid()}")
        partial.unlink(missing_ok=True)
        with closing(sqlite3.connect(partial)) as db, db:
            db.execute(_SCHEMA)
            db.executemany("INSERT INTO known VALUES (?, ?, ?)", pages)
        partial.rename(self.path)

    @property
    def exists(self) -> bool:
        return self.path.is_file()

    def find(self, words: str, most: int) -> tuple[list[str], int]:
        """URLs of the best pages that have all words, and how many have them."""
        wanted = query_of(words)
        if not wanted:
            return [], 0
        try:
            with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)) as db:
                hits = db.execute("SELECT count(*) FROM known WHERE known MATCH ?", (wanted,)).fetchone()[0]
                best = "SELECT url FROM known WHERE known MATCH ? ORDER BY bm25(known, 4, 1), rowid LIMIT ?"
                return [row[0] for row in db.execute(best, (wanted, most))], int(hits)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} cannot be used ({error}): delete it, it is made again.") from None

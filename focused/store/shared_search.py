"""Full-text search over the pages of a shared crawl: what the workers tell of each page, and who finds it there.

The same pages, words and answers as focused.store.fulltext, but the index is the store's: any machine may ask it.
Differs: what is found is ranked by PostgreSQL's ts_rank and not by BM25, which needs counts that it does not keep; and
words side by side are told by their places, of which PostgreSQL keeps 16,383 a page and 255 a word.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache

from focused.dom import apart
from focused.store.dialect import POSTGRES
from focused.store.fulltext import CHARACTERS, MARKS, Hit, SearchIndex, TextOf, query_of
from focused.store.live import last_visit
from focused.store.queries import Reading

SINCE = 3  # the version of the schema
RANKED = 5_000  # hits among which the best are looked for: each has to be read, and every page may have a word
SHOWN = 200  # characters of a text in which no word is to be marked
_ASCII = bytes(range(128))
_FOUND = """SELECT page.id, page.title, page.url, page.relevance, best.text FROM (
        SELECT page_id, text, ts_rank('{{0.1, 0, 0.5, 1}}', words, {query}, 1) AS rank FROM (
            SELECT page_id, text, words FROM page_text WHERE words @@ {query} LIMIT {ranked}) AS hit
        ORDER BY rank DESC, page_id LIMIT ?) AS best
    JOIN page ON page.id = best.page_id ORDER BY rank DESC, page.id"""
_SNIPPETS = """CREATE VIRTUAL TABLE hit USING fts5 (title, url, text,
    tokenize = "porter unicode61 remove_diacritics 2")"""
Found = tuple[int, str | None, str, float | None, str]  # a page: id, title, URL, relevance, text


class SharedIndex:
    """The index of one shared crawl; it is asked as a SearchIndex is."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def grow(self, text_of: TextOf, go_on: Callable[[], bool]) -> int:
        """Nothing is missing: each page came with its text."""
        return last_visit(self.reading)

    def search(self, words: str, limit: int = 50) -> list[Hit]:
        """Pages with all words, the best first; words in quotes stand side by side."""
        wanted = query_of(words)
        phrases = [plain(phrase) for phrase in re.findall('"([^"]*)"', wanted)]
        if not phrases:
            return []
        query = "(" + " && ".join(["phraseto_tsquery('words', ?)"] * len(phrases)) + ")"
        rows = self.reading._all(_FOUND.format(query=query, ranked=RANKED), *phrases, *phrases, limit)
        marked = _snippets(rows, wanted)
        return [
            Hit(page, title or "", url, worth, marked.get(page, text[:SHOWN])) for page, title, url, worth, text in rows
        ]


def index_of(reading: Reading) -> SearchIndex | SharedIndex:
    """What finds the pages of a crawl. A shared one of an earlier version is searched as if it were not."""
    is_shared = reading.sql is POSTGRES and int(reading.meta()["schema_version"]) >= SINCE
    return SharedIndex(reading) if is_shared else SearchIndex(reading)


def searchable(title: str | None, url: str, text: str) -> tuple[str, str, str, str]:
    """What the store needs of a page: the words of its title and its URL; its text, and the words of it."""
    text = text[:CHARACTERS]
    return plain(title or ""), plain(url), text, plain(text)


def plain(text: str) -> str:
    """Only words with spaces between them, small, without accents.

    >>> plain("Über den Café-Bäumen: «3,5 m»").split()
    ['uber', 'den', 'cafe', 'baumen', '3', '5', 'm']
    """
    if not text.isascii():
        for sign in set(text.encode().translate(None, _ASCII).decode()):
            if (bare := _bare(sign)) != sign:
                text = text.replace(sign, bare)
    return apart(text.lower())


@cache
def _bare(sign: str) -> str:
    """A Latin letter without its marks, another as it is; a mark of its own is nothing, what is in no word a space."""
    small = sign.lower()
    bare = "".join(part for part in unicodedata.normalize("NFD", small) if not "\u0300" <= part <= "\u036f")
    letter = bare if bare.isascii() else small
    return letter if letter.isalnum() or not letter else " "


def _snippets(rows: Sequence[Found], wanted: str) -> dict[int, str]:
    """The passages with the words, by page: FTS5's own, out of a table of these few pages."""
    sql = f"""SELECT rowid, snippet(hit, 2, '{MARKS[0]}', '{MARKS[1]}', ' … ', 24) FROM hit WHERE hit MATCH ?"""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(_SNIPPETS)
        values = [(row[0], row[1], row[2], row[4]) for row in rows]
        db.executemany("INSERT INTO hit (rowid, title, url, text) VALUES (?, ?, ?, ?)", values)
        return dict(db.execute(sql, (wanted,)))

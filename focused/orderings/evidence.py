"""What speaks for each waiting link, one row a link, however many pages link to it.

Bounded: when there are more than `most` rows, the quarter with the lowest scores is given up. Such a link keeps its
score; when it is seen again, its row begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from focused.orderings.sighting import WORDS
from models.packed import packed, unpacked

# Columns of places in the table of counters. What is shrunk to the same level stands side by side, and so does what
# is shrunk to one of these: the directory to the host, the lists a link stands in to the pages they are on.
SOURCES = 8  # the newest pages that link to it
PATH, TOKENS, HOST = 0, slice(1, 1 + WORDS), 1 + WORDS
HUBS = slice(HOST + 1, HOST + 1 + SOURCES)
DIRECTORY = HUBS.stop
GROUPS = slice(DIRECTORY + 1, DIRECTORY + 1 + SOURCES)
TEMPLATE = GROUPS.stop
PLACES = TEMPLATE + 1
# Columns of values: first those that add up over the pages that link to it, then those of which the highest counts.
LINKS, PAGE_SUM, BELIEF_SUM, SAME_HOST = range(4)
ANCHOR, AROUND, URL, FEEDBACK, PAGE_MAX, POSITION, DISTANCE, DEPTH, SCORE = range(4, 13)
SUMS, HIGHEST = slice(LINKS, ANCHOR), slice(ANCHOR, POSITION)
VALUES = SCORE + 1
WIDTH = 1 + PLACES + VALUES


class Rows:
    """All of a link in one row of one table, so that rows are had by one look: its page id, places, values."""

    __slots__ = ("pages", "places", "table", "values")

    def __init__(self, table: NDArray[np.int32]) -> None:
        self.table = table
        self.pages: NDArray[np.uint32] = table.view(np.uint32)[:, 0]  # 0: the row is free
        self.places: NDArray[np.int32] = table[:, 1 : 1 + PLACES]
        self.values: NDArray[np.float32] = table.view(np.float32)[:, 1 + PLACES :]

    def __len__(self) -> int:
        return len(self.table)

    @classmethod
    def free(cls, size: int) -> Self:
        return cls(np.zeros((size, WIDTH), np.int32))

    def at(self, where: list[int] | NDArray[np.integer]) -> Rows:
        """A copy of some of them; a list costs thrice what an array does."""
        return Rows(self.table.take(where, axis=0))


class Evidence:
    """Rows by page id."""

    def __init__(self, most: int = 50_000) -> None:
        self.most = most
        self.rows = Rows.free(1024)
        self._at: dict[int, int] = {}
        self._free: list[int] = list(range(1023, -1, -1))
        self.pointer = 0  # where the round over all rows has come to

    def __len__(self) -> int:
        return len(self._at)

    def where(self, pages: Iterable[int]) -> list[int]:
        """The places of the rows of those pages that have one."""
        return [self._at[page] for page in pages if page in self._at]

    def distance_of(self, page: int) -> float | None:
        """Links since a relevant page, if the page has a row."""
        at = self._at.get(page)
        return None if at is None else self.rows.values.item(at, DISTANCE)

    def pop(self, page: int) -> Rows | None:
        """The row of a page, as rows of one; the page waits no more."""
        at = self._at.pop(page, None)
        if at is None:
            return None
        row = Rows(self.rows.table[at : at + 1].copy())
        self.rows.pages[at] = 0
        self._free.append(at)
        return row

    def move(self, page: int, target: int) -> None:
        """A redirect: another page takes the place of this one."""
        row = self.pop(page)
        if row is not None and target not in self._at:
            row.pages[0] = target
            self.enter(row)

    def enter(self, found: Rows) -> list[int]:
        """Links of one page, each with one row; those that are known get more of it, and are returned."""
        pages = found.pages.tolist()
        self._room(len(pages))
        at = np.array([self._at.get(page, -1) for page in pages], np.int64)
        is_known = at >= 0
        old, new = is_known.nonzero()[0], (~is_known).nonzero()[0]
        if len(new):
            fresh = [self._free.pop() for _ in range(len(new))]
            self._at.update(zip(found.pages.take(new).tolist(), fresh, strict=True))
            self.rows.table[np.array(fresh)] = found.table.take(new, axis=0)
        if len(old):
            self._merge(at.take(old), found.at(old))
        known: list[int] = found.pages.take(old).tolist()
        return known

    def _merge(self, where: NDArray[np.int64], found: Rows) -> None:
        rows = self.rows.at(where)
        oldest, each = rows.values[:, LINKS].astype(np.int64) % SOURCES, np.arange(len(where))
        for columns in (HUBS, GROUPS):
            rows.places[each, columns.start + oldest] = found.places[:, columns.start]
        rows.values[:, SUMS] += found.values[:, SUMS]
        for columns, choose in ((HIGHEST, np.maximum), (slice(DISTANCE, SCORE), np.minimum)):
            choose(rows.values[:, columns], found.values[:, columns], out=rows.values[:, columns])
        self.rows.table[where] = rows.table

    def next_round(self, count: int) -> NDArray[np.int64]:
        """The next places that are taken, round and round."""
        size, start = len(self.rows.pages), self.pointer
        end = min(start + count, size)
        self.pointer = end % size
        return start + self.rows.pages[start:end].nonzero()[0]

    def renumber(self, moved: NDArray[np.integer]) -> None:
        """What is counted has other places now."""
        self.rows.places[:] = moved[self.rows.places]

    def _room(self, count: int) -> None:
        if len(self._at) + count > self.most:
            taken = np.flatnonzero(self.rows.pages)
            for at in taken[np.argsort(self.rows.values[taken, SCORE], kind="stable")[: self.most // 4]].tolist():
                self.pop(int(self.rows.pages[at]))
        while len(self._free) < count:
            size = len(self.rows.pages)
            self.rows = Rows(np.concatenate((self.rows.table, np.zeros_like(self.rows.table))))
            self._free = [*range(2 * size - 1, size - 1, -1), *self._free]

    def saved(self) -> dict[str, Any]:
        return {"rows": packed(self.rows.table), "free": self._free, "pointer": self.pointer}

    def restore(self, saved: dict[str, Any]) -> None:
        self.rows = Rows(unpacked(saved["rows"], np.int32).reshape(-1, WIDTH))
        self._free, self.pointer = saved["free"], saved["pointer"]
        taken = np.flatnonzero(self.rows.pages)
        self._at = dict(zip(self.rows.pages[taken].tolist(), taken.tolist(), strict=True))

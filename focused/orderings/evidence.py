"""What speaks for each waiting link, one row a link, however many pages link to it.

Bounded: when there are more than `most` rows, the quarter with the lowest scores is given up. Such a link keeps its
score; when it is seen again, its row begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

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
LINKS, PAGE_SUM, BELIEF_SUM, SAME_HOST, ANCHOR, AROUND, URL, PAGE_MAX, POSITION, DISTANCE, DEPTH, SCORE = range(12)
SUMS, HIGHEST = slice(LINKS, ANCHOR), slice(ANCHOR, POSITION)
VALUES = SCORE + 1


class Rows(NamedTuple):
    pages: NDArray[np.uint32]  # 0: the row is free
    places: NDArray[np.int32]
    values: NDArray[np.float32]

    @classmethod
    def free(cls, size: int) -> Self:
        numbers, values = np.zeros((size, PLACES), np.int32), np.zeros((size, VALUES), np.float32)
        return cls(np.zeros(size, np.uint32), numbers, values)

    def at(self, where: list[int] | NDArray[np.integer]) -> Rows:
        """A copy of some of them."""
        return Rows(self.pages.take(where), self.places.take(where, axis=0), self.values.take(where, axis=0))

    def put(self, where: list[int], rows: Rows) -> None:
        for mine, new in zip(self, rows, strict=True):
            mine[where] = new


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

    def pop(self, page: int) -> Rows | None:
        """The row of a page, as rows of one; the page waits no more."""
        at = self._at.pop(page, None)
        if at is None:
            return None
        row = self.rows.at([at])
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
        at = self._at
        new = [number for number, page in enumerate(pages) if page not in at]
        old = [number for number, page in enumerate(pages) if page in at] if len(new) < len(pages) else []
        known = [pages[number] for number in old]
        if new:
            fresh = [self._free.pop() for _ in new]
            at.update(zip([pages[number] for number in new], fresh, strict=True))
            self.rows.put(fresh, found.at(new) if old else found)
        if known:
            self._merge(self.where(known), found.at(old))
        return known

    def _merge(self, where: list[int], found: Rows) -> None:
        rows = self.rows.at(where)
        oldest, each = rows.values[:, LINKS].astype(np.int64) % SOURCES, np.arange(len(where))
        for columns in (HUBS, GROUPS):
            rows.places[each, columns.start + oldest] = found.places[:, columns.start]
        rows.values[:, SUMS] += found.values[:, SUMS]
        for columns, choose in ((HIGHEST, np.maximum), (slice(DISTANCE, SCORE), np.minimum)):
            rows.values[:, columns] = choose(rows.values[:, columns], found.values[:, columns])
        self.rows.put(where, rows)

    def next_round(self, count: int) -> list[int]:
        """The next places that are taken, round and round."""
        size, start = len(self.rows.pages), self.pointer
        end = min(start + count, size)
        self.pointer = end % size
        return [start + i for i, page in enumerate(self.rows.pages[start:end].tolist()) if page]

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
            more = Rows.free(2 * size)
            more.put(list(range(size)), self.rows)
            self.rows = more
            self._free = [*range(2 * size - 1, size - 1, -1), *self._free]

    def saved(self) -> dict[str, Any]:
        return {"rows": list(map(packed, self.rows)), "free": self._free, "pointer": self.pointer}

    def restore(self, saved: dict[str, Any]) -> None:
        pages, places, values = map(unpacked, saved["rows"], (np.uint32, np.int32, np.float32))
        self.rows = Rows(pages, places.reshape(-1, PLACES), values.reshape(-1, VALUES))
        self._free, self.pointer = saved["free"], saved["pointer"]
        taken = np.flatnonzero(pages)
        self._at = dict(zip(pages[taken].tolist(), taken.tolist(), strict=True))

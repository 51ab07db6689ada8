"""What speaks for each waiting link, one row a link, however many pages link to it.

Bounded: when there are more than `most` rows, the quarter with the lowest scores is given up. Such a link keeps its
score; when it is seen again, its row begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.orderings.sighting import WORDS, Rows
from models.packed import packed, unpacked

SOURCES = 8  # the newest pages that link to it
ROW = np.dtype(
    [
        ("page", "u4"),  # 0: the row is free
        *((name, "i4") for name in ("host", "directory", "template", "path")),
        ("tokens", "i4", (WORDS,)),
        ("sources", "i4", (SOURCES,)),
        ("groups", "i4", (SOURCES,)),
        *((name, "f4") for name in ("links", "page_max", "page_sum", "belief_sum", "anchor_max", "anchor_sum")),
        *((name, "f4") for name in ("around", "url", "distance", "same_host", "position", "score")),
    ]
)
SUMS = ("links", "page_sum", "belief_sum", "anchor_sum", "same_host")
HIGHEST = ("page_max", "anchor_max", "around", "url")


class Evidence:
    """Rows by page id."""

    def __init__(self, most: int = 50_000) -> None:
        self.most = most
        self.rows: Rows = np.zeros(1024, ROW)
        self._at: dict[int, int] = {}
        self._free: list[int] = list(range(1023, -1, -1))
        self.pointer = 0  # where the round over all rows has come to

    def __len__(self) -> int:
        return len(self._at)

    def where(self, pages: Iterable[int]) -> list[int]:
        """The places of the rows of those pages that have one."""
        return [self._at[page] for page in pages if page in self._at]

    def pop(self, page: int) -> Rows | None:
        """The row of a page, as an array of one; the page waits no more."""
        at = self._at.pop(page, None)
        if at is None:
            return None
        row = self.rows[at : at + 1].copy()
        self.rows["page"][at] = 0
        self._free.append(at)
        return row

    def move(self, page: int, target: int) -> None:
        """A redirect: another page takes the place of this one."""
        row = self.pop(page)
        if row is not None and target not in self._at:
            row["page"] = target
            self.enter(row)

    def enter(self, found: Rows) -> list[int]:
        """Links of one page, each with one row; those that are known get more of it, and their places are returned."""
        self._room(len(found))
        get = self._at.get
        places = [get(page, -1) for page in found["page"].tolist()]
        new = [i for i, place in enumerate(places) if place < 0]
        old = [i for i, place in enumerate(places) if place >= 0]
        for i in new:
            places[i] = self._at[int(found["page"][i])] = self._free.pop()
        self.rows[[places[i] for i in new]] = found[new]
        known = [places[i] for i in old]
        if known:
            self._merge(np.array(known), found[old])
        return known

    def _merge(self, at: NDArray[np.int64], found: Rows) -> None:
        rows = self.rows
        oldest = rows["links"][at].astype(np.int64) % SOURCES
        for name in ("sources", "groups"):
            rows[name][at, oldest] = found[name][:, 0]
        for name in SUMS:
            rows[name][at] += found[name]
        for name in HIGHEST:
            rows[name][at] = np.maximum(rows[name][at], found[name])
        rows["distance"][at] = np.minimum(rows["distance"][at], found["distance"])

    def next_round(self, count: int) -> list[int]:
        """The next places that are taken, round and round."""
        end = min(self.pointer + count, len(self.rows))
        places = np.flatnonzero(self.rows["page"][self.pointer : end]) + self.pointer
        self.pointer = end % len(self.rows)
        return places.tolist()

    def renumber(self, kind: str, moved: NDArray[np.integer]) -> None:
        """Names of a kind have other numbers now."""
        self.rows[kind] = moved[self.rows[kind]]

    def _room(self, count: int) -> None:
        if len(self._at) + count > self.most:
            taken = np.flatnonzero(self.rows["page"])
            for at in taken[np.argsort(self.rows["score"][taken], kind="stable")[: self.most // 4]].tolist():
                self.pop(int(self.rows["page"][at]))
        while len(self._free) < count:
            size = len(self.rows)
            self.rows = np.concatenate([self.rows, np.zeros(size, ROW)])
            self._free = [*range(2 * size - 1, size - 1, -1), *self._free]

    def saved(self) -> dict[str, Any]:
        return {"rows": packed(self.rows), "free": self._free, "pointer": self.pointer}

    def restore(self, saved: dict[str, Any]) -> None:
        self.rows, self._free, self.pointer = unpacked(saved["rows"], ROW), saved["free"], saved["pointer"]
        taken = np.flatnonzero(self.rows["page"])
        self._at = dict(zip(self.rows["page"][taken].tolist(), taken.tolist(), strict=True))

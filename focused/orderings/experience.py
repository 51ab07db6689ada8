"""What a crawl has learned of the places links come from and lead to.

All that is counted lies in one table (models.counters): names, the pages that links are on, the lists they stand in.
Some sixty links are looked at after each page, all at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.orderings import evidence as of
from focused.orderings.evidence import Rows
from focused.orderings.features import HALF, Look, features_of
from focused.orderings.names import Names
from models.model import Floats
from models.packed import packed, unpacked
from models.text import Vocabulary

RING, GROUPS = 1 << 14, 1 << 17  # pages and lists of links that are remembered as hubs


class Ring:
    """Places in a table, given to the newest things."""

    def __init__(self, first: int, size: int) -> None:
        self.first, self.size, self.next = first, size, 0

    def take(self, counts: Floats, count: int) -> list[int]:
        """The places of that many new things, with nothing counted."""
        before = min(count, self.size - self.next % self.size)  # the end of the ring
        at = self.first + self.next % self.size
        counts[at : at + before] = counts[self.first : self.first + count - before] = 0.0
        self.next += count
        return [*range(at, at + before), *range(self.first, self.first + count - before)]

    @property
    def used(self) -> slice:
        return slice(self.first, self.first + min(self.next, self.size))


class Experience:
    """Belongs to one crawl."""

    def __init__(self, used: NDArray[np.bool_], vocabulary: Vocabulary) -> None:
        self._off = np.flatnonzero(~used)  # the features that are switched off
        self.names = Names(vocabulary, reserved=RING + GROUPS)
        self.sources, self.groups = Ring(1, RING - 1), Ring(RING, GROUPS - 1)
        self.pages: NDArray[np.uint32] = np.zeros(RING, np.uint32)  # page id by source
        self.found, self.tried = 1.0, 10.0

    @property
    def mean(self) -> float:
        """The crawl's harvest, in bounds."""
        return min(max(self.found / self.tried, 0.02), 0.5)

    # --- learning -------------------------------------------------------------------------------------------

    def learn(self, row: Rows, relevance: float) -> None:
        """A link, as rows of one, led to a page of that relevance."""
        self.names.count(list(set(row.places[0].tolist())), relevance)
        self.found, self.tried = self.found + relevance, self.tried + 1.0

    def place(self, rows: Rows, page: int) -> None:
        """The rows of links of a page learn of it, and of the lists they stand in there: the links of one path."""
        (source,) = self.sources.take(self.names.counts, 1)
        self.pages[source] = page
        paths = rows.places[:, of.PATH].tolist()
        names = dict.fromkeys(paths)
        lists = dict(zip(names, self.groups.take(self.names.counts, len(names)), strict=True))
        rows.places[:, of.HUBS.start] = source
        rows.places[:, of.GROUPS.start] = [lists[path] for path in paths]

    def best_hubs(self, most: int) -> list[tuple[int, float, float]]:
        """Pages by the harvest of their links: page id, found, tried."""
        best = self.names.highest(np.arange(RING)[: self.sources.used.stop], most, self.mean, HALF)
        return [(int(self.pages[i]), *self.names.counts[i].tolist()) for i in best]

    # --- features -------------------------------------------------------------------------------------------

    def look(self, rows: Rows, places: NDArray[np.integer] | None = None) -> Look:
        """At links, to work out their features later; those of a page just read have no hubs, only these places."""
        at = rows.places.T if places is None else places
        return Look(self.names.counts.take(at, axis=0), rows, np.array((self.mean,)))

    def features(self, look: Look) -> Floats:
        """One row a link, one column a feature."""
        columns = features_of(look)
        if len(self._off):
            columns[self._off] = 0.0
        return columns.T

    # --- kill and resume ------------------------------------------------------------------------------------

    def saved(self) -> dict[str, Any]:
        rings = [(ring.next, packed(self.names.counts[ring.used].T)) for ring in (self.sources, self.groups)]
        known = {"names": self.names.saved(), "rings": rings, "pages": packed(self.pages)}
        return {**known, "found": self.found, "tried": self.tried}

    def restore(self, saved: dict[str, Any]) -> None:
        self.names.restore(saved["names"])
        for ring, (taken, counts) in zip((self.sources, self.groups), saved["rings"], strict=True):
            ring.next = taken
            self.names.counts[ring.used] = unpacked(counts, np.float64).reshape(2, -1).T
        self.pages = unpacked(saved["pages"], np.uint32)
        self.found, self.tried = saved["found"], saved["tried"]

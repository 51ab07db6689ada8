"""Names and what became of what bears them: tried so often, so much of it relevant. For hosts, words, parts of pages.

All kinds of names share one table, so that what is known of many names of many kinds is had by one look. A name has a
place in it: those of the kinds take turns, behind places that are reserved for others. Place 0 is nobody's.

Bounded: when there are more than `limit` names of a kind, the half of them that was tried least is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.model import Floats
from models.packed import packed, unpacked

Places = NDArray[np.integer]
NOBODY = 0  # the place of a name that was never entered


class Counters:
    """`counts` are what was found and what was tried, a row a place: they are looked up together."""

    def __init__(self, kinds: Sequence[str], reserved: int = 1, limit: int = 50_000) -> None:
        self.kinds, self.reserved, self.limit = kinds, reserved, limit
        self._places: dict[str, dict[str, int]] = {kind: {} for kind in kinds}
        self._first = {kind: reserved + number for number, kind in enumerate(kinds)}
        self.counts: Floats = np.zeros((reserved + 1024 * len(kinds), 2))

    def known(self, kind: str, names: Iterable[str]) -> list[int]:
        """The places of names, NOBODY's of those never entered."""
        return list(map(self._places[kind].get, names, repeat(NOBODY)))

    def enter(self, kind: str, names: Iterable[str]) -> list[int]:
        """The places of names; new ones get one."""
        places, first, step = self._places[kind], self._first[kind], len(self.kinds)
        entered = [places.setdefault(name, first + step * len(places)) for name in names]
        missing = first + step * len(places) - len(self.counts)
        if missing > 0:
            self.counts = np.concatenate([self.counts, np.zeros((missing + len(self.counts), 2))])
        return entered

    def newest(self, kind: str, before: int) -> list[str]:
        """The names of a kind that were entered when there were already so many, in the order in which they came."""
        places = self._places[kind]
        return list(islice(reversed(places), len(places) - before))[::-1]

    def size(self, kind: str) -> int:
        return len(self._places[kind])

    def count(self, places: Sequence[int], relevance: float) -> None:
        """What bears these names, each given once, was fetched and is relevant to that degree."""
        self.counts[np.array(places)] += (relevance, 1.0)
        self.counts[NOBODY] = 0.0

    def harvest(self, places: Places, above: float, strength: float) -> Floats:
        """Found of tried, as if `strength` more had been tried with the harvest of what is above."""
        found, tried = self.counts[places].T
        shrunk: Floats = (found + strength * above) / (tried + strength)
        return shrunk

    def best(self, kind: str, most: int, mean: float, strength: float = 3.0) -> list[tuple[str, float, float]]:
        """Names with the highest harvest, not below the mean, with what was found and tried."""
        names, places = list(self._places[kind]), self._all(kind)
        best = self.highest(places, most, mean, strength)
        return [(names[i], *self.counts[places[i]].tolist()) for i in best]

    def highest(self, places: Places, most: int, mean: float, strength: float) -> list[int]:
        """Which of these have the highest harvest, not below the mean; only few of them were ever tried."""
        tried = self.counts[places, 1].nonzero()[0]
        harvest = self.harvest(places[tried], mean, strength)
        order = np.argsort(-harvest, kind="stable")[:most]
        best: list[int] = tried[order[harvest[order] >= mean]].tolist()
        return best

    def forget(self) -> Places | None:
        """If there are too many names: the new place of each old one, NOBODY's of those that are forgotten."""
        crowded = [kind for kind, places in self._places.items() if len(places) > self.limit]
        if not crowded:
            return None
        moved = np.arange(len(self.counts))
        for kind in crowded:
            places, names = self._all(kind), list(self._places[kind])
            kept = np.sort(np.argsort(-self.counts[places, 1], kind="stable")[: self.limit // 2])
            counts, new = self.counts[places[kept]], places[: len(kept)]
            self.counts[places], moved[places] = 0.0, NOBODY
            self.counts[new], moved[places[kept]] = counts, new
            self._places[kind] = dict(zip([names[i] for i in kept], new.tolist(), strict=True))
        return moved

    def _all(self, kind: str) -> NDArray[np.int64]:
        """The places of all names of a kind, in the order in which they came."""
        return self._first[kind] + len(self.kinds) * np.arange(len(self._places[kind]))

    def saved(self) -> dict[str, Any]:
        return {
            kind: {"names": list(places), "counts": packed(self.counts[self._all(kind)].T)}
            for kind, places in self._places.items()
        }

    def restore(self, saved: dict[str, Any]) -> None:
        for kind, kept in saved.items():
            self.enter(kind, kept["names"])
            self.counts[self._all(kind)] = unpacked(kept["counts"], np.float64).reshape(2, -1).T

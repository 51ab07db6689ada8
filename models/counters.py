"""Names and what became of what bears them: tried so often, so much of it relevant. For hosts, words, parts of pages.

Bounded: when there are more than `limit` names, the half that was tried least is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.model import Floats
from models.packed import packed, unpacked

Slots = NDArray[np.int32]
UNKNOWN = 0  # the slot of a name that was never tried


class Counters:
    """A name has a slot; `found` and `tried` are arrays by slot."""

    def __init__(self, limit: int = 50_000) -> None:
        self.limit = limit
        self._slots: dict[str, int] = {}
        self.found: Floats = np.zeros(1024)
        self.tried: Floats = np.zeros(1024)

    def __len__(self) -> int:
        return len(self._slots)

    def known(self, names: Iterable[str]) -> Slots:
        """The slots of names, UNKNOWN of those never entered."""
        get = self._slots.get
        return np.array([get(name, UNKNOWN) for name in names], np.int32)

    def enter(self, names: Iterable[str]) -> Slots:
        """The slots of names; new ones get one."""
        slots = self._slots
        entered = np.array([slots.setdefault(name, len(slots) + 1) for name in names], np.int32)
        if len(slots) >= len(self.found):
            more = np.zeros(len(slots) + 1)
            self.found, self.tried = np.concatenate([self.found, more]), np.concatenate([self.tried, more])
        return entered

    def count(self, slots: NDArray[np.integer], relevance: float) -> None:
        """What bears these names, each slot given once, was fetched and is relevant to that degree."""
        self.found[slots] += relevance
        self.tried[slots] += 1.0
        self.found[UNKNOWN] = self.tried[UNKNOWN] = 0.0

    def harvest(self, slots: NDArray[np.integer], above: Floats | float, strength: float) -> Floats:
        """Found of tried, as if `strength` more had been tried with the harvest of what is above."""
        shrunk: Floats = (self.found[slots] + strength * above) / (self.tried[slots] + strength)
        return shrunk

    def best(self, most: int, mean: float, strength: float = 3.0) -> list[tuple[str, float, float]]:
        """Names with the highest harvest, with what was found and tried."""
        names = list(self._slots)
        slots = np.arange(1, len(names) + 1)
        order = np.argsort(-self.harvest(slots, mean, strength), kind="stable")[:most]
        return [(names[i], float(self.found[i + 1]), float(self.tried[i + 1])) for i in order if self.tried[i + 1]]

    def forget(self) -> Slots | None:
        """If there are too many names: the new slot of each old one, UNKNOWN of those that are forgotten."""
        if len(self) <= self.limit:
            return None
        order = np.argsort(-self.tried[1 : len(self) + 1], kind="stable")[: self.limit // 2]
        kept = np.sort(order) + 1
        moved = np.zeros(len(self) + 1, np.int32)
        moved[kept] = np.arange(1, len(kept) + 1)
        names = list(self._slots)
        self._slots = {names[slot - 1]: i + 1 for i, slot in enumerate(kept.tolist())}
        self.found, self.tried = (np.append(0.0, counts[kept]) for counts in (self.found, self.tried))
        self.enter(())
        return moved

    def saved(self) -> dict[str, Any]:
        end = len(self) + 1
        return {"names": list(self._slots), "found": packed(self.found[:end]), "tried": packed(self.tried[:end])}

    def restore(self, saved: dict[str, Any]) -> None:
        self._slots = {name: i + 1 for i, name in enumerate(saved["names"])}
        self.found, self.tried = unpacked(saved["found"], np.float64), unpacked(saved["tried"], np.float64)
        self.enter(())

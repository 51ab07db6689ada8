"""A tree of classes, made of the paths of its nodes: parents before children, siblings side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.model import ModelError

Family = tuple[int, slice]  # the number of a parent (-1: the root) and its children


class Good(NamedTuple):
    """What is wanted in a tree: goodness is inherited (F-04)."""

    all: NDArray[np.bool_]  # by number
    highest: NDArray[np.int64]  # the good that lie under no other good (F-11)
    families: list[Family]  # on the way to them


class Tree:
    """Nodes are numbered level by level, in the order of their paths; the root has no number.

    A path cannot lie under itself and is there once, so a tree made of paths has no cycle and no double.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        every = {prefix for path in paths for prefix in _prefixes(path)}
        _check_distinct(every)
        self.paths = sorted(every, key=lambda path: (path.count("/"), path.rpartition("/")[0], path))
        self._numbers = {path: number for number, path in enumerate(self.paths)}
        self.parents = [self._numbers.get(path.rpartition("/")[0], -1) for path in self.paths]
        bounds = [n for n in range(len(self.paths)) if n == 0 or self.parents[n] != self.parents[n - 1]]
        ends = [*bounds[1:], len(self.paths)]
        self.families = [(self.parents[first], slice(first, end)) for first, end in zip(bounds, ends, strict=True)]
        inner = set(self.parents)
        self.leaves = np.array([n for n in range(len(self.paths)) if n not in inner])

    def number(self, path: str) -> int:
        """The number of a node; an unknown one is answered with names like it."""
        if path in self._numbers:
            return self._numbers[path]
        near = get_close_matches(path, self.paths, 3, 0.5) or self.paths[:10]
        raise ModelError(f"There are no examples of class '{path}': did you mean {', '.join(near)}?")

    def siblings(self, number: int) -> range:
        """All children of its parent, itself among them."""
        family = next(slot for _, slot in self.families if slot.start <= number < slot.stop)
        return range(family.start, family.stop)

    def good(self, paths: Sequence[str]) -> Good:
        """Marks nodes as good, and all below them."""
        if not paths:
            raise ModelError(f"No class is marked as good: name some of {', '.join(self.paths[:10])}.")
        marked = np.zeros(len(self.paths), np.bool_)
        marked[[self.number(path) for path in paths]] = True
        under = np.zeros(len(self.paths), np.bool_)  # some ancestor is good
        for number, parent in enumerate(self.parents):
            under[number] = parent >= 0 and (marked[parent] or under[parent])
        if (marked | under).all():
            raise ModelError("All classes are good: there is nothing to tell them from, mark fewer.")
        highest = np.flatnonzero(marked & ~under)
        ancestors = {above for number in highest.tolist() for above in self._ancestors(number)}
        return Good(marked | under, highest, [family for family in self.families if family[0] in ancestors])

    def _ancestors(self, number: int) -> list[int]:
        """The way up, the root (-1) at its end."""
        way = []
        while number >= 0:
            number = self.parents[number]
            way.append(number)
        return way


def _prefixes(path: str) -> list[str]:
    """A/B/C lies under A/B, and that under A."""
    names = path.split("/")
    if not all(name.strip() for name in names):
        raise ModelError(f"'{path}' is no path of classes: write it as Recreation/Cycling.")
    return ["/".join(names[:end]) for end in range(1, len(names) + 1)]


def _check_distinct(paths: Iterable[str]) -> None:
    """Two spellings of one name are a slip, not two classes."""
    seen: dict[str, str] = {}
    for path in sorted(paths):
        first = seen.setdefault(" ".join(path.casefold().split()), path)
        if first != path:
            raise ModelError(f"Classes '{first}' and '{path}' differ in spelling only: write them alike.")

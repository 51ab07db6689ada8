"""A hidden Markov model of the way to relevant pages — Batsakis 2007, §2.5, §3.4, eq. 5, 6 (B-19, B-21, B-23, B-24).

A page has a hidden state, how many links it is away from a relevant one, and shows its cluster.

    pred  = pi (a seed)  |  alpha of the parent @ A
    alpha = normalised(B[:, cluster] * pred)          nothing left: pred, normalised
    next  = alpha @ A
    one, two = next[0], (next @ A)[0]                 the chance that a link of the page is relevant, or one behind it

Differs: eq. 5 is called Viterbi and printed as a sum; the sum it is (recursion=max takes the other). Values are
normalised after each step, as probabilities "based on observations so far" must be: deep pages would be punished.
pi is the share of the pages' own states, so a seed begins with it (literal_seed sends it through A first).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.model import Example, Floats

if TYPE_CHECKING:
    from models.groups import Groups

_STEPS = 1 << 20  # how many two-step chances a bin tells apart


class Browsed(NamedTuple):
    """Pages that somebody visited, each once, and the links followed between them, by their numbers."""

    pages: Sequence[Example]
    links: Sequence[tuple[int, int]]


class Ahead(NamedTuple):
    """The chance to be at a relevant page after one link, and after two."""

    one: float
    two: float


@dataclass(slots=True, frozen=True, eq=False)
class Hmm:
    """Chances of states: at the start, from one to the next, and of the cluster each shows."""

    pi: Floats
    a: Floats
    b: Floats
    recursion: str = "sum"  # or max
    literal_seed: bool = False
    normalised: bool = True

    def alpha(self, parent: Floats | None, cluster: int) -> Floats:
        """The state a page may be in, by the path it was reached on and by what it shows."""
        if parent is None:
            before = self.pi @ self.a if self.literal_seed else self.pi
        else:
            before = (parent[:, None] * self.a).max(axis=0) if self.recursion == "max" else parent @ self.a
        shown: Floats = self.b[:, cluster] * before
        if not shown.any():
            shown = before
        return shown / shown.sum() if self.normalised and shown.any() else shown

    def ahead(self, alpha: Floats) -> Ahead:
        after = alpha @ self.a
        return Ahead(float(after[0]), float((after @ self.a)[0]))


def states_of(pages: int, links: Iterable[tuple[int, int]], relevant: Sequence[int], states: int) -> Groups:
    """The links from each page to the nearest relevant one; the last state: that far or farther, or no way (B-19)."""
    back: dict[int, list[int]] = {}
    for source, target in links:
        back.setdefault(target, []).append(source)
    found = np.full(pages, states - 1, np.int64)
    border = list(relevant)
    for state in range(states - 1):
        found[border] = state
        border = [page for target in border for page in back.get(target, ()) if found[page] == states - 1]
    return found


def counted_chances(states: Groups, links: Sequence[tuple[int, int]], clusters: Groups, size: int) -> Hmm:
    """pi, A and B by counting, one added to each cell of A and B (B-21); `size` is the number of states."""
    pi = np.bincount(states, minlength=size) / len(states)
    a, b = np.ones((size, size)), np.ones((size, int(clusters.max()) + 1))
    if links:
        np.add.at(a, tuple(states[np.array(links).T]), 1)
    np.add.at(b, (states, clusters), 1)
    return Hmm(pi, a / a.sum(axis=1, keepdims=True), b / b.sum(axis=1, keepdims=True))


def packed(one: Floats, two: float, epsilon: float) -> Floats:
    """Scores that order by (bin of `one`, `two`, `one`): of near ties the one with the better second step (B-24).

    A score is `one` cut down to a multiple of epsilon, plus up to epsilon for `two` (told apart by a millionth)
    and, below that, for the rest of `one`.
    """
    bins = np.floor(one / epsilon + 1e-9)
    rest = np.clip(one / epsilon - bins, 0.0, 1.0 - 1e-9)
    second = min(int(two * _STEPS), _STEPS - 1)
    scores: Floats = (bins + (second + rest) / _STEPS) * epsilon
    return scores

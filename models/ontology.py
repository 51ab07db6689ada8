"""How near two words are in an ontology — Batsakis 2007, §2.4 (B-13, B-15).

An ontology is asked three things: the concepts a word may mean, what a concept is a kind of, how it is called.
The rest follows from them:

    sp   steps of the shortest path between two concepts, up to a common ancestor and down again
    H    depth of their deepest common ancestor; the root has depth 0
    sim  Ehrig: df ^ sp (eq. 3)        Li: exp(-a sp) * tanh(b H) (eq. 4)        no common ancestor: 0

Differs: eq. 4 is printed as one exponent, which would make any two words that meet at the root equal; the product
is what the cited method (Li et al. 2003) does. The same concept has similarity 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from models.model import Floats
from models.text import words_of

Steps = NDArray[np.int64]
MOST_KEPT = 20_000  # concepts whose ancestors are remembered, at about a kilobyte each


class OntologyError(ValueError):
    """An ontology that cannot be used; the message is one sentence for the user."""


class Ontology(Protocol):
    """Concepts are numbers; what they mean is known to the ontology alone."""

    def concepts(self, word: str) -> Sequence[int]:
        """What a word may mean, the commonest first; a word nobody knows means nothing."""

    def parents(self, concept: int) -> Sequence[int]:
        """What a concept is a kind of."""

    def names(self, concept: int) -> Sequence[str]:
        """The words for a concept."""


class Meeting(NamedTuple):
    """Where two concepts meet."""

    steps: int
    depth: int


class Ancestry:
    """Concepts with all that is above them; each is looked up once."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._parents: dict[int, tuple[int, ...]] = {}
        self._above: dict[int, dict[int, int]] = {}
        self._depths: dict[int, int] = {}

    def above(self, concept: int) -> dict[int, int]:
        """The concept itself and its ancestors, each with the steps up to it."""
        known = self._above.get(concept)
        if known is None:
            if len(self._above) >= MOST_KEPT:
                self._above.clear()
            known = self._above[concept] = self._climb(concept)
        return known

    def _climb(self, concept: int) -> dict[int, int]:
        steps, reached = {concept: 0}, [concept]
        for child in reached:
            for parent in self._up(child):
                if parent not in steps:
                    steps[parent] = steps[child] + 1
                    reached.append(parent)
        return steps

    def _up(self, concept: int) -> tuple[int, ...]:
        known = self._parents.get(concept)
        if known is None:
            known = self._parents[concept] = tuple(self.ontology.parents(concept))
        return known

    def depth(self, concept: int) -> int:
        """Steps from the root along the longest way."""
        known = self._depths.get(concept)
        if known is None:
            parents = self._up(concept)
            known = self._depths[concept] = 1 + max(map(self.depth, parents)) if parents else 0
        return known

    def meeting(self, first: int, second: int) -> Meeting | None:
        """None: nothing is above both."""
        one, other = self.above(first), self.above(second)
        common = one.keys() & other.keys()
        if not common:
            return None
        return Meeting(min(one[c] + other[c] for c in common), max(map(self.depth, common)))


def ehrig(steps: Steps, df: float = 0.5) -> Floats:
    """eq. 3, of many pairs at once."""
    return df ** steps.astype(np.float64)


def near(steps: Steps, within: int = 1) -> Floats:
    """1 where two concepts are at most so many steps apart, else 0: what Ehrig's measure is a finer form of (B-13)."""
    return (steps <= within).astype(np.float64)


def li(steps: Steps, depths: Steps, a: float = 0.2, b: float = 0.6) -> Floats:
    """eq. 4 as a product, of many pairs at once; the same concept: 1."""
    return np.where(steps == 0, 1.0, np.exp(-a * steps) * np.tanh(b * depths))


def synonyms(ontology: Ontology, word: str, senses: int | None = None) -> list[str]:
    """Other single words for what a word may mean, in its first senses or in all (B-17)."""
    found: dict[str, None] = {}
    for concept in ontology.concepts(word)[:senses]:
        for name in map(str.lower, ontology.names(concept)):
            if name != word.lower() and words_of(name) == [name]:
                found.setdefault(name)
    return list(found)

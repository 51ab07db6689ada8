"""Words compared with a query by what they mean, each once — Batsakis 2007, §3.3 (B-14, B-16).

A word is looked up as written, before stemming: stems are no entries of an ontology. Of all that a word and a term of
the query may mean the most similar two count (or the first sense of each). A word the ontology does not know is
similar to itself alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.model import Floats, Ids
from models.ontology import Ancestry, Ontology, Steps
from models.text import NOTHING, Vocabulary, counted, words_of

Measure = Callable[[Steps, Steps], Floats]  # from the steps between two concepts and the depth where they meet
MOST_WORDS = 50_000  # remembered; then it begins anew
FAR = 1 << 20  # steps between concepts that nothing connects


class Query(NamedTuple):
    """The terms of a query: how often they occur in it, and the words they were written as."""

    ids: Ids
    counts: NDArray[np.int64]
    words: list[list[str]]

    @classmethod
    def of(cls, vocabulary: Vocabulary, text: str) -> Query:
        written: dict[int, dict[str, None]] = {}
        for word in map(str.lower, words_of(text)):
            written.setdefault(vocabulary[word], {})[word] = None
        ids, counts = counted(vocabulary.ids(words_of(text)))
        return cls(ids, counts, [list(written[term]) for term in ids.tolist()])


class Likeness(dict[str, int]):
    """Word → row of a table with its similarity to each term of the query; rows are filled as words are met."""

    def __init__(self, vocabulary: Vocabulary, ontology: Ontology, measure: Measure, senses: int | None = None) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.ontology = ontology
        self.measure = measure
        self.senses = senses  # how many of each word count; None: all
        self._ancestry = Ancestry(ontology)
        self.ask(Query.of(vocabulary, ""))

    def ask(self, query: Query) -> None:
        """The query that words are compared with from now on."""
        self.clear()
        self.query = query
        above, owners = [], []
        for number, words in enumerate(query.words):
            found = {concept: None for word in words for concept in self.ontology.concepts(word)[: self.senses]}
            above += [self._ancestry.above(concept) for concept in found]
            owners += [number] * len(found)
        self._owners = np.array(owners, np.int64)  # the query's term each of its concepts belongs to
        self._rows = {concept: row for row, concept in enumerate(dict.fromkeys(c for steps in above for c in steps))}
        self._depths = np.array([self._ancestry.depth(concept) for concept in self._rows], np.int64)
        self._steps = np.full((len(self._rows), len(above)), FAR, np.int64)
        for column, steps in enumerate(above):
            self._steps[[self._rows[concept] for concept in steps], column] = list(steps.values())
        self._table = np.zeros((256, len(query.ids)))

    def of(self, words: list[str]) -> Floats:
        """One line a word, one column a term of the query."""
        if len(self) > MOST_WORDS:
            self.clear()
        rows = np.fromiter(map(self.__getitem__, words), np.int64, len(words))
        found: Floats = self._table[rows]
        return found

    def __missing__(self, word: str) -> int:
        row = self[word] = len(self)
        if row >= len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._table[row] = self._compare(word)
        return row

    def _compare(self, word: str) -> Floats:
        similar = np.zeros(len(self.query.ids))
        term = self.vocabulary[word]
        if term == NOTHING or not len(similar):
            return similar
        met = [self._met(concept) for concept in self.ontology.concepts(word)[: self.senses]]
        if met := [one for one in met if len(one[0])]:
            similar = self._best(*map(list, zip(*met, strict=True)))
        similar[self.query.ids == term] = 1.0
        return similar

    def _met(self, concept: int) -> tuple[list[int], list[int]]:
        """Where the way up from a concept meets that of the query's: rows, and the steps to them."""
        above = [(self._rows[c], steps) for c, steps in self._ancestry.above(concept).items() if c in self._rows]
        return [row for row, _ in above], [steps for _, steps in above]

    def _best(self, rows: list[list[int]], ups: list[list[int]]) -> Floats:
        """The similarity to each term of the query: of the two concepts that are most similar."""
        flat, up = np.concatenate(rows).astype(np.int64), np.concatenate(ups)
        begins = np.cumsum([0, *map(len, rows[:-1])])
        downs = self._steps[flat]
        steps = np.minimum.reduceat(downs + up[:, None], begins)
        depths = np.maximum.reduceat(np.where(downs < FAR, self._depths[flat][:, None], 0), begins)
        similar = np.where(steps < FAR, self.measure(steps, depths), 0.0).max(axis=0)
        best = np.zeros(len(self.query.ids))
        np.maximum.at(best, self._owners, similar)
        return best

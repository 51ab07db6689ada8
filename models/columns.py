"""The terms a trained model knows as columns 1…n in alphabetical order, and texts as counts of them.

Ids are given as words are met; columns are the same in every process, so whatever is summed in their order is the
same to the last bit after a restart. Column 0 stands for every term the model does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.model import Example, Floats, Ids, ModelError
from models.text import Vocabulary, counted, span_counts


class Columns:
    """From the ids of one vocabulary to the columns of one model."""

    def __init__(self, vocabulary: Vocabulary, terms: Iterable[str]) -> None:
        self.terms = sorted(terms)
        ids = np.array([vocabulary.id_of(term) for term in self.terms], np.int64)
        # The last place is for all terms learned later; place 0 for what is no term, or found the vocabulary full.
        self._of_id = np.zeros(int(ids.max(initial=0)) + 2, np.int32)
        self._of_id[ids] = np.arange(1, len(ids) + 1)
        self._of_id[0] = 0

    def of(self, ids: Ids) -> Ids:
        """The column of each term, by position."""
        columns: Ids = self._of_id.take(ids, mode="clip")
        return columns

    def telling(self, columns: NDArray[np.integer], shares: Floats, most: int) -> list[tuple[str, float]]:
        """The terms of some columns with their share in a judgement, the largest share first, for or against."""
        best = np.argsort(-np.abs(shares), kind="stable")[:most]
        return [(self.terms[columns[i] - 1], float(shares[i])) for i in best if shares[i]]


class Bags(NamedTuple):
    """Examples as bags of words: which example has which term (by place in `terms`) how often, as aligned arrays."""

    terms: list[str]
    pages: NDArray[np.int64]
    words: NDArray[np.int64]
    counts: NDArray[np.int64]

    def pooled(self, of: NDArray[np.integer], classes: int) -> NDArray[np.int64]:
        """The words of each class (row) counted over its examples; `of` is the class of each example."""
        size = len(self.terms)
        sums = np.bincount(of[self.pages] * size + self.words, self.counts, classes * size)
        return sums.astype(np.int64).reshape(classes, size)

    def only(self, words: NDArray[np.int64]) -> Bags:
        """Without all but some words."""
        place = np.full(len(self.terms), -1)
        place[words] = np.arange(len(words))
        kept = place[self.words] >= 0
        return Bags([self.terms[i] for i in words], self.pages[kept], place[self.words[kept]], self.counts[kept])


def bags(vocabulary: Vocabulary, examples: Sequence[Example]) -> Bags:
    """All examples and all their terms, these in alphabetical order."""
    every = np.concatenate([example.terms for example in examples])
    columns = Columns(vocabulary, [vocabulary.terms[i] for i in counted(every)[0]])
    ends = np.cumsum([len(example.terms) for example in examples])
    starts = np.append(0, ends[:-1])
    pages, words, counts = span_counts(columns.of(every), starts, ends)
    return Bags(columns.terms, pages, words - 1, counts)


def check(examples: Sequence[Example]) -> list[str]:
    """The labels of the examples in alphabetical order; refuses examples nothing can be learned from."""
    labels = sorted({example.label for example in examples})
    if len(labels) < 2:
        given = f"all {len(examples)} are '{labels[0]}'" if labels else "there are none"
        raise ModelError(f"A model needs examples of two kinds at least, but {given}: add examples of another kind.")
    if not any(example.terms.any() for example in examples):
        raise ModelError("No example has a word to learn from: give pages with text.")
    return labels

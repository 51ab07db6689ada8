"""Texts with synonyms — Batsakis 2007, §3.3.3, eq. 10 (B-17; the thesis prints its number as 3.2.3).

    (sim(p, q^) + sim(a^, q^)) / 2        query and anchor get their synonyms, the page does not

A synonym has the weight of the word it came from; where a term is there already, the larger weight stays. Synonyms of
several words are left out.
"""

from __future__ import annotations

import numpy as np

from models.likeness import MOST_WORDS, Query
from models.meaning import Anchors, Whole, share, sums
from models.model import Floats, Ids, Readable
from models.ontology import Ontology, synonyms
from models.similarity import Similarity
from models.text import Vocabulary


class Synonyms(dict[str, Ids]):
    """Word → the terms that may stand for it, its own first."""

    def __init__(self, vocabulary: Vocabulary, ontology: Ontology, senses: int | None = None) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.ontology = ontology
        self.senses = senses

    def __missing__(self, word: str) -> Ids:
        others = (self.vocabulary[name] for name in synonyms(self.ontology, word, self.senses))
        found = self[word] = np.array(list(dict.fromkeys([self.vocabulary[word], *others])), np.int32)
        return found

    def expanded(self, anchors: Anchors, words: list[str]) -> tuple[Whole, Whole, Floats]:
        """The terms of each anchor and their weights; of two weights of a term the larger."""
        if len(self) > MOST_WORDS:
            self.clear()
        keys = anchors.spans << 32 | anchors.ids
        _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        weights = counts[place] * self.vocabulary.idf(anchors.ids)
        groups = [self[word] for word in words]
        lengths = np.fromiter(map(len, groups), np.int64, len(groups))
        terms = np.concatenate([np.zeros(0, np.int32), *groups]).astype(np.int64)
        spread = np.repeat(anchors.spans, lengths) << 32 | terms
        kept = terms > 0
        merged, place = np.unique(spread[kept], return_inverse=True)
        largest = np.zeros(len(merged))
        np.maximum.at(largest, place, np.repeat(weights, lengths)[kept])
        return merged >> 32, merged & 0xFFFFFFFF, largest


class Expansion:
    """Compares pages, and anchors with their synonyms, with a query and its synonyms."""

    def __init__(self, synonyms: Synonyms, query: Query) -> None:
        self.synonyms = synonyms
        self._ids, self._weights = self._expand(query)
        self._to_query = Similarity(synonyms.vocabulary, "")
        self._to_query.aim(self._ids, self._weights)

    def of_page(self, page: Readable) -> float:
        return self._to_query.judge(page).relevance

    def scores(self, anchors: Anchors, words: list[str]) -> Floats:
        """Of each anchor; `words` are those of the page."""
        spans, terms, weights = self.synonyms.expanded(anchors, anchors.words(words))
        asked = np.zeros(len(terms))
        if len(self._ids):
            at = np.searchsorted(self._ids, terms).clip(max=len(self._ids) - 1)
            asked = np.where(self._ids[at] == terms, self._weights[at], 0.0)
        norms = np.sqrt(sums(spans, weights * weights, anchors.number)) * np.linalg.norm(self._weights)
        return share(sums(spans, asked * weights, anchors.number), norms).clip(0.0, 1.0)

    def _expand(self, query: Query) -> tuple[Ids, Floats]:
        weights: dict[int, float] = {}
        own = query.counts * self.synonyms.vocabulary.idf(query.ids)
        for words, weight in zip(query.words, own.tolist(), strict=True):
            for term in (term for word in words for term in self.synonyms[word].tolist() if term):
                weights[term] = max(weight, weights.get(term, 0.0))
        ids = sorted(weights)
        return np.array(ids, np.int32), np.array([weights[term] for term in ids], np.float64)

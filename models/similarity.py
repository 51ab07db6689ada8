"""Cosine of a page and a query — Batsakis 2007, §3.1, eq. 1 and 2 (B-06).

    w = tf * idf        tf = f / max f        idf = ln(N / N_j) from a fixed background collection
    sim(p, q) = p.q / (|p| |q|)               0 if either is empty

The divisor max f is the same for all terms of a text and cancels in the cosine, so counts serve as tf.
Where there are examples, the query is their centroid: the mean of the unit vectors of the relevant ones, and half of
it the query's own words where they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from models.model import RELEVANT, THIN, Example, Floats, Ids, Judgement, ModelError, Readable, failing_closed
from models.saved import Saved
from models.text import Vocabulary, counted, span_counts, text_ids

# Sums are made in the order of the ids, which is that in which words were met: after a restart another one. Without
# rounding the last bit would decide between links that are equally good, and a resumed crawl go another way.
DIGITS = 12
KIND = "similarity"


class Similarity:
    """Relevance is the cosine to the query: exact for whole pages and for anchors."""

    def __init__(self, vocabulary: Vocabulary, query: str, threshold: float = 0.08, idf: bool = True) -> None:
        self.vocabulary = vocabulary
        self.threshold = float(threshold)
        self.with_idf = idf  # False: tf only (§2.3)
        self.faults = 0
        ids, counts = counted(text_ids(vocabulary, [query]))
        self.aim(ids, self._weights(ids, counts))

    @classmethod
    def fit(
        cls,
        vocabulary: Vocabulary,
        examples: Sequence[Example],
        query: str = "",
        threshold: float | None = None,
        idf: bool = True,
    ) -> Self:
        """Compare with the relevant examples; without a threshold it is set where F over all examples is highest."""
        wanted = np.array([example.label == RELEVANT for example in examples], np.bool_)
        if not any(example.terms.any() for example in examples if example.label == RELEVANT):
            raise ModelError(f"No example labelled '{RELEVANT}' has a word: add pages of what is wanted.")
        model = cls(vocabulary, query, threshold or 0.0, idf)
        centre = model._centre([example.terms for example in examples if example.label == RELEVANT])
        centre[: len(model._query) - 1] += model._query[:-1]
        model.aim(np.arange(len(centre)), centre)
        if threshold is None:
            model.threshold = best_threshold(np.array([model._cosine(page.terms) for page in examples]), wanted)
        return model

    def saved(self) -> Saved:
        ids = np.flatnonzero(self._query)
        terms = np.array([self.vocabulary.terms[i] for i in ids], np.str_)
        facts = {"threshold": self.threshold, "idf": self.with_idf}
        return Saved(KIND, facts, {"terms": terms, "weights": self._query[ids]})

    @classmethod
    def restored(cls, vocabulary: Vocabulary, saved: Saved) -> Self:
        saved.require(KIND, ("threshold", "idf"), ("terms", "weights"))
        model = cls(vocabulary, "", saved.facts["threshold"], saved.facts["idf"])
        ids = np.array([vocabulary.id_of(term) for term in saved.arrays["terms"].tolist()], np.int64)
        model.aim(ids[ids > 0], saved.arrays["weights"][ids > 0])
        return model

    def aim(self, ids: NDArray[np.integer], weights: Floats) -> None:
        """Compare with this vector instead of the query's: a centroid, or a query with synonyms."""
        self._query = np.zeros(int(ids.max(initial=0)) + 2)  # the last: any other term
        self._query[ids] = weights
        norm = float(np.linalg.norm(self._query))
        if norm:
            self._query /= norm

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        terms = page.judged_terms
        relevance, words = self._cosine(terms), int(np.count_nonzero(terms))
        return Judgement(relevance, words > 0 and relevance >= self.threshold, thin=words < THIN)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """Only texts with a word of the query are looked at: most links of most pages have none."""
        asked = np.zeros(len(terms) + 1, np.int32)  # words of the query, up to each term
        np.cumsum(self._asked(terms) != 0.0, out=asked[1:])
        near = (asked.take(ends) > asked.take(starts)).nonzero()[0]
        cosines = np.zeros(len(starts))
        if len(near):
            cosines[near] = self._span_cosines(terms, starts.take(near), ends.take(near))
        return cosines

    def _span_cosines(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        spans, ids, counts = span_counts(terms, starts, ends)
        weights = self._weights(ids, counts)
        dots = np.bincount(spans, self._asked(ids) * weights, len(starts))
        norms = np.sqrt(np.bincount(spans, weights * weights, len(starts)))
        cosines = np.divide(dots, norms, out=np.zeros(len(starts)), where=norms > 0)
        return cosines.clip(0.0, 1.0).round(DIGITS)

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        ids, counts = counted(page.judged_terms)
        weights = self._weights(ids, counts)
        shares = (self._asked(ids) * weights / (np.sqrt(weights @ weights) or 1.0)).round(DIGITS).tolist()
        told = ((self.vocabulary.terms[i], share) for i, share in zip(ids, shares, strict=True) if share > 0)
        return sorted(told, key=lambda one: (-one[1], one[0]))[:most]

    def _cosine(self, terms: Ids) -> float:
        ids, counts = counted(terms)
        weights = self._weights(ids, counts)
        norm = float(np.sqrt(weights @ weights))
        return round(min(1.0, float(self._asked(ids) @ weights) / norm), DIGITS) if norm else 0.0

    def _centre(self, texts: Sequence[Ids]) -> Floats:
        """The mean direction of some texts, as a vector of length 1 over all terms."""
        centre = np.zeros(len(self.vocabulary.terms))
        for terms in texts:
            ids, counts = counted(terms)
            weights = self._weights(ids, counts)
            centre[ids] += weights / (np.sqrt(weights @ weights) or 1.0)
        return centre / (np.linalg.norm(centre) or 1.0)

    def _weights(self, ids: NDArray[np.integer], counts: NDArray[np.integer]) -> Floats:
        return counts * self.vocabulary.idf(ids) if self.with_idf else counts.astype(np.float64)

    def _asked(self, ids: NDArray[np.integer]) -> Floats:
        """The query's weight of each term; terms learned after the query are not in it."""
        return self._query.take(ids, mode="clip")


def best_threshold(relevances: Floats, wanted: NDArray[np.bool_]) -> float:
    """Between the two relevances where a line gives the highest F."""
    order = np.argsort(-relevances, kind="stable")
    above, below = relevances[order], np.append(relevances[order][1:], 0.0)
    f = 2 * np.cumsum(wanted[order]) / (np.arange(1, len(order) + 1) + wanted.sum())
    cut = int(np.where(above > below, f, -1.0).argmax())  # no line parts equals
    return float((above[cut] + below[cut]) / 2)

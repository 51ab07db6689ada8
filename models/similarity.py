"""Cosine of a page and a query — Batsakis 2007, §3.1, eq. 1 and 2 (B-06).

    w = tf * idf        tf = f / max f        idf = ln(N / N_j) from a fixed background collection
    sim(p, q) = p.q / (|p| |q|)               0 if either is empty

The divisor max f is the same for all terms of a text and cancels in the cosine, so counts serve as tf.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.model import Floats, Ids, Judgement, Readable
from models.text import Vocabulary, counted, distinct, text_ids

# Sums are made in the order of the ids, which is that in which words were met: after a restart another one. Without
# rounding the last bit would decide between links that are equally good, and a resumed crawl go another way.
DIGITS = 12


class Similarity:
    """Relevance is the cosine to the query: exact for whole pages and for anchors."""

    def __init__(self, vocabulary: Vocabulary, query: str, threshold: float = 0.08, idf: bool = True) -> None:
        self.vocabulary = vocabulary
        self.threshold = threshold
        self.with_idf = idf  # False: tf only (§2.3)
        ids, counts = counted(text_ids(vocabulary, [query]))
        self.aim(ids, self._weights(ids, counts))

    def aim(self, ids: NDArray[np.integer], weights: Floats) -> None:
        """Compare with this vector instead of the query's: a centroid, or a query with synonyms."""
        self._query = np.zeros(int(ids.max(initial=0)) + 1)
        self._query[ids] = weights
        norm = float(np.linalg.norm(self._query))
        if norm:
            self._query /= norm

    def judge(self, page: Readable) -> Judgement:
        ids, counts = counted(page.judged_terms)
        weights = self._weights(ids, counts)
        norm = float(np.sqrt(weights @ weights))
        relevance = round(min(1.0, float(self._asked(ids) @ weights) / norm), DIGITS) if norm else 0.0
        return Judgement(relevance, relevance >= self.threshold)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        lengths = np.maximum(ends - starts, 0)
        spans = np.repeat(np.arange(len(starts)), lengths)
        first = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
        ids = terms[first + np.arange(len(first))].astype(np.int64)
        keys, counts = distinct((spans << 32 | ids)[ids > 0])
        spans, ids = keys >> 32, keys & 0xFFFFFFFF
        weights = self._weights(ids, counts)
        dots = np.bincount(spans, self._asked(ids) * weights, len(starts))
        norms = np.sqrt(np.bincount(spans, weights * weights, len(starts)))
        cosines = np.divide(dots, norms, out=np.zeros(len(starts)), where=norms > 0)
        return cosines.clip(0.0, 1.0).round(DIGITS)

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        ids, counts = counted(page.judged_terms)
        weights = self._weights(ids, counts)
        shares = self._asked(ids) * weights / (np.sqrt(weights @ weights) or 1.0)
        best = np.argsort(-shares, kind="stable")[:most]
        return [(self.vocabulary.terms[ids[i]], float(shares[i])) for i in best if shares[i] > 0]

    def _weights(self, ids: NDArray[np.integer], counts: NDArray[np.integer]) -> Floats:
        return counts * self.vocabulary.idf(ids) if self.with_idf else counts.astype(np.float64)

    def _asked(self, ids: NDArray[np.integer]) -> Floats:
        """The query's weight of each term; terms learned after the query are not in it."""
        inside = ids < len(self._query)
        return np.where(inside, self._query[np.where(inside, ids, 0)], 0.0)

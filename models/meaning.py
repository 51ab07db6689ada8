"""How similar anchors are to a query by meaning — Batsakis 2007, §3.3. All anchors of a page in one call.

    ehrig      sum_jk sim(j, k) w_j w_k, with tf weights and no length                        (eq. 8, B-14)
    ssrm       sum_jk sim(j, k) w_j w_k / (|w| |w_q|), with tf-idf weights                    (eq. 9, B-16)
    related    the number of pairs j, k that are near enough to each other                    (§3.3, B-13)
    mihalcea   the mean of both directions of sum_j max_k sim(j, k) idf(j) / sum_j idf(j)     (§3.3, B-18)
    product    their product

j are the words of an anchor, k those of the query. An anchor without terms has similarity 0, and so has everything to
a query without terms. The first three can exceed 1: they order, they are no probabilities.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.likeness import Likeness
from models.model import Floats, Ids
from models.similarity import DIGITS
from models.text import Vocabulary, distinct

Whole = NDArray[np.int64]


class Anchors(NamedTuple):
    """The words of some anchors, one after another, without those that are no terms."""

    number: int  # of the anchors
    spans: Whole  # the anchor each word belongs to
    places: Whole  # where it stands on the page
    ids: Ids  # its term

    @classmethod
    def of(cls, terms: Ids, starts: Ids, ends: Ids) -> Anchors:
        lengths = np.maximum(ends - starts, 0)
        spans = np.repeat(np.arange(len(starts)), lengths)
        places = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(len(spans))
        kept = terms[places] > 0
        return cls(len(starts), spans[kept], places[kept], terms[places[kept]])

    def sums(self, values: Floats) -> Floats:
        """One sum an anchor, of a value a word."""
        return sums(self.spans, values, self.number)

    def words(self, words: list[str]) -> list[str]:
        """As written; `words` are those of the page."""
        return [words[place] for place in self.places.tolist()]

    def counts(self) -> tuple[Whole, Whole, Whole]:
        """How often each term occurs in each anchor: anchor, term, count."""
        keys, counts = distinct(self.spans << 32 | self.ids)
        return keys >> 32, keys & 0xFFFFFFFF, counts


def ehrig_scores(anchors: Anchors, likeness: Floats, query: Floats) -> Floats:
    """`likeness` has a line a word and a column a query term; `query` are its tf weights."""
    spans, _, counts = anchors.counts()
    most = np.ones(anchors.number)
    np.maximum.at(most, spans, counts)
    return (anchors.sums(likeness @ query) / most).round(DIGITS)  # tf = f / max f


def ssrm_scores(anchors: Anchors, likeness: Floats, query: Floats, vocabulary: Vocabulary) -> Floats:
    """`query` are its tf-idf weights."""
    spans, ids, counts = anchors.counts()
    weights = counts * vocabulary.idf(ids)
    norms = np.sqrt(sums(spans, weights * weights, anchors.number)) * np.linalg.norm(query)
    return share(anchors.sums(vocabulary.idf(anchors.ids) * (likeness @ query)), norms)


def related_scores(anchors: Anchors, likeness: Floats) -> Floats:
    """`likeness` is 1 or 0; a word that an anchor has twice counts once."""
    _, firsts = np.unique(anchors.spans << 32 | anchors.ids, return_index=True)
    return sums(anchors.spans[firsts], likeness[firsts].sum(axis=1), anchors.number)


def mihalcea_scores(anchors: Anchors, likeness: Floats, idf: Floats, of_query: Floats) -> tuple[Floats, Floats]:
    """From anchor to query, and back; `idf` of each word, `of_query` of each query term."""
    best = likeness.max(axis=1, initial=0.0)
    there = share(anchors.sums(best * idf), anchors.sums(idf))
    back = np.zeros((anchors.number, len(of_query)))
    np.maximum.at(back, anchors.spans, likeness)
    return there, share(back @ of_query, np.full(anchors.number, of_query.sum()))


def both_ways(measure: str, there: Floats, back: Floats) -> Floats:
    """The two directions of Mihalcea's measure as one score."""
    return (there * back if measure == "product" else (there + back) / 2).round(DIGITS)


def sums(groups: Whole, values: Floats, number: int) -> Floats:
    return np.bincount(groups, values, number).astype(np.float64, copy=False)


def share(parts: Floats, wholes: Floats) -> Floats:
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0).round(DIGITS)


class Meaning:
    """Compares the anchors of a page with the query of a likeness, by one of the measures."""

    def __init__(self, measure: str, likeness: Likeness) -> None:
        self.measure = measure
        self.likeness = likeness

    def scores(self, anchors: Anchors, words: list[str]) -> Floats:
        """`words` are those of the page."""
        query, vocabulary = self.likeness.query, self.likeness.vocabulary
        likeness = self.likeness.of(anchors.words(words))
        if self.measure == "ehrig":
            return ehrig_scores(anchors, likeness, query.counts / query.counts.max(initial=1))
        if self.measure == "related":
            return related_scores(anchors, likeness)
        idf = vocabulary.idf(query.ids)
        if self.measure == "ssrm":
            return ssrm_scores(anchors, likeness, query.counts * idf, vocabulary)
        return both_ways(self.measure, *mihalcea_scores(anchors, likeness, vocabulary.idf(anchors.ids), idf))

"""What recorded browsing teaches — Batsakis 2007, §3.4.1 and §3.4.2 (B-19 to B-22, B-25).

    clusters=kmeans   four groups of pages that are not relevant, the relevant ones are the fifth; idf as everywhere
    clusters=xmeans   as many groups of all pages as describe them best (at most 16); idf of these pages
    cluster           of a crawled page: that of most of the three recorded pages most similar to it; a tie: the nearest
    c_r               the mean of the relevant pages, with which the hybrids compare

Differs: X-means sees the pages along their ten main directions, as in the work the thesis builds on (Liu 2006). In the
thousands of dimensions of plain tf-idf its criterion never pays for a second group, and with one the model is blind.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from models.columns import Bags, Columns, bags
from models.groups import Groups, directions, kmeans, xmeans
from models.hmm import Browsed, Hmm, counted_chances, states_of
from models.model import RELEVANT, Floats, Ids, ModelError
from models.saved import Saved
from models.similarity import DIGITS, Similarity
from models.text import Vocabulary, counted

KIND = "browsing"
OTHER_GROUPS = 4  # of pages that are not relevant; with the relevant ones K = 5
NEIGHBOURS = 3
ARRAYS = ("data", "indices", "indptr", "groups", "idf", "centre", "pi", "a", "b")


class Parts(NamedTuple):
    """What is learned: all of it is saved."""

    terms: list[str]  # in alphabetical order
    idf: Floats  # of each
    rows: csr_array  # the recorded pages, of unit length
    groups: Groups  # the cluster of each
    fallback: int  # the cluster of a page that is like none of them
    centre: Floats  # c_r
    hmm: Hmm


class Browsing:
    """Tells the cluster of a page, and what is ahead of it by the path to it."""

    def __init__(self, vocabulary: Vocabulary, parts: Parts) -> None:
        self.parts = parts
        self.hmm = parts.hmm
        self.columns = Columns(vocabulary, parts.terms)
        self._idf = np.concatenate([[0.0], parts.idf])
        self.relevant = Similarity(vocabulary, "")
        ids = np.array([vocabulary.id_of(term) for term in parts.terms], np.int64)
        self.relevant.aim(ids[ids > 0], parts.centre[ids > 0])

    @classmethod
    def fit(cls, vocabulary: Vocabulary, browsed: Browsed, clusters: str = "kmeans", states: int = 4) -> Self:
        """Refuses what nothing can be learned from."""
        relevant = np.array([page.label == RELEVANT for page in browsed.pages], np.bool_)
        if not relevant.any():
            raise ModelError("No recorded page is relevant: mark those that are.")
        if not any(page.terms.any() for page in browsed.pages):
            raise ModelError("No recorded page has a word to learn from: give pages with text.")
        bag = bags(vocabulary, browsed.pages)
        known = vocabulary.idf(np.array([vocabulary.id_of(term) for term in bag.terms], np.int64))
        idf = _own_idf(bag, len(relevant)) if clusters == "xmeans" else known
        rows = _rows(bag, idf, len(relevant), unit=True)
        groups = xmeans(directions(rows), least=2) if clusters == "xmeans" else _groups(rows, relevant)
        others = np.bincount(groups[~relevant], minlength=1)
        of_relevant = _rows(bag, known, len(relevant), unit=False)[np.flatnonzero(relevant)]
        centre = np.asarray(of_relevant.mean(axis=0), np.float64).ravel()
        distances = states_of(len(relevant), browsed.links, np.flatnonzero(relevant).tolist(), states)
        hmm = counted_chances(distances, browsed.links, groups, states)
        return cls(vocabulary, Parts(bag.terms, idf, rows, groups, int(others.argmax()), centre, hmm))

    def similarities(self, terms: Ids) -> Floats:
        """To each recorded page, by the terms that occur in any of them."""
        found, counts = counted(self.columns.of(terms))
        weights = counts * self._idf[found]
        vector = np.zeros(len(self._idf))
        vector[found] = weights / (np.sqrt(weights @ weights) or 1.0)
        similar: Floats = self.parts.rows @ vector[1:]
        return similar.round(DIGITS)

    def cluster(self, terms: Ids) -> int:
        similar = self.similarities(terms)
        nearest = np.argsort(-similar, kind="stable")[:NEIGHBOURS]
        nearest = nearest[similar[nearest] > 0]
        if not len(nearest):
            return self.parts.fallback
        groups = self.parts.groups[nearest].tolist()
        return int(max(groups, key=groups.count))  # of several with as many votes the first, which is the nearest

    def saved(self) -> Saved:
        parts = self.parts
        rows = {"data": parts.rows.data, "indices": parts.rows.indices, "indptr": parts.rows.indptr}
        learned = {"groups": parts.groups, "idf": parts.idf, "centre": parts.centre}
        chances = {"pi": self.hmm.pi, "a": self.hmm.a, "b": self.hmm.b}
        return Saved(KIND, {"terms": parts.terms, "fallback": parts.fallback}, rows | learned | chances)

    @classmethod
    def restored(cls, vocabulary: Vocabulary, saved: Saved) -> Self:
        saved.require(KIND, ("terms", "fallback"), ARRAYS)
        terms, arrays = saved.facts["terms"], saved.arrays
        shape = (len(arrays["groups"]), len(terms))
        rows = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape)
        hmm = Hmm(arrays["pi"], arrays["a"], arrays["b"])
        learned = Parts(terms, arrays["idf"], rows, arrays["groups"], saved.facts["fallback"], arrays["centre"], hmm)
        return cls(vocabulary, learned)


def _groups(rows: csr_array, relevant: NDArray[np.bool_]) -> Groups:
    """The clusters of K-means; the last one holds the relevant pages (B-20)."""
    groups = np.zeros(len(relevant), np.int64)
    groups[~relevant] = kmeans(rows[np.flatnonzero(~relevant)], OTHER_GROUPS)
    groups[relevant] = groups[~relevant].max(initial=-1) + 1
    return groups


def _own_idf(bag: Bags, pages: int) -> Floats:
    idf: Floats = np.log(pages / np.bincount(bag.words, minlength=len(bag.terms)))
    return idf


def _rows(bag: Bags, idf: Floats, pages: int, unit: bool) -> csr_array:
    """One row a page: tf * idf with tf = f / max f (eq. 1), or the same made of length 1."""
    weights = bag.counts * idf[bag.words]
    size = np.zeros(pages)
    if unit:
        size = np.sqrt(np.bincount(bag.pages, weights * weights, pages))
    else:
        np.maximum.at(size, bag.pages, bag.counts)
    scaled = weights / np.where(size > 0, size, 1.0)[bag.pages]
    return csr_array((scaled, (bag.pages, bag.words)), (pages, len(bag.terms)))

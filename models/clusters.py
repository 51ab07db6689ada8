"""The centroids of each class and how far texts are from them — Ester, Kriegel, Schubert 2004, §4.3.1 (W-05, W-06).

Pages are unit-length tf-idf vectors over the terms most pages have. k-means, ten times from other beginnings, finds
up to eight centroids a class; a page is as far from a class as its cosine distance to the nearest of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.columns import Columns, bags, check
from models.model import RELEVANT, Example, Floats, Ids, ModelError
from models.text import Vocabulary, span_counts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_TERMS, MIN_PAGES = 5_000, 3  # terms of a model; pages a term must be on
MAX_CLUSTERS, RESTARTS, SEED = 8, 10, 0


class Clusters(NamedTuple):
    """What k-means found."""

    terms: list[str]  # in alphabetical order
    idf: Floats
    labels: list[str]
    owners: NDArray[np.int64]  # the class of each centroid, rising
    centroids: Floats  # one a row, of unit length


class Distances:
    """Measures texts given as term ids of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary, clusters: Clusters) -> None:
        self.clusters = clusters
        self.columns = Columns(vocabulary, clusters.terms)
        # Row 0 is that of the terms the model does not know.
        self.idf = np.concatenate([[0.0], clusters.idf])
        self.matrix = np.vstack([np.zeros(len(clusters.owners)), clusters.centroids.T])
        self._firsts = np.flatnonzero(np.diff(clusters.owners, prepend=-1))

    def of(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """From each text terms[start:end] (a row) to each class; 1 from a text without a known word."""
        spans, columns, counts = span_counts(self.columns.of(terms), starts, ends)
        weights = counts * self.idf.take(columns)
        cosines = np.zeros((len(starts), len(self.clusters.owners)))
        if len(spans):
            firsts = np.flatnonzero(np.diff(spans, prepend=-1))
            norms = np.sqrt(np.add.reduceat(weights * weights, firsts))
            products = self.matrix.take(columns, axis=0)
            products *= weights[:, None]
            cosines[spans[firsts]] = np.add.reduceat(products, firsts) / norms[:, None]
        return 1.0 - np.maximum.reduceat(cosines, self._firsts, axis=1)

    def of_examples(self, examples: Sequence[Example]) -> Floats:
        ends = np.cumsum([len(example.terms) for example in examples]).astype(np.int32)
        starts = np.concatenate([np.zeros(1, np.int32), ends[:-1]])
        return self.of(np.concatenate([example.terms for example in examples]), starts, ends)


def clusters_for(pages: int) -> int:
    """How many centroids a class has that so many pages describe (W-06)."""
    return min(MAX_CLUSTERS, max(1, int((pages / 2) ** 0.5)))


def clustered(vocabulary: Vocabulary, examples: Sequence[Example]) -> Clusters:
    """The centroids of each class of the examples."""
    labels = check(examples)
    if RELEVANT not in labels:
        raise ModelError(f"No example is labelled '{RELEVANT}', only {', '.join(labels)}: say which are.")
    terms, idf, vectors = _vectors(vocabulary, examples)
    filled = np.diff(vectors.indptr) > 0
    found = []
    for label in labels:
        mine = filled & np.array([example.label == label for example in examples])
        if not mine.any():
            raise ModelError(f"No example of '{label}' has a word that others have: give more or longer ones.")
        found.append(_means(vectors[mine]))
    owners = np.repeat(np.arange(len(labels)), [len(means) for means in found])
    return Clusters(terms, idf, labels, owners, np.concatenate(found))


def _vectors(vocabulary: Vocabulary, examples: Sequence[Example]) -> tuple[list[str], Floats, csr_array]:
    """The terms that count, their idf, and the examples as unit vectors of them, one a row (W-05)."""
    from scipy.sparse import csr_array

    found, size = bags(vocabulary, examples), len(examples)
    pages = np.bincount(found.words)  # on how many each term is
    least = min(MIN_PAGES, max(1, size // 10))  # few examples have few terms in common
    enough = np.flatnonzero(pages >= least)
    kept = np.sort(enough[np.argsort(-pages[enough], kind="stable")[:MAX_TERMS]])
    idf: Floats = np.log((1 + size) / (1 + pages[kept])) + 1.0
    found = found.only(kept)
    weights = found.counts * idf[found.words]
    norms = np.sqrt(np.bincount(found.pages, weights * weights, size))
    places = found.pages.astype(np.int32), found.words.astype(np.int32)  # k-means takes no longer ones
    return found.terms, idf, csr_array((weights / norms[found.pages], places), (size, len(kept)))


def _means(vectors: csr_array) -> Floats:
    """The centroids of one class. An empty cluster begins again at the farthest page (scikit-learn's way)."""
    from sklearn.cluster import KMeans  # takes seconds, and a crawl that only judges does without
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    means = KMeans(clusters_for(vectors.shape[0]), n_init=RESTARTS, random_state=SEED)
    # One thread: several would add up in another order each time.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different pages than clusters
        means.fit(vectors)
    found: Floats = means.cluster_centers_ / np.linalg.norm(means.cluster_centers_, axis=1, keepdims=True)
    return found

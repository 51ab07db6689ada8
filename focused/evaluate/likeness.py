"""How like each page is to the most similar of some relevant ones — Batsakis 2007, §4.2 (B-27, B-28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, diags

from focused.evaluate.metrics import Floats
from focused.urls import key_of
from models.text import Vocabulary

EXAMPLES = 50  # relevant pages a topic
Terms = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]  # distinct terms of a page, how often each occurs


def likeness(pages: Mapping[str, Terms], relevant: Sequence[str], vocabulary: Vocabulary) -> dict[str, float]:
    """m(p) of each page, by URL. The examples are chosen among the relevant pages by the hash of their URL."""
    places = {url: place for place, url in enumerate(pages)}
    matrix = tf_idf(list(pages.values()), vocabulary)
    examples = [places[url] for url in sorted(relevant, key=key_of)[:EXAMPLES]]
    best = best_similarity(matrix, matrix[examples])
    return dict(zip(pages, best.tolist(), strict=True))


def best_similarity(pages: Any, examples: Any) -> Floats:
    """For each page the highest cosine with an example, m(p); an empty text is like none. One row a text, any matrix.

    >>> examples = [[1, 1, 0, 0], [1, 0, 1, 0]]  # linux kernel, linux shell
    >>> best_similarity([[1, 1, 0, 0], [1, 0, 0, 0], [1, 0.5, 0, 0.5], [0, 0, 0, 0]], examples).round(6).tolist()
    [1.0, 0.707107, 0.866025, 0.0]
    """
    ours, theirs = _of_length_one(pages), _of_length_one(examples)
    if not theirs.shape[0]:
        return np.zeros(ours.shape[0])
    best: Floats = (ours @ theirs.T).max(axis=1).toarray().ravel()
    return best.clip(0.0, 1.0)


def tf_idf(texts: Sequence[Terms], vocabulary: Vocabulary) -> csr_matrix:
    """One row a text, one column a term (B-06)."""
    ends = np.cumsum([0, *(len(ids) for ids, _ in texts)])
    ids = np.concatenate([np.zeros(0, np.int32), *(ids for ids, _ in texts)])
    counts = np.concatenate([np.zeros(0, np.int64), *(counts for _, counts in texts)])
    return csr_matrix((counts * vocabulary.idf(ids), ids, ends), shape=(len(texts), len(vocabulary.terms)))


def _of_length_one(rows: Any) -> csr_matrix:
    sparse = csr_matrix(rows, dtype=np.float64)
    lengths = np.sqrt(np.asarray(sparse.multiply(sparse).sum(axis=1)).ravel())
    return csr_matrix(diags(1 / np.where(lengths > 0, lengths, 1.0)) @ sparse)

"""The nearest of several centroids a class — Ester, Kriegel, Schubert 2004, §4.3.1 (W-07, W-08).

    d_k       = distance of the page to the nearest centroid of class k (models.clusters), kept in 1e-6 .. 1
    s_k       = lam - ln d_k
    Pr[p|C_k] = s_k / sum of all s_j         equal for all classes if that sum is 0

Differs: the printed formula is lam = 0. It is sharpest for pages far from every class, where the text promises
doubt; a larger lam measures distances in a unit larger than the largest of them (ambiguity A1). p_err is one minus
the accuracy, and the folds that measure it never part a site (A2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from models.clusters import Clusters, Distances, clustered
from models.folds import site_folds
from models.model import RELEVANT, THIN, Example, Floats, Ids, Judgement, ModelError, Readable, failing_closed
from models.saved import Kept, Saved
from models.text import Vocabulary, counted

KIND = "centroids"
FIT = "fit"  # an argument with this value is learned by cross-validation
P_ERR = 0.12  # of most topics in Table 2
FOLDS = 10
NEAREST = 1e-6  # a page that is a centroid is at least so far from it
MAX_LAM = 20.0


class Centroids(Kept):
    """Relevance is the confidence of the class `relevant`."""

    def __init__(self, vocabulary: Vocabulary, saved: Saved) -> None:
        arrays = ("terms", "idf", "owners", "centroids")
        saved.require(KIND, ("labels", "lam", "threshold", "p_err"), arrays)
        self.labels: list[str] = saved.facts["labels"]
        self.threshold = float(saved.facts["threshold"])
        self.lam, self.p_err = float(saved.facts["lam"]), float(saved.facts["p_err"])
        self.faults = 0
        super().__init__(vocabulary, saved)
        terms, idf, owners, centroids = (saved.arrays[name] for name in arrays)
        self._distances = Distances(vocabulary, Clusters(terms.tolist(), idf, self.labels, owners, centroids))
        self._wanted = self.labels.index(RELEVANT)

    @classmethod
    def fit(
        cls,
        vocabulary: Vocabulary,
        examples: Sequence[Example],
        threshold: float = 0.5,
        lam: float | str = 1.0,
        p_err: float | str = P_ERR,
    ) -> Self:
        """`lam="fit"` and `p_err="fit"` are learned by cross-validation, which takes ten times as long."""
        clusters = clustered(vocabulary, examples)
        if FIT in (lam, p_err):
            distances, right = held_out(vocabulary, examples)
            lam = best_lam(distances, right) if lam == FIT else lam
            p_err = error_of(distances, right) if p_err == FIT else p_err
        return cls.of(vocabulary, clusters, threshold, _number("lam", lam), _number("p_err", p_err))

    @classmethod
    def of(
        cls, vocabulary: Vocabulary, clusters: Clusters, threshold: float = 0.5, lam: float = 1.0, p_err: float = P_ERR
    ) -> Self:
        """A model of centroids that were found before."""
        facts = {"labels": clusters.labels, "threshold": threshold, "lam": lam, "p_err": p_err}
        arrays = {"terms": np.array(clusters.terms), "idf": clusters.idf}
        arrays |= {"owners": clusters.owners, "centroids": clusters.centroids}
        return cls(vocabulary, Saved(KIND, facts, arrays))

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        terms = page.judged_terms
        known = int(np.count_nonzero(self._distances.columns.of(terms)))
        distances = self._distances.of(terms, np.zeros(1, np.int32), np.array([len(terms)], np.int32))[0]
        values = confidences(distances, self.lam).tolist()
        best = int(distances.argmin())
        # Of more than two classes the wanted one rarely has half of the confidence: the nearest decides.
        passes = values[self._wanted] >= self.threshold if len(values) == 2 else best == self._wanted
        classes = dict(zip(self.labels, values, strict=True))
        return Judgement(values[self._wanted], known > 0 and passes, self.labels[best], classes, thin=known < THIN)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        return confidences(self._distances.of(terms, starts, ends), self.lam)[:, self._wanted]

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        """How much nearer to the wanted class than to the other each term brings the page; sums to the difference."""
        distances = self._distances
        columns, counts = counted(distances.columns.of(page.judged_terms))
        weights = counts * distances.idf[columns]
        weights /= np.sqrt(weights @ weights) or 1.0
        cosines = weights @ distances.matrix[columns]
        mine = distances.clusters.owners == self._wanted
        wanted, rival = (int(np.where(side, cosines, -1.0).argmax()) for side in (mine, ~mine))
        shares = weights * (distances.matrix[columns, wanted] - distances.matrix[columns, rival])
        return distances.columns.telling(columns, shares, most)


def confidences(distances: Floats, lam: float = 1.0) -> Floats:
    """Pr[p|C_k] from the distances to the classes (last axis) (W-07)."""
    shares = lam - np.log(distances.clip(NEAREST, 1.0))
    totals = shares.sum(axis=-1, keepdims=True)
    found: Floats = np.full_like(shares, 1 / shares.shape[-1])
    np.divide(shares, totals, out=found, where=totals > 0)
    return found


def held_out(vocabulary: Vocabulary, examples: Sequence[Example]) -> tuple[Floats, NDArray[np.int64]]:
    """Each example's distances to the classes as learned without its site, and the number of its right class."""
    labels = sorted({example.label for example in examples})
    distances = np.ones((len(examples), len(labels)))
    for train, test in site_folds(examples, FOLDS):
        learned = Distances(vocabulary, clustered(vocabulary, [examples[i] for i in train]))
        distances[test] = learned.of_examples([examples[i] for i in test])
    return distances, np.array([labels.index(example.label) for example in examples])


def best_lam(distances: Floats, right: NDArray[np.int64]) -> float:
    """The lam with the least log-loss on pages that were held out."""
    from scipy.optimize import minimize_scalar

    def loss(lam: float) -> float:
        chances = confidences(distances, lam)[np.arange(len(right)), right]
        return float(-np.log(chances.clip(1e-12)).mean())

    return round(float(minimize_scalar(loss, bounds=(0.0, MAX_LAM), method="bounded").x), 6)


def error_of(distances: Floats, right: NDArray[np.int64]) -> float:
    """p_err: the share judged wrongly of pages that were held out, kept in 0.01 .. 0.49 (W-08)."""
    return float(np.clip(np.mean(distances.argmin(axis=1) != right), 0.01, 0.49))


def _number(name: str, given: float | str) -> float:
    try:
        return float(given)
    except ValueError:
        raise ModelError(f"{name}={given!r} is neither a number nor '{FIT}'.") from None

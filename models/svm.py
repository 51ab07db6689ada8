"""A linear support vector machine on unit-length tf-idf, its distances turned into probabilities (Platt 1999).

    w    = (1 + ln f) * idf, of length 1              idf = ln((1 + N) / (1 + N_j)) + 1 over the examples
    d    = coefficients . w + intercept               what scikit-learn's LinearSVC learned
    Pr[relevant] = 1 / (1 + exp(a d + b))             a, b from pages of sites that were not trained on

scikit-learn trains (CalibratedClassifierCV without ensemble) and is imported only then, since that takes seconds;
judging is numpy only and gives the same numbers.
Words that no example has are ignored; a page without any other is not relevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from models.columns import Bags, Columns, bags, check
from models.folds import site_folds
from models.model import OTHER, RELEVANT, THIN, Example, Floats, Ids, Judgement, ModelError, Readable, failing_closed
from models.saved import Kept, Saved
from models.text import Vocabulary, counted, span_counts

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from sklearn.calibration import CalibratedClassifierCV

KIND = "svm"
FOLDS = 5


class Svm(Kept):
    """Relevance is the calibrated probability; every label but `relevant` counts as other."""

    def __init__(self, vocabulary: Vocabulary, saved: Saved) -> None:
        saved.require(KIND, ("threshold", "slope", "offset"), ("terms", "idf", "coefficients"))
        self.threshold = float(saved.facts["threshold"])
        self.faults = 0
        super().__init__(vocabulary, saved)
        self._columns = Columns(vocabulary, saved.arrays["terms"].tolist())
        self._idf = np.append(0.0, saved.arrays["idf"])  # column 0: not known
        self._coefficients = np.append(0.0, saved.arrays["coefficients"]) * float(saved.facts["slope"])
        self._offset = float(saved.facts["offset"])

    @classmethod
    def fit(cls, vocabulary: Vocabulary, examples: Sequence[Example], threshold: float = 0.5, c: float = 1.0) -> Self:
        """Learn from examples; the smaller `c`, the more slips among them are forgiven."""
        if RELEVANT not in check(examples):
            raise ModelError(f"No example is labelled '{RELEVANT}': add some of what is wanted.")
        found = bags(vocabulary, examples)
        idf = np.log((1 + len(examples)) / (1 + np.bincount(found.words))) + 1.0
        trained = calibrated(unit_vectors(found, idf, len(examples)), examples, c).calibrated_classifiers_[0]
        machine, platt = trained.estimator, trained.calibrators[0]
        if platt.a_ >= 0:
            raise ModelError("Relevant and other examples cannot be told from each other: give more, or clearer ones.")
        offset = -platt.a_ * machine.intercept_[0] - platt.b_
        facts = {"threshold": threshold, "slope": float(-platt.a_), "offset": float(offset)}
        arrays = {"terms": np.array(found.terms), "idf": idf, "coefficients": machine.coef_[0]}
        return cls(vocabulary, Saved(KIND, facts, arrays))

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        every = self._columns.of(page.judged_terms)
        known = int(np.count_nonzero(every))
        relevance = float(sigmoid(self._offset + self._shares(*counted(every)).sum()))
        classes = {RELEVANT: relevance, OTHER: 1.0 - relevance}
        best = max(classes, key=classes.__getitem__)
        return Judgement(relevance, known > 0 and relevance >= self.threshold, best, classes, thin=known < THIN)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        spans, columns, counts = span_counts(self._columns.of(terms), starts, ends)
        weights = self._weights(columns, counts)
        dots = np.bincount(spans, self._coefficients.take(columns) * weights, len(starts))
        norms = np.sqrt(np.bincount(spans, weights * weights, len(starts)))
        return sigmoid(self._offset + np.divide(dots, norms, out=np.zeros(len(starts)), where=norms > 0))

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        """Log-odds; with those of a page without words they add up to the page's."""
        columns, counts = counted(self._columns.of(page.judged_terms))
        return self._columns.telling(columns, self._shares(columns, counts), most)

    def _shares(self, columns: Ids, counts: NDArray[np.int64]) -> Floats:
        """What each word of a text adds to the log-odds."""
        weights = self._weights(columns, counts)
        shares: Floats = self._coefficients.take(columns) * weights / (np.sqrt((weights * weights).sum()) or 1.0)
        return shares

    def _weights(self, columns: NDArray[np.integer], counts: NDArray[np.int64]) -> Floats:
        weights: Floats = (1.0 + np.log(counts)) * self._idf.take(columns)
        return weights


def sigmoid(odds: NDArray[np.float64]) -> Floats:
    """The probability that belongs to log-odds, without overflow."""
    chances: Floats = np.exp(-np.logaddexp(0.0, -odds))
    return chances


def unit_vectors(found: Bags, idf: Floats, pages: int) -> csr_array:
    """The examples as unit-length tf-idf vectors, one a row."""
    from scipy.sparse import csr_array

    weights = (1.0 + np.log(found.counts)) * idf[found.words]
    lengths = np.sqrt(np.bincount(found.pages, weights * weights, pages))
    places = found.pages.astype(np.int32), found.words.astype(np.int32)  # LinearSVC takes no larger ones
    return csr_array((weights / lengths[found.pages], places), (pages, len(found.terms)))


def calibrated(vectors: csr_array, examples: Sequence[Example], c: float) -> CalibratedClassifierCV:
    """A machine trained on all examples, calibrated by machines that had not seen the pages they judged."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    two = [replace(example, label=RELEVANT if example.label == RELEVANT else OTHER) for example in examples]
    machine = LinearSVC(C=c, dual=False, max_iter=10_000)  # the primal solver draws no random numbers
    trained = CalibratedClassifierCV(machine, method="sigmoid", ensemble=False, cv=site_folds(two, FOLDS))
    return trained.fit(vectors, [example.label == RELEVANT for example in two])

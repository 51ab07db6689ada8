"""Which evidence pays: Bayesian logistic regression over the features of links that were fetched.

    minimise   sum  decay**age * logloss(relevance, X w)  +  precision/2 |w - prior|^2

by two Newton steps from the weights there are, over the newest links (Hosmer and Lemeshow, ch. 1; the prior is a normal
one around weights written down in advance). The weights stay at the prior until both kinds of pages have been seen:
a judge that calls everything relevant, or nothing, teaches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.model import Floats
from models.packed import packed, unpacked

HIGH, LOW, ENOUGH = 0.7, 0.3, 3  # that many pages above the one and below the other
STEPS, HALVINGS = 2, 6
BLOCK = 250  # links multiplied at once: with so few BLAS starts no threads, which cost more than they bring


class LinkModel:
    """Weights of features, learned from what links led to."""

    def __init__(self, prior: Floats, precision: float = 16.0, decay: float = 0.998, most: int = 1_000) -> None:
        self.prior, self.weights = prior, prior.copy()
        self.precision, self.decay, self.most = precision, decay, most
        self._features = np.zeros((most, len(prior)))
        self._relevance = np.zeros(most)
        self.links = 0  # learned from so far

    def score(self, features: Floats) -> Floats:
        """Log-odds that a link leads to a relevant page, a row each. No BLAS: its threads cost more than they bring."""
        scores: Floats = np.einsum("ij,j->i", features, self.weights).round(9)
        return scores

    def add(self, features: Floats, relevance: Sequence[float]) -> None:
        """What links led to, a row each."""
        at = (self.links + np.arange(len(relevance))) % self.most
        self._features[at], self._relevance[at] = features, relevance
        self.links += len(relevance)

    def refit(self) -> None:
        size = min(self.links, self.most)
        x, y = self._features[:size], self._relevance[:size]
        if np.count_nonzero(y > HIGH) < ENOUGH or np.count_nonzero(y < LOW) < ENOUGH:
            return
        kept = np.power(self.decay, (self.links - 1 - np.arange(size)) % self.most)
        for _ in range(STEPS):
            self.weights = self._better(x, y, kept).round(9)

    def _better(self, x: Floats, y: Floats, kept: Floats) -> Floats:
        """One Newton step, shortened until it is one downhill: where all is clear a whole one leads far away."""
        scores = _times(x, self.weights)
        p = 1.0 / (1.0 + np.exp(-scores))
        slope = self.precision * (self.weights - self.prior)
        curve = self.precision * np.eye(len(slope))
        missed, bent = kept * (p - y), x * (kept * p * (1.0 - p))[:, None]
        for at in range(0, len(x), BLOCK):
            block = x[at : at + BLOCK]
            slope += missed[at : at + BLOCK] @ block
            curve += bent[at : at + BLOCK].T @ block
        step = np.linalg.solve(curve, slope)
        before = self._loss(self.weights, scores, y, kept)
        for _ in range(HALVINGS):
            nearer = self.weights - step
            if self._loss(nearer, _times(x, nearer), y, kept) <= before:
                return nearer
            step /= 2
        return self.weights

    def _loss(self, weights: Floats, scores: Floats, y: Floats, kept: Floats) -> float:
        moved = weights - self.prior
        misses = np.log1p(np.exp(-np.abs(scores))) + np.maximum(scores, 0.0) - y * scores
        return float((kept * misses).sum() + self.precision / 2 * (moved**2).sum())

    def saved(self) -> dict[str, Any]:
        size = min(self.links, self.most)
        learned = {"features": packed(self._features[:size]), "relevance": packed(self._relevance[:size])}
        return {"weights": self.weights.tolist(), "links": self.links, **learned}

    def restore(self, saved: dict[str, Any]) -> None:
        self.weights, self.links = np.array(saved["weights"]), saved["links"]
        size = min(self.links, self.most)
        self._features[:size] = unpacked(saved["features"], np.float64).reshape(size, -1)
        self._relevance[:size] = unpacked(saved["relevance"], np.float64)


def _times(x: Floats, weights: Floats) -> Floats:
    """Of many rows: einsum, which starts no threads, takes twice as long."""
    return np.concatenate([x[at : at + BLOCK] @ weights for at in range(0, len(x), BLOCK)])

"""How good a model is, by examples it had not seen (W-22): precision, recall, F, confusion, calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.training.validation import Held, Validation
from models.model import OTHER, RELEVANT, Floats

BINS = 10
Truths = NDArray[np.bool_]


class Bin(NamedTuple):
    """Pages whose relevance lies in one tenth: what the model said on average, and how many were relevant."""

    pages: int
    said: float
    was: float


@dataclass(slots=True, frozen=True)
class Quality:
    """All by cross-validation; without folds there is nothing but the note."""

    folds: int
    pages: int
    threshold: float
    precision: float
    recall: float
    f: float
    accuracy: float
    brier: float  # mean square of the distance between relevance and truth
    ece: float  # expected calibration error: mean distance between said and was, by pages
    suggested: float  # the threshold of the highest F
    f_suggested: float
    confusion: dict[str, dict[str, int]]  # label → what it was taken for → pages
    bins: list[Bin]
    note: str = ""

    def facts(self) -> dict[str, Any]:
        """For the manifest."""
        return {**asdict(self), "bins": [tuple(row) for row in self.bins]}


def quality_of(validation: Validation) -> Quality:
    held = validation.held
    truth = np.array([one.is_good for one in held], np.bool_)
    relevance = np.array([one.relevance for one in held], np.float64)
    verdict = np.array([one.relevant for one in held], np.bool_)
    precision, recall, f = scores(truth, verdict)
    bins = reliability(truth, relevance)
    suggested, best = best_threshold(truth, relevance)
    pages = max(1, len(held))
    return Quality(
        folds=validation.folds,
        pages=len(held),
        threshold=validation.threshold,
        precision=precision,
        recall=recall,
        f=f,
        accuracy=float((truth == verdict).sum()) / pages,
        brier=float(np.square(relevance - truth).sum()) / pages,
        ece=sum(row.pages * abs(row.said - row.was) for row in bins) / pages,
        suggested=suggested,
        f_suggested=best,
        confusion=confusion(held),
        bins=bins,
        note=validation.note,
    )


def scores(truth: Truths, verdict: Truths) -> tuple[float, float, float]:
    """Precision, recall, F = 2PR/(P+R) (W-22); 0 where there is nothing to divide by."""
    right = float((truth & verdict).sum())
    precision = right / max(1.0, float(verdict.sum()))
    recall = right / max(1.0, float(truth.sum()))
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def best_threshold(truth: Truths, relevance: Floats) -> tuple[float, float]:
    """The threshold of the highest F, half-way to the next lower relevance, and that F."""
    if not truth.any():
        return 1.0, 0.0
    order = np.argsort(-relevance, kind="stable")
    levels, right = relevance[order], np.cumsum(truth[order])
    taken = np.arange(1, len(order) + 1)
    f = 2 * right / (taken + right[-1])
    f[:-1][levels[:-1] == levels[1:]] = -1.0  # pages of the same relevance are taken together
    best = int(f.argmax())
    below = levels[best + 1] if best + 1 < len(levels) else 0.0
    return float((levels[best] + below) / 2), float(f[best])


def reliability(truth: Truths, relevance: Floats) -> list[Bin]:
    """Ten bins of equal width; empty ones have no pages."""
    at = np.minimum((relevance * BINS).astype(np.int64), BINS - 1)
    pages = np.bincount(at, minlength=BINS)
    said, was = (np.bincount(at, values, BINS) / np.maximum(pages, 1) for values in (relevance, truth))
    return [Bin(int(n), float(s), float(w)) for n, s, w in zip(pages, said, was, strict=True)]


def confusion(held: Sequence[Held]) -> dict[str, dict[str, int]]:
    """By classes if the model has those of the examples, else by verdict."""
    labels = {one.example.label for one in held}
    by_class = len(labels) > 2 and all(one.best_class in labels for one in held)
    table: dict[str, Counter[str]] = {}
    for one in held:
        label = one.example.label if by_class else (RELEVANT if one.is_good else OTHER)
        taken = str(one.best_class) if by_class else (RELEVANT if one.relevant else OTHER)
        table.setdefault(label, Counter())[taken] += 1
    return {label: dict(table[label].most_common()) for label in sorted(table)}


def doubtful(held: Sequence[Held], most: int = 10) -> list[Held]:
    """Examples whose label the others contradict most: the first to look at again."""
    return sorted(held, key=lambda one: -abs(one.relevance - one.is_good))[:most]

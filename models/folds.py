"""Parts of the examples to try a model on that learned from the others: a site is never on both sides (W-08)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.model import Example, ModelError

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]  # examples to learn from, examples to try


def site_folds(examples: Sequence[Example], most: int) -> list[Fold]:
    """At most so many folds. Pages without a site stand for themselves, and all do if a label has but one site."""
    from sklearn.model_selection import StratifiedGroupKFold  # takes seconds, and a crawl that only judges does without

    labels = np.array([example.label for example in examples])
    pages = np.array([f"page {number}" for number in range(len(examples))])
    sites = np.array([example.site or page for example, page in zip(examples, pages, strict=True)])
    for groups in (sites, pages):
        count = min([most, *(len(set(groups[labels == label])) for label in set(labels.tolist()))])
        if count < 2:
            continue
        folds: list[Fold] = list(StratifiedGroupKFold(count).split(labels, labels, groups))
        if all(len(set(labels[train])) == len(set(labels)) for train, _ in folds):
            return folds
    raise ModelError("To try a model, two examples of each label are needed at least: add some.")

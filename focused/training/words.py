"""The most telling words of each label, by the examples themselves.

Log-odds of a word in one label against all others, divided by their standard error, both with a prior from the whole
(Monroe, Colaresi and Quinn 2008, Fightin' words, §3.5.1): frequent words that differ a little and rare ones that differ
a lot are both held back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.model import Example, Floats
from models.text import Vocabulary

PRIOR = 500.0  # words of the whole that every label is mixed with


def telling_words(vocabulary: Vocabulary, pages: Sequence[Example], most: int = 20) -> dict[str, list[str]]:
    """By label, the most telling first."""
    return {label: [term for term, _ in best] for label, best in weighed_words(vocabulary, pages, most).items()}


def weighed_words(vocabulary: Vocabulary, pages: Sequence[Example], most: int) -> dict[str, list[tuple[str, float]]]:
    """The same with how telling they are."""
    size = len(vocabulary.terms)
    counts = {label: np.zeros(size) for label in sorted({page.label for page in pages})}
    for page in pages:
        counts[page.label] += np.bincount(page.terms, minlength=size)
    for row in counts.values():
        row[0] = 0.0  # what is no term
    whole = sum(counts.values(), np.zeros(size))
    found = {}
    for label, row in counts.items():
        values = _z(row, whole - row, whole)
        best = np.argsort(-values, kind="stable")[:most]
        found[label] = [(vocabulary.terms[i], float(values[i])) for i in best if values[i] > 0]
    return found


def _z(mine: Floats, others: Floats, whole: Floats) -> Floats:
    prior = PRIOR * whole / max(1.0, float(whole.sum()))
    a, b = mine + prior, others + prior
    known = a > 0
    a, b = np.where(known, a, 1.0), np.where(known, b, 1.0)
    odds = np.log(a / (mine.sum() + PRIOR - a)) - np.log(b / (others.sum() + PRIOR - b))
    z: Floats = np.where(known, odds / np.sqrt(1 / a + 1 / b), 0.0)
    return z

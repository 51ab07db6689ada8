"""Multinomial naive Bayes — McCallum & Nigam 1998, the judge of Tsoi 2003 (S-04) and, node by node, of F-10.

    theta(c,t) = (1 + n(c,t)) / (|V| + n(c))             Pr[c] = share of the examples
    Pr[c|d]    = Pr[c] * product of theta(c,t) over the words t of d, / the same summed over all c

All in logarithms. Words that no example has are ignored; a text without any other word has the prior.
Differs: such a text is not relevant, however high the prior: a crawl must not keep what nobody could read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from models.columns import Bags, Columns, bags, check
from models.model import RELEVANT, THIN, Example, Floats, Ids, Judgement, ModelError, Readable, failing_closed
from models.saved import Kept, Saved
from models.text import Vocabulary, counted

KIND = "naive_bayes"
DIGITS = 12  # of information: words that tell as much as each other are taken in alphabetical order
FLOOR = -700.0  # no relevance is smaller than exp(FLOOR), so that its logarithm is always a number (F-11)


class NaiveBayes(Kept):
    """Relevance is the probability of the relevant labels; any labels, two by default."""

    def __init__(self, vocabulary: Vocabulary, saved: Saved) -> None:
        saved.require(KIND, ("labels", "relevant", "threshold"), ("terms", "counts", "pages"))
        self.threshold = float(saved.facts["threshold"])
        self.labels: list[str] = saved.facts["labels"]
        self.faults = 0
        super().__init__(vocabulary, saved)
        self._columns = Columns(vocabulary, saved.arrays["terms"].tolist())
        self._weights = word_weights(saved.arrays["counts"])
        self._prior = np.log(saved.arrays["pages"] / saved.arrays["pages"].sum())
        self._wanted = np.isin(self.labels, saved.facts["relevant"])
        self._others = [label for label in self.labels if label not in saved.facts["relevant"]]

    @classmethod
    def fit(
        cls,
        vocabulary: Vocabulary,
        examples: Sequence[Example],
        threshold: float = 0.5,
        features: int = 0,
        relevant: Sequence[str] = (RELEVANT,),
    ) -> Self:
        """Learn from examples; `features` keeps only so many words, those that tell most of the label (0: all)."""
        labels = check(examples)
        _check_relevant(labels, relevant)
        of = np.array([labels.index(example.label) for example in examples])
        found = most_telling(bags(vocabulary, examples), of, features)
        arrays = {"terms": np.array(found.terms), "counts": found.pooled(of, len(labels)), "pages": np.bincount(of)}
        return cls(
            vocabulary, Saved(KIND, {"labels": labels, "relevant": list(relevant), "threshold": threshold}, arrays)
        )

    @failing_closed
    def judge(self, page: Readable) -> Judgement:
        columns = self._columns.of(page.judged_terms)
        known = int(np.count_nonzero(columns))
        posterior = normalised(self._prior + self._weights.take(columns, axis=1).sum(axis=1))
        relevance = float(together(posterior[self._wanted]))
        classes = dict(zip(self.labels, np.exp(posterior).tolist(), strict=True))
        best = self.labels[int(posterior.argmax())]
        return Judgement(relevance, known > 0 and relevance >= self.threshold, best, classes, thin=known < THIN)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        joint = self._prior[:, None] + span_sums(self._weights, self._columns.of(terms), starts, ends)
        return together(normalised(joint)[self._wanted])

    def doubt(self, classes: Mapping[str, float]) -> float:
        """1 - relevance of a page with these labels, exact where it is too small to be seen in the relevance."""
        return sum(classes[label] for label in self._others)

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        """Log-odds of the likeliest relevant label against the likeliest other; with the prior's they add up to it."""
        columns, counts = counted(self._columns.of(page.judged_terms))
        joint = self._prior + self._weights.take(columns, axis=1) @ counts
        wanted = np.where(self._wanted, joint, -np.inf).argmax()
        rival = np.where(self._wanted, -np.inf, joint).argmax()
        odds = (self._weights[wanted] - self._weights[rival])[columns] * counts
        return self._columns.telling(columns, odds, most)


def word_weights(counts: NDArray[np.integer]) -> Floats:
    """ln theta of each class (row) and word (column), less its mean over the classes; column 0: words not known.

    The mean cancels in every comparison of these classes, and sums of small numbers keep more digits.
    """
    size = counts.shape[1]
    logs = np.log1p(counts) - np.log(size + counts.sum(axis=1, keepdims=True))
    weights = np.zeros((len(counts), size + 1))
    weights[:, 1:] = logs - logs.mean(axis=0)
    return weights


def span_sums(weights: Floats, columns: Ids, starts: Ids, ends: Ids) -> Floats:
    """The weights of each class (row) summed over each span columns[start:end], from prefix sums."""
    sums = np.zeros((len(weights), len(columns) + 1))
    np.cumsum(weights.take(columns, axis=1), axis=1, out=sums[:, 1:])
    return sums.take(np.maximum(ends, starts), axis=1) - sums.take(starts, axis=1)


def normalised(joint: Floats) -> Floats:
    """Logarithms of probabilities that add up to 1 over the classes (first axis)."""
    below: Floats = joint - joint.max(axis=0)
    below -= np.log(np.exp(below).sum(axis=0))
    return below


def together(logs: Floats) -> Floats:
    """The probability of any of some classes (first axis), never 0 (F-11)."""
    sums: Floats = np.exp(np.minimum(np.maximum(np.logaddexp.reduce(logs, axis=0), FLOOR), 0.0))  # faster than clip
    return sums


def most_telling(found: Bags, of: NDArray[np.integer], most: int) -> Bags:
    """Only so many words, those that tell most of the class (`of` each example); 0: all words."""
    if not 0 < most < len(found.terms):
        return found
    return found.only(np.sort(np.argsort(-information(found, of), kind="stable")[:most]))


def information(found: Bags, of: NDArray[np.integer]) -> Floats:
    """What it tells of the class whether a word is on the page: mutual information (McCallum & Nigam 1998, §4)."""
    classes = np.bincount(of)[:, None] / len(of)
    has = found._replace(counts=np.ones_like(found.counts)).pooled(of, len(classes)) / len(of)
    words = has.sum(axis=0)
    told: Floats = (_surplus(has, classes * words) + _surplus(classes - has, classes * (1.0 - words))).sum(axis=0)
    return told.round(DIGITS)


def _surplus(share: Floats, expected: Floats) -> Floats:
    """share * ln(share / expected), 0 where there is no share."""
    there = share > 0
    ratio = np.divide(share, expected, out=np.ones_like(share), where=there & (expected > 0))
    return share.clip(0.0) * np.log(ratio)


def _check_relevant(labels: Sequence[str], relevant: Sequence[str]) -> None:
    known = ", ".join(labels)
    for label in relevant:
        if label not in labels:
            raise ModelError(f"No example is labelled '{label}', the relevant label: use one of {known}.")
    if not set(labels) - set(relevant):
        raise ModelError(f"All labels ({known}) are relevant: add examples of what is not.")

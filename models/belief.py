"""How sure a crawl is that a page is relevant: the judge's word, corrected by what the crawl has seen.

    likeness  = 3 judge + cosine to the seeds - 1/2 cosine to the pages that were not relevant
    belief    = logistic of ln likeness, between the mean of relevant pages and that of the others

A judge that was taught classes gives a probability, and knows more than a few seeds do: its log-odds count, within a
bound, and the likeness only sways them. Any other judge's relevance is taken in units of its threshold, and up to a
bound: one who is too sure of itself is not believed more than the pages. The cosines are Rocchio's feedback (1971) with
tf = 1 + ln f. The two means and the common variance are those of a mixture of two normal distributions, fitted by
expectation maximisation to the pages so far; the seeds, each compared with the others, say where relevant pages are to
be expected. The share of relevant pages is fixed at a low prior: a judge calibrated to a high one keeps a crawl
on a site of false positives.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.feedback import Feedback
from models.model import Floats, Ids
from models.text import NOTHING, Vocabulary, counted

JUDGE, SEEDS, OTHERS = 3.0, 1.0, 0.5  # shares in the likeness
THRESHOLD = 0.08  # a judge's threshold counts as this cosine
SUREST = 0.4  # the judge's word counts at most so much
LEAST = 0.01
MOST_TERMS = 100  # of a page that are remembered, the heaviest
MOST_SEEDS = 50  # that are compared with each other, the first
WINDOW = 600  # pages the mixture is fitted to
ROUNDS, EVERY = 8, 10  # of the fit; pages between two
APART = 0.7  # that much relevant pages and others differ at least, in ln likeness: however alike the pages so far are
SEED_BELIEF = 0.9
SURE, SWAYED, GENEROUS = 3.0, 0.5, 1.0  # log-odds: of a taught judge at most; of the likeness beside it; for any page
DIGITS = 9


class Seen(NamedTuple):
    """A page as the belief sees it: its heaviest terms, as a vector of length 1, and how like the topic it is."""

    terms: Ids
    weights: Floats
    judged: float  # the judge's part in the likeness
    likeness: float


class Seeds(NamedTuple):
    """The seeds side by side; all of this changes only with them."""

    terms: Ids  # of all seeds, each with one that is nothing before it
    weights: Floats
    starts: NDArray[np.int64]  # where those of each begin
    alike: Floats  # how like the others each is
    judged: Floats


class Belief:
    """Belongs to one crawl."""

    def __init__(self, vocabulary: Vocabulary, threshold: float, prior: float = 0.1) -> None:
        self.vocabulary, self.prior = vocabulary, prior
        self._unit, self._even = THRESHOLD / max(threshold, 1e-6), _odds(threshold)
        self.feedback = Feedback()
        self._terms = np.zeros((2, 1024))  # by term: of the seeds, of pages that were not relevant
        self._lexicon: Floats = np.zeros(1)  # what each term says for the topic or against it; the last: any other
        self._seeds: list[Seen] = []
        self._gathered: Seeds | None = None
        self._window: list[float] = []  # ln likeness of the newest pages
        self.pages = 0
        self.relevant_at, self.other_at, self.variance = math.log(0.25), math.log(0.06), 0.25

    # --- judging --------------------------------------------------------------------------------------------

    def see(self, terms: Ids, relevance: float) -> Seen:
        """A page of these terms, of which the judge says that relevance."""
        ids, counts = counted(terms)
        weights = (1.0 + np.log(counts)) * self.vocabulary.idf(ids)
        weights /= math.sqrt(_squared(weights)) or 1.0
        cosine = float(np.add.reduce(self._of(ids) * weights))
        if len(ids) > MOST_TERMS:
            heaviest = np.sort((-weights).argsort(kind="stable")[:MOST_TERMS])
            ids, weights = ids.take(heaviest), weights.take(heaviest)
        judged = JUDGE * min(relevance * self._unit, SUREST)
        parts = (judged / (JUDGE + SEEDS), (judged + cosine) / (JUDGE + SEEDS))
        return Seen(ids, weights, *(round(part, DIGITS) for part in parts))

    def of(self, seen: Seen, probability: float | None = None) -> float:
        """The probability that it is relevant; with what the judge says, if that is a probability."""
        slope = (self.relevant_at - self.other_at) / self.variance
        middle = (self.relevant_at + self.other_at) / 2
        odds = slope * (math.log(max(seen.likeness, LEAST)) - middle) + _odds(self.prior)
        if probability is not None:
            odds = _within(_odds(probability) - self._even, SURE) + _within(odds / 2, SWAYED) + GENEROUS
        return round(1.0 / (1.0 + math.exp(-_within(odds, 30.0))), DIGITS)

    def spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """The cosines of texts terms[start:end]; a word met twice counts twice."""
        idf = self.vocabulary.idf(terms)
        sums = np.zeros((2, len(terms) + 1))  # of dot products and squares, up to each term
        np.add.accumulate(self._of(terms) * idf, out=sums[0, 1:])
        np.add.accumulate(idf * idf, out=sums[1, 1:])
        dots, squares = sums.take(np.maximum(starts, ends), axis=1) - sums.take(starts, axis=1)
        norms = np.sqrt(squares)
        norms[norms <= 1e-6] = 1.0
        cosines: Floats = dots / norms
        return cosines

    def likeness(self, judged: Floats, cosines: Floats) -> Floats:
        """Of texts, from what the judge and the pages so far say of them."""
        return (JUDGE * np.minimum(judged * self._unit, SUREST) + cosines) / (JUDGE + SEEDS)

    def _of(self, ids: NDArray[np.integer]) -> Floats:
        """What these terms say."""
        return self._lexicon.take(ids, mode="clip")

    # --- learning -------------------------------------------------------------------------------------------

    def learn_seed(self, seen: Seen) -> None:
        self._seeds, self._gathered = [*self._seeds, seen][:MOST_SEEDS], None
        self._add(0, seen.terms, seen.weights)
        self.feedback.learn(seen.terms, SEED_BELIEF)
        self._fit()
        self._aim()

    def learn(self, seen: Seen, belief: float) -> None:
        self.pages += 1
        self._window.append(math.log(max(seen.likeness, LEAST)))
        del self._window[:-WINDOW]
        self.feedback.learn(seen.terms, belief)
        if belief < 0.5:
            self._add(1, seen.terms, (1.0 - belief) * seen.weights)
        if self.pages % EVERY == 0:
            self._fit()
            self._aim()

    def _aim(self) -> None:
        seeds, others = (vector / (math.sqrt(_squared(vector)) or 1.0) for vector in self._terms)
        self._lexicon = np.append(SEEDS * seeds - OTHERS * others, 0.0)

    def _add(self, which: int, ids: Ids, weights: Floats) -> None:
        size = int(ids.max(initial=0)) + 1
        if size > self._terms.shape[1]:
            self._terms = np.hstack([self._terms, np.zeros((2, size))])
        self._terms[which, ids] += weights
        self._terms[:, NOTHING] = 0.0

    def _fit(self) -> None:
        expected = self._expected() or [self.relevant_at]
        aim, even, size = sum(expected) / len(expected), math.log(self.prior / (1.0 - self.prior)), len(self._window)
        pages = np.array(self._window)
        powers = np.array((np.ones(size), pages, pages * pages))
        all_of, odds = np.add.reduce(powers, axis=1).tolist(), np.empty(size)
        high, low, variance = self.relevant_at, self.other_at, self.variance
        for _ in range(ROUNDS):
            slope = (high - low) / variance
            np.multiply(pages, -slope, out=odds)  # against
            odds += slope * (high + low) / 2 - even
            np.exp(np.minimum(odds, 30.0, out=odds), out=odds)
            odds += 1.0
            of_high = np.einsum("ij,j->i", powers, np.reciprocal(odds, out=odds)).tolist()
            of_low = [whole - part for whole, part in zip(all_of, of_high, strict=True)]
            high = (of_high[1] + 4.0 * aim) / (of_high[0] + 4.0)
            low = min((of_low[1] + 2.0 * math.log(0.06)) / (of_low[0] + 2.0), high - APART)
            variance = (_spread(of_high, high) + _spread(of_low, low) + 2.0) / (size + 10.0)
        self.relevant_at, self.other_at, self.variance = (round(x, DIGITS) for x in (high, low, variance))

    def _expected(self) -> list[float]:
        """ln likeness of each seed to the others."""
        if not self._seeds:
            return []
        seeds = self._gathered = self._gathered or self._gather()
        others = np.add.reduceat(self._terms[1].take(seeds.terms) * seeds.weights, seeds.starts)
        cosines = SEEDS * seeds.alike - OTHERS / (math.sqrt(_squared(self._terms[1])) or 1.0) * others
        expected: list[float] = np.log(np.maximum(seeds.judged + cosines / (JUDGE + SEEDS), LEAST)).tolist()
        return expected

    def _gather(self) -> Seeds:
        terms = np.concatenate([part for seen in self._seeds for part in ((NOTHING,), seen.terms)], dtype=np.int32)
        weights = np.concatenate([part for seen in self._seeds for part in ((0.0,), seen.weights)])
        starts = np.cumsum([0, *(1 + len(seen.terms) for seen in self._seeds[:-1])])
        dots = np.add.reduceat(self._terms[0].take(terms) * weights, starts)
        own = np.add.reduceat(weights * weights, starts)
        rest = np.sqrt(np.maximum(_squared(self._terms[0]) - 2.0 * dots + own, 0.0))
        alike = (dots - own) / np.where(rest > 0.0, rest, 1.0)
        return Seeds(terms, weights, starts, alike, np.array([seen.judged for seen in self._seeds]))

    # --- kill and resume ------------------------------------------------------------------------------------

    def saved(self) -> dict[str, Any]:
        self._aim()  # as one that is restored does
        fit = [self.relevant_at, self.other_at, self.variance]
        return {
            "pages": self.pages,
            "fit": fit,
            "seeds": [(self._words(seen.terms), seen.weights.tolist(), *seen[2:]) for seen in self._seeds],
            "window": list(self._window),
            "terms": [self._named(vector) for vector in self._terms],
            "feedback": self.feedback.saved(self._words),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.pages, self._window = saved["pages"], saved["window"]
        self._seeds = [Seen(self._ids(words), np.array(weights), *rest) for words, weights, *rest in saved["seeds"]]
        self._gathered = None
        self.relevant_at, self.other_at, self.variance = saved["fit"]
        for number, named in enumerate(saved["terms"]):
            self._add(number, self._ids(named), np.array(list(named.values())))
        self.feedback.restore(saved["feedback"], self._ids)
        self._aim()

    def _named(self, vector: Floats) -> dict[str, float]:
        ids = vector.nonzero()[0]
        return dict(zip(self._words(ids), vector[ids].tolist(), strict=True))

    def _words(self, ids: NDArray[np.integer]) -> list[str]:
        return [self.vocabulary.terms[i] for i in ids.tolist()]

    def _ids(self, words: Iterable[str]) -> Ids:
        return np.array([self.vocabulary.id_of(word) for word in words], np.int32)


def _odds(share: float) -> float:
    """Log-odds of a probability, which nothing is quite sure of."""
    share = min(max(share, 1e-3), 1.0 - 1e-3)
    return math.log(share / (1.0 - share))


def _within(odds: float, bound: float) -> float:
    return min(max(odds, -bound), bound)


def _spread(powers: list[float], middle: float) -> float:
    """Sum of squared distances from the middle: by number, sum and sum of squares."""
    number, total, squares = powers
    return squares - 2.0 * middle * total + middle * middle * number


def _squared(vector: Floats) -> float:
    """Without BLAS, whose threads cost more than they bring here."""
    return float(np.add.reduce(vector * vector))

"""Relevance feedback: which words speak for the topic, by the pages of the crawl so far.

    weight(word) = log-odds of (relevant pages with it + 3 m) / (pages with it + 3), less those of m, the share of all

These are the relevance weights of Robertson and Sparck Jones (1976), with how far a page is believed relevant in the
place of a label, and shrunk, for most words are met once or twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from models.model import Floats, Ids
from models.text import NOTHING

HALF = 3.0  # pages that weigh as much as the share of all
MOST = 3.0  # log-odds, for a text or against it


class Feedback:
    """Belongs to one crawl."""

    def __init__(self) -> None:
        self._pages = np.zeros((2, 1024))  # with each term: relevant ones, all; the last: any other
        self.relevant, self.pages = 1.0, 10.0

    def learn(self, terms: Ids, belief: float) -> None:
        """A page with these terms, each named once, is relevant as far as that is believed."""
        self._reserve(int(terms.max(initial=0)) + 2)
        self._pages[0, terms] += belief
        self._pages[1, terms] += 1.0
        self.relevant, self.pages = self.relevant + belief, self.pages + 1.0

    def weights(self, terms: Ids) -> Floats:
        """What each of these says; a term that was not met says nothing."""
        share = self.relevant / self.pages
        relevant, pages = self._pages.take(terms, axis=1, mode="clip")
        shares = (relevant + HALF * share) / (pages + HALF)
        weights: Floats = np.log(shares / (1.0 - shares)) - math.log(share / (1.0 - share))
        return weights

    def spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """What the texts terms[start:end] say."""
        sums = np.zeros(len(terms) + 1)
        np.add.accumulate(self.weights(terms), out=sums[1:])
        said: Floats = sums.take(np.maximum(starts, ends)) - sums.take(starts)
        return np.minimum(np.maximum(said, -MOST), MOST)

    def _reserve(self, size: int) -> None:
        if size > self._pages.shape[1]:
            self._pages = np.hstack([self._pages, np.zeros((2, size))])

    def saved(self, words: Callable[[Any], list[str]]) -> dict[str, Any]:
        """Terms by what they are called: their numbers are those of one process."""
        self._pages[:, NOTHING] = 0.0
        ids = self._pages[1].nonzero()[0]
        return {"words": words(ids), "counts": self._pages[:, ids].tolist(), "all": [self.relevant, self.pages]}

    def restore(self, saved: dict[str, Any], ids: Callable[[list[str]], Ids]) -> None:
        terms = ids(saved["words"])
        self._reserve(int(terms.max(initial=0)) + 2)
        self._pages[:, terms] = saved["counts"]
        self.relevant, self.pages = saved["all"]

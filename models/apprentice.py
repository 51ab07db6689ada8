"""Which links lead to pages that will be accepted — the baseline of xCrawl §3.1 (X-16), after Chakrabarti 2002.

A link is described by the words around it, each with its distance in leaves of the page: <camera, 0> is in the anchor,
<canon, -2> in the second leaf before it, at most five away. Naive Bayes learns, link by link, which of them led to
pages that a validator accepted: Laplace smoothing, features never met are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from models.model import Floats, Ids
from models.text import Vocabulary, distinct

REACH = 5  # leaves on either side of a link
DIGITS = 9  # of log-odds: they are summed in the order of the ids, another one after a restart
_PLACES = 2 * REACH + 1
_LINKS = "links"  # the one part of the state that is no feature

Features = NDArray[np.int64]  # of one link, each once: term id * places + place


class Linked(Protocol):
    """A page with links: its terms, and where the anchors are in them."""

    terms: Ids
    starts: Ids
    ends: Ids


def features(page: Linked, leaf_starts: Ids) -> list[Features]:
    """The features of each link of a page. A link without text has those of the leaf it stands before."""
    size, count = len(page.terms), len(page.starts)
    if not size:
        return [np.zeros(0, np.int64)] * count
    leaves = _leaves(page, leaf_starts)
    first = leaves[np.minimum(page.starts, size - 1)]
    last = np.maximum(first, leaves[np.clip(page.ends - 1, 0, size - 1)])
    low = np.searchsorted(leaves, first - REACH)
    lengths = np.searchsorted(leaves, last + REACH, side="right") - low
    links = np.repeat(np.arange(count), lengths)
    words = np.arange(len(links)) + np.repeat(low - np.cumsum(lengths) + lengths, lengths)
    away = np.minimum(leaves[words] - first[links], 0) + np.maximum(leaves[words] - last[links], 0)
    ids = page.terms[words].astype(np.int64)
    keys = distinct((links << 40 | ids * _PLACES + away + REACH)[ids > 0])[0]
    parts = np.split(keys & ((1 << 40) - 1), np.searchsorted(keys >> 40, np.arange(1, count)))
    return parts[:count]


def _leaves(page: Linked, starts: Ids) -> NDArray[np.int64]:
    """The number of the leaf each word is in, rising; an anchor's words are in none with others."""
    begins = np.zeros(len(page.terms) + 1, np.bool_)
    begins[starts] = begins[page.starts] = begins[page.ends] = True
    return np.cumsum(begins[:-1])


class Apprentice:
    """Learns while the crawl goes on; beyond `limit` features the least seen are forgotten."""

    def __init__(self, vocabulary: Vocabulary, limit: int = 200_000) -> None:
        self.vocabulary, self.limit = vocabulary, limit
        self.links = [0, 0]  # learned from: rejected, accepted
        self.known = 0  # features
        self._totals = [0, 0]  # features of rejected and of accepted links
        self._counts = np.zeros((2, 1024), np.int32)
        self._kept = [0, 0]  # `links` when `changes` was last called
        self._changed: set[int] = set()

    def learn(self, link: Features, accepted: bool) -> None:
        """The target of a link was fetched and accepted, or not."""
        self._grow(int(link.max(initial=0)) + 1)
        self.known += int(np.count_nonzero(self._counts[:, link].sum(axis=0) == 0))
        self._counts[int(accepted), link] += 1
        self._totals[accepted] += len(link)
        self.links[accepted] += 1
        self._changed.update(link.tolist())
        if self.known > self.limit:
            self._forget()

    def score(self, links: Sequence[Features]) -> Floats:
        """Pr[accept] of each link."""
        chances: Floats = np.exp(-np.logaddexp(0.0, -self.odds(links)))
        return chances

    def odds(self, links: Sequence[Features]) -> Floats:
        """The same as log-odds, which tell links apart that are next to certain."""
        keys = np.concatenate([np.zeros(0, np.int64), *links])
        counts = self._counts.take(np.minimum(keys, self._counts.shape[1] - 1), axis=1)
        counts[:, keys >= self._counts.shape[1]] = 0
        met = counts.any(axis=0)
        rejected, accepted = (total + self.known for total in self._totals)
        shares = np.log((1 + counts[1]) / (1 + counts[0])) + math.log(max(rejected, 1) / max(accepted, 1))
        owners = np.repeat(np.arange(len(links)), [len(link) for link in links])
        sums = np.bincount(owners[met], shares[met], len(links)).astype(np.float64)
        return (sums + math.log((self.links[1] + 1) / (self.links[0] + 1))).round(DIGITS)

    def names(self, link: Features) -> list[str]:
        """The features of a link by name, such as camera@0, to be kept where ids mean nothing."""
        return [f"{self.vocabulary.terms[key // _PLACES]}@{key % _PLACES - REACH}" for key in link.tolist()]

    def named(self, names: Iterable[str]) -> Features:
        """The features that have these names."""
        parts = (name.rpartition("@") for name in names)
        keys = (self.vocabulary.id_of(term) * _PLACES + int(place) + REACH for term, _, place in parts)
        found = np.unique(np.fromiter(keys, np.int64))
        return found[found >= _PLACES]  # no term: the vocabulary was full

    def changes(self) -> dict[str, list[int] | None]:
        """What was learned since the last call, in JSON: feature → counts, None if it was forgotten."""
        keys = np.array(sorted(self._changed), np.int64)
        self._changed.clear()
        counts = self._counts[:, keys].T.tolist()
        rows = zip(self.names(keys), counts, strict=True)
        parts: dict[str, list[int] | None] = {name: pair if any(pair) else None for name, pair in rows}
        if self.links != self._kept:
            self._kept = parts[_LINKS] = list(self.links)
        return parts

    def restore(self, parts: Mapping[str, Any]) -> None:
        """Take back what all calls of `changes` gave, put together."""
        self.links = list(parts.get(_LINKS, [0, 0]))
        self._kept = list(self.links)
        for name, pair in parts.items():
            if name != _LINKS and pair:
                for key in self.named([name]).tolist():
                    self._grow(key + 1)
                    self._counts[:, key] = pair
        self.known = int(np.count_nonzero(self._counts.any(axis=0)))
        self._totals = self._counts.sum(axis=1).tolist()

    def _grow(self, size: int) -> None:
        """Room for all features of the terms met so far; the vocabulary has a limit, so this has."""
        have = self._counts.shape[1]
        if size > have:
            self._counts = np.pad(self._counts, ((0, 0), (0, max(size, 2 * have) - have)))

    def _forget(self) -> None:
        """Forgets all features that were seen up to so many times that a quarter of the limit is free."""
        seen = self._counts.sum(axis=0)
        ordered = np.sort(seen[seen > 0])
        last = ordered[len(ordered) - self.limit * 3 // 4 - 1]
        gone = np.flatnonzero((seen > 0) & (seen <= last))
        self._counts[:, gone] = 0
        self._changed.update(gone.tolist())
        self.known = int(np.count_nonzero(seen > last))
        self._totals = self._counts.sum(axis=1).tolist()

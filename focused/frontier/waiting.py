"""Waiting: the links waiting on one site, best first.

A waiting link is one integer, its entry: the key of its score in the upper bits, its page id in the lower 32.
Comparing two entries is comparing (-score, page id), so equal scores come in order of discovery.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]

HOT = 8  # a site keeps at least this many of its best links in the heap, and at most about twice as many
PAGE = (1 << 32) - 1  # entry & PAGE is the page id, entry >> 32 the key
NOT_WAITING = 0  # the key of a page that does not wait
NOTHING = (1 << 96) - (1 << 32)  # behind every entry
_MAGNITUDE = np.int64((1 << 63) - 1)
_ABOVE_ZERO = np.uint64(0x7FF8000000000001)  # makes all keys positive, and the score of key 0 a (quiet) NaN


def keys_of(scores: npt.ArrayLike) -> Keys:
    """Integers in the order in which links are fetched: the higher the score, the smaller the key.

    This is the one place where a score changes its sign. A score that is not a number comes last.
    """
    bits = (0.0 - np.fmax(scores, -np.inf, dtype=np.float64)).view(np.int64)
    # IEEE 754: the bits of floats are ordered as integers are, once those below zero are turned round.
    return (bits ^ (bits >> 63 & _MAGNITUDE)).view(np.uint64) + _ABOVE_ZERO


HIGHEST = keys_of([np.inf])[0]


def scores_of(keys: Keys) -> npt.NDArray[np.float64]:
    """The scores of such keys; NaN for NOT_WAITING."""
    bits = (keys - _ABOVE_ZERO).view(np.int64)
    return 0.0 - (bits ^ (bits >> 63 & _MAGNITUDE)).view(np.float64)


class Waiting:
    """A small heap of entries (`hot`) before a plain array of page ids (`cold`).

    Every waiting link is in hot if its entry is not above `cutoff`, else in cold. What is in them besides, because the
    link was taken or rescored since, is recognised by `keys`, the keys of all pages by id, and skipped.
    """

    __slots__ = ("cold", "count", "cutoff", "hot", "keys")

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.count = 0
        self.hot: list[int] = []
        self.cold = array("I")
        self.cutoff = NOTHING

    @property
    def nbytes(self) -> int:
        """Bytes, estimated."""
        return 300 + 56 * len(self.hot) + self.cold.itemsize * len(self.cold)

    def put(self, page: int, key: int) -> None:
        """Let a page wait with this key, whether it waited already or not."""
        old = self.keys.item(page)
        if old == key:
            return
        self.keys[page] = key
        self.count += old == NOT_WAITING
        entry = key << 32 | page
        if entry <= self.cutoff:
            heappush(self.hot, entry)
            if len(self.hot) > 2 * HOT and len(self.hot) > 2 * self._keep():
                self._spill()
        elif old == NOT_WAITING or (old << 32 | page) <= self.cutoff:
            self.cold.append(page)
            if len(self.cold) > 2 * self.count + 64:
                self._compact()

    def remove(self, page: int) -> None:
        """The page, which waits, waits no longer."""
        self.keys[page] = NOT_WAITING
        self.count -= 1
        if self.hot and self.hot[0] & PAGE == page:
            heappop(self.hot)

    def load(self, pages: npt.NDArray[np.uint32], best: int) -> None:
        """Let many pages wait whose keys are already written; `best` is the entry of the best of them."""
        best = min(best, self.first())
        self.cold.extend([entry & PAGE for entry in self.hot])
        self.cold.frombytes(pages.tobytes())
        self.count += len(pages)
        self.hot = [best]
        self.cutoff = best

    def first(self) -> int:
        """The entry of the best link, NOTHING if none waits."""
        hot, keys = self.hot, self.keys
        while hot:
            if keys.item(hot[0] & PAGE) == hot[0] >> 32:
                return hot[0]
            heappop(hot)
        if not self.count:
            return NOTHING
        self.hot = self._draw(self._keep())
        return self.hot[0]

    def bound(self) -> int:
        """An entry of this site, not above that of its best link; costs nothing, where first() may have to sort."""
        return self.hot[0] if self.hot else self.cutoff

    def best(self, n: int) -> list[int]:
        """The entries of the best links, best first: n of them, and more where they are at hand."""
        hot = self._valid()
        while len(hot) < min(n, self.count):
            self.hot = hot
            hot = sorted({*hot, *self._draw(n - len(hot))})
        self.hot = hot
        return hot.copy()

    def pages(self) -> list[int]:
        """All pages that wait, in no order."""
        return list({*(entry & PAGE for entry in self._valid()), *self._cold()[0].tolist()})

    def _keep(self) -> int:
        return max(HOT, self.count >> 6)

    def _valid(self) -> list[int]:
        """The entries of hot that still stand, best first."""
        keys = self.keys
        return sorted({entry for entry in self.hot if keys.item(entry & PAGE) == entry >> 32})

    def _spill(self) -> None:
        """Move all but the best of hot to cold."""
        hot, keep = self._valid(), self._keep()
        if len(hot) > keep:
            self.cutoff = hot[keep - 1]
            self.cold.extend([entry & PAGE for entry in hot[keep:]])
        self.hot = hot[:keep]

    def _draw(self, n: int) -> list[int]:
        """Move the n best of cold out of it: their entries, best first."""
        pages, keys = self._cold()
        order = _best_to_the_front(pages, keys, n)
        pages, best = pages[order], keys[order[:n]]
        drawn = [key << 32 | page for page, key in zip(pages[:n].tolist(), best.tolist(), strict=True)]
        self.cold = array("I", pages[n:].tobytes())
        self.cutoff = drawn[-1] if self.cold else NOTHING
        return drawn

    def _cold(self) -> tuple[npt.NDArray[np.uint32], Keys]:
        """The pages of cold that wait, and their keys; some may be named twice, or be in hot as well."""
        pages = np.asarray(self.cold)
        keys = self.keys.take(pages)
        waits = keys != NOT_WAITING
        return pages[waits], keys[waits]

    def _compact(self) -> None:
        """Cold without what no longer waits and what is double."""
        pages = np.sort(self._cold()[0])
        new = np.ones(len(pages), np.bool_)
        new[1:] = pages[1:] != pages[:-1]
        self.cold = array("I", pages[new].tobytes())


def _best_to_the_front(pages: npt.NDArray[np.uint32], keys: Keys, n: int) -> npt.NDArray[np.intp]:
    """The positions of the n best pages, best first, and then those of the others."""
    if len(keys) <= 4 * n + 256:  # sorting so few is quicker
        return np.lexsort((pages, keys))
    worst = np.partition(keys, n - 1)[n - 1]
    front, ties = np.flatnonzero(keys < worst), np.flatnonzero(keys == worst)
    more = n - len(front)
    front = np.append(front, ties[np.argpartition(pages[ties], more - 1)[:more]])
    others = np.ones(len(keys), np.bool_)
    others[front] = False
    return np.append(front[np.lexsort((pages[front], keys[front]))], np.flatnonzero(others))


def by_site(links: Keys, keys: Keys) -> Iterator[tuple[int, int, npt.NDArray[np.uint32]]]:
    """Links of some sites, sorted, the site in the upper half: each site, the entry of its best link, its pages."""
    pages, numbers = (links & PAGE).astype(np.uint32), links >> 32
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    stops = np.append(starts[1:], len(links))
    of_pages = keys.take(pages)
    best = np.minimum.reduceat(of_pages, starts)
    ties = np.where(of_pages == np.repeat(best, stops - starts), pages, np.uint32(PAGE))
    columns = (numbers[starts], best, np.minimum.reduceat(ties, starts), starts, stops)
    for number, key, page, start, stop in zip(*(column.tolist() for column in columns), strict=True):
        yield number, key << 32 | page, pages[start:stop]

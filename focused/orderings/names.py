"""The names that links bear, and their places in the table of what is counted.

The words of an anchor are found by the numbers of their terms, which are those of one process; what is kept names them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.orderings import evidence as of
from focused.orderings.evidence import Rows
from focused.orderings.sighting import KINDS, Sighting
from models.counters import NOBODY, Counters, Places
from models.text import NOTHING, Vocabulary

# Columns of places of a link nobody has a row of: those of a row, without the pages that link to it.
FRESH = of.HUBS.start + 2
COLUMNS = (of.HOST, of.DIRECTORY, of.TEMPLATE, of.PATH)  # in a row, by kind of name
TOKENS = KINDS[4]


class Names(Counters):
    """Belongs to one crawl."""

    def __init__(self, vocabulary: Vocabulary, reserved: int) -> None:
        super().__init__(KINDS, reserved)
        self._vocabulary = vocabulary
        self._by_term: Places = np.zeros(1024, np.int64)  # places; the last: of any other

    def places(self, seen: Sighting) -> NDArray[np.int64]:
        """Of the names of all links, a column each; nothing is entered."""
        *named, paths = map(self.known, KINDS, seen.names)
        places = np.empty((FRESH, len(paths)), np.int64)
        places[of.PATH], places[of.HOST :] = paths, named
        self._by_term.take(seen.tokens.T, mode="clip", out=places[of.TOKENS])
        return places

    def place(self, rows: Rows, seen: Sighting, which: NDArray[np.int64]) -> dict[str, list[str]]:
        """Names in rows that have no place get one; which ones these are. The rows are those of these links."""
        new = {}
        for kind, column, names in zip(KINDS, COLUMNS, seen.names, strict=False):
            if NOBODY in rows.places[:, column].tolist():
                before = self.size(kind)
                rows.places[:, column] = self.enter(kind, [names[link] for link in which.tolist()])
                new[kind] = self.newest(kind, before)
        if words := self._place_words(rows.places[:, of.TOKENS], seen.tokens.take(which, axis=0)):
            new[TOKENS] = words
        return new

    def _place_words(self, places: NDArray[np.int32], terms: NDArray[np.int32]) -> list[str]:
        missing = terms[(places == NOBODY) & (terms != NOTHING)].tolist()
        if not missing:
            return []
        words = [self._vocabulary.terms[term] for term in dict.fromkeys(missing)]
        self.learn({TOKENS: words})
        places[:] = self._by_term.take(terms)
        return words

    def learn(self, new: dict[str, list[str]]) -> None:
        """Enter names, as they were entered before a kill."""
        for kind, names in new.items():
            places = self.enter(kind, names)
            if kind == TOKENS:
                self._number(names, places)

    def forget(self) -> Places | None:
        moved = super().forget()
        if moved is not None:
            self._by_term = moved[self._by_term]
        return moved

    def restore(self, saved: dict[str, Any]) -> None:
        super().restore(saved)
        self._number(saved[TOKENS]["names"], self._all(TOKENS))

    def _number(self, words: Iterable[str], places: Any) -> None:
        terms = np.array([self._vocabulary.id_of(word) for word in words], np.int64)
        missing = int(terms.max(initial=0)) + 2 - len(self._by_term)
        if missing > 0:
            self._by_term = np.append(self._by_term, np.zeros(missing + len(self._by_term), np.int64))
        self._by_term[terms] = places
        self._by_term[NOTHING] = NOBODY

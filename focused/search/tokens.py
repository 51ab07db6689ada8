"""Words that tell documents on a topic from others — xCrawl, §2.1 (X-01).

A token's weight is the mean over the documents of tf * idf, the highest 1; tf = f / max f, idf = ln((1+N)/(1+df)) + 1
over the shipped table of English. Tokens that the user gave count as sure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from models.text import Vocabulary, background_counts, stop_words, words_of

MOST = 7  # tokens, as in the paper's Table 1
LEAST_LETTERS = 3


class Tokens:
    """Their weights follow the documents that are read. The user's own stay, and are sure until one of them was read.

    >>> Tokens([["zoom", "zoom", "the"], ["zoom"]]).weights()
    {'zoom': 1.0}
    """

    def __init__(self, documents: Iterable[Sequence[str]] = (), given: Iterable[str] = ()) -> None:
        self._given = {token: words_of(token.lower()) for token in given}
        self._own = {word for words in self._given.values() for word in words}
        self._sums: dict[str, float] = {}  # of tf, by word
        self._term_of = Vocabulary().term_of
        for document in documents:
            self.add(self.shares_of(document))

    def shares_of(self, document: Sequence[str]) -> dict[str, float]:
        """All that has to be known of a document: tf of every word that may be a token."""
        counts = Counter(word for word in map(str.lower, document) if word in self._own or _is_token(word))
        highest, wanted = max(counts.values(), default=1), self._own or counts.keys()
        return {word: round(count / highest, 6) for word, count in counts.items() if word in wanted}

    def add(self, shares: Mapping[str, float]) -> None:
        """One more document."""
        for word, share in shares.items():
            self._sums[word] = self._sums.get(word, 0.0) + share

    def weights(self, most: int = MOST) -> dict[str, float]:
        """So many, the best first; or all of the user's, as they were given."""
        values = {word: total * self._idf(word) for word, total in self._sums.items()}
        if self._given:
            return self._of_given(values)
        best = sorted(values.items(), key=lambda item: (-item[1], item[0]))[:most]
        return {word: round(value / best[0][1], 6) for word, value in best}

    def _of_given(self, values: Mapping[str, float]) -> dict[str, float]:
        """Of several words in one token the one that says least counts."""
        least = {token: min((values.get(w, 0.0) for w in words), default=0.0) for token, words in self._given.items()}
        highest = max(least.values())
        return {token: round(value / highest, 6) if highest else 1.0 for token, value in least.items()}

    def _idf(self, word: str) -> float:
        (size, counts), term = background_counts(), self._term_of(word)
        return math.log((1 + size) / (1 + (counts.get(term, 0) if term else size))) + 1


def _is_token(word: str) -> bool:
    return len(word) >= LEAST_LETTERS and not word.isdigit() and word not in stop_words()

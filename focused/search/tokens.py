"""Words that tell sample documents from others — xCrawl, §2.1 (X-01)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from models.text import Vocabulary, background_counts, stop_words

MOST = 7  # tokens, as in the paper's Table 1
LEAST_LETTERS = 3

Corpus = tuple[int, Mapping[str, int]]  # documents, and in how many of them each term occurs


def tokens_of(documents: Sequence[Sequence[str]], most: int = MOST) -> dict[str, float]:
    """The tokens with the highest tf-idf and their weights, best first; idf comes from the shipped English table."""
    term_of, (size, counts) = Vocabulary().term_of, background_counts()
    words = {word.lower() for document in documents for word in document}
    return weighted(documents, (size, {word: counts.get(term_of(word), 0) for word in words}), most)


def weighted(documents: Sequence[Sequence[str]], corpus: Corpus | None = None, most: int = MOST) -> dict[str, float]:
    """tf = f / max f, idf = ln((1+N)/(1+df)) + 1, averaged over the documents; the highest is 1.

    >>> weighted([["zoom", "zoom", "lens", "the"], ["zoom", "sensor"]])
    {'zoom': 1.0, 'sensor': 0.702733, 'lens': 0.351366}
    """
    texts = [[word.lower() for word in document if _is_token(word.lower())] for document in documents]
    size, found_in = corpus or (len(texts), Counter(word for text in texts for word in set(text)))
    sums: Counter[str] = Counter()
    for counts in map(Counter, texts):
        highest = max(counts.values(), default=1)
        for word, count in counts.items():
            sums[word] += count / highest * (math.log((1 + size) / (1 + found_in.get(word, 0))) + 1)  # type: ignore[assignment]
    best = sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:most]
    return {word: round(value / best[0][1], 6) for word, value in best}


def _is_token(word: str) -> bool:
    return len(word) >= LEAST_LETTERS and not word.isdigit() and word not in stop_words()

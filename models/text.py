"""From text to terms: unicode words, stop words out, Porter stems, each stem a small integer.

A word is stemmed once in the life of the process; after that a dictionary takes it straight to its
term's id. Ids are private to one Vocabulary: whatever is saved names terms, not ids. The stemmer is
PyStemmer's Porter and not nltk's: the same algorithm, but importing nltk takes seconds.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import TypeVar

import numpy as np
import Stemmer
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from models.model import Floats, Ids

WORD = re.compile(r"[^\W_]+")
LONGEST_WORD = 40
NOTHING = 0  # the id of what is no term: stop words, numbers, single letters, what came after the limit

Stem = Callable[[str], str]
Key = TypeVar("Key", bound=np.integer)


def words_of(text: str) -> list[str]:
    """The words of a text in any script, as written.

    >>> words_of("Mountain-biking in Zürich, 2nd_edition")
    ['Mountain', 'biking', 'in', 'Zürich', '2nd', 'edition']
    """
    return WORD.findall(text)


@cache
def background_counts() -> tuple[int, dict[str, int]]:
    """The shipped table: number of documents, and in how many of them each stem occurs (B-06)."""
    packed = resources.files("models").joinpath("data/idf.tsv.gz").read_bytes()
    first, *rows = gzip.decompress(packed).decode().splitlines()
    return int(first), {stem: int(count) for stem, count in (row.split("\t") for row in rows)}


@cache
def stop_words() -> frozenset[str]:
    """English words that carry no topic."""
    return frozenset(resources.files("models").joinpath("data/stop_words.txt").read_text("utf-8").split())


class Vocabulary(dict[str, int]):
    """Word → id of its term; learns words as it meets them, up to a limit."""

    def __init__(
        self,
        counts: tuple[int, dict[str, int]] | None = None,
        stem: Stem | None = None,
        limit: int = 300_000,
    ) -> None:
        super().__init__()
        self.documents, self._counts = counts or background_counts()
        self.terms = [""]
        self.limit = limit
        self.ignored = 0  # words met after the limit was reached
        self._stem = stem or Stemmer.Stemmer("porter", 0).stemWord
        self._stop_words = stop_words()
        self._ids: dict[str, int] = {}
        self._idf: Floats = np.zeros(1024)

    def __missing__(self, word: str) -> int:
        term_id = self.id_of(self.term_of(word))
        if len(self) < 2 * self.limit:
            self[word] = term_id
        return term_id

    def ids(self, words: list[str]) -> Ids:
        """The term of each word, by position."""
        return np.fromiter(map(self.__getitem__, words), np.int32, len(words))

    def idf(self, ids: NDArray[np.integer]) -> Floats:
        """ln(N / N_j); a term the table does not know counts as met once (B-06)."""
        of_terms: Floats = self._idf.take(ids)
        return of_terms

    def term_of(self, word: str) -> str:
        """The stem, or nothing if the word carries no meaning of its own. Only plain Latin words are stemmed."""
        lower = word.lower()
        if not _has_meaning(lower, self._stop_words):
            return ""
        return self._stem(lower) if lower.isascii() else lower

    def id_of(self, term: str) -> int:
        """The id of a term, given to it when it is first met."""
        if not term:
            return NOTHING
        known = self._ids.get(term)
        if known is not None:
            return known
        if len(self.terms) > self.limit:
            self.ignored += 1
            return NOTHING
        return self._learn(term)

    def written(self, terms: Iterable[str]) -> dict[str, str]:
        """Each term as people write it, the shortest word met that has it; the term itself if none was met.

        >>> vocabulary = Vocabulary((10, {}))
        >>> _ = vocabulary.ids(["Ponies", "pony", "bicycles"])
        >>> vocabulary.written(["poni", "bicycl", "sail"])
        {'poni': 'pony', 'bicycl': 'bicycles', 'sail': 'sail'}
        """
        found = {term: term for term in terms}
        wanted = {self._ids[term]: term for term in found if term in self._ids}
        words: dict[str, str] = {}
        for word, term_id in self.items():
            if term := wanted.get(term_id):
                words[term] = min(words.get(term, word.lower()), word.lower(), key=len)
        return found | words

    def _learn(self, term: str) -> int:
        new = self._ids[term] = len(self.terms)
        self.terms.append(term)
        if new >= len(self._idf):
            self._idf = np.concatenate([self._idf, np.zeros(len(self._idf))])
        self._idf[new] = math.log(self.documents / self._counts.get(term, 1))
        return new


def _has_meaning(lower: str, stop_words: frozenset[str]) -> bool:
    return 2 <= len(lower) <= LONGEST_WORD and not lower.isdigit() and lower not in stop_words


def says_something(text: str) -> bool:
    """Whether a text has a word that carries a meaning of its own.

    >>> says_something("The Who"), says_something("who is who in sailing")
    (False, True)
    """
    return any(_has_meaning(word.lower(), stop_words()) for word in words_of(text))


def distinct(keys: NDArray[Key]) -> tuple[NDArray[Key], NDArray[np.int64]]:
    """np.unique with counts, at a third of its price for the few hundred words of a page."""
    size = len(keys)
    if not size:
        return keys, np.zeros(0, np.int64)
    ordered = np.sort(keys)
    begins = np.ones(size + 1, np.bool_)  # where another key begins, and the end
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:size])
    at = begins.nonzero()[0]
    return ordered[at[:-1]], at[1:] - at[:-1]


def counted(ids: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """The distinct terms of a text and how often each occurs.

    The last text is remembered: the judge counts a page, and then those who learn from it. Nobody writes to either.
    """
    of, terms, counts = _counted[0]
    if of is not ids:
        terms, counts = distinct(ids)
        if len(terms) and terms[0] == NOTHING:
            terms, counts = terms[1:], counts[1:]
        _counted[0] = ids, terms, counts
    return terms, counts


_counted: list[tuple[Ids, Ids, NDArray[np.int64]]] = [(np.zeros(0, np.int32),) * 2 + (np.zeros(0, np.int64),)]


def span_counts(
    ids: Ids, starts: NDArray[np.integer], ends: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct terms of each of the texts ids[start:end], as three aligned arrays: which text, term, how often."""
    lengths = np.maximum(ends - starts, 0)
    spans = np.repeat(np.arange(len(starts)), lengths)
    first = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
    inside = ids[first + np.arange(len(first))].astype(np.int64)
    keys, counts = distinct((spans << 32 | inside)[inside > 0])
    return keys >> 32, keys & 0xFFFFFFFF, counts


def text_ids(vocabulary: Vocabulary, texts: Iterable[str]) -> Ids:
    """The terms of some texts put together."""
    return vocabulary.ids([word for text in texts for word in words_of(text)])


class Text:
    """A text that is no page, to be judged like one."""

    url = ""
    title = ""

    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self.words = words_of(text)
        self.terms = vocabulary.ids(self.words)

    @property
    def judged_terms(self) -> Ids:
        return self.terms

    @property
    def tree(self) -> LexborHTMLParser:
        return LexborHTMLParser("")

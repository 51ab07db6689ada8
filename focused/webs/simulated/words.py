"""The words of the simulated web: vocabulary.json.gz as tables to draw from.

A table repeats each word in proportion to its frequency, so that drawing a word is one look-up.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.resources import files
from itertools import accumulate

import numpy as np
import numpy.typing as npt

GENERAL = "other/general"
FINE = 1 << 16  # entries of the table of ordinary English: its rarest word comes once in 65,536
COARSE = 1 << 12  # entries of a topic's table
FUNCTION_WORDS = 120  # the head of the Zipf order says nothing about a page

Ids = npt.NDArray[np.int32]


def spread(ids: list[int], counts: list[int], entries: int) -> Ids:
    """A table in which each id takes a share of the entries proportional to its count."""
    sums = np.array(list(accumulate(counts)), dtype=np.float64)
    places = (np.arange(entries) + 0.5) / entries * sums[-1]
    table: Ids = np.array(ids, dtype=np.int32)[np.searchsorted(sums, places)]
    return table


class Words:
    """Every word has an id; `forms` also holds it capitalised and with a full stop (id + size, id + 2 size)."""

    def __init__(self, raw: bytes) -> None:
        data = json.loads(raw)
        self.topics: list[str] = [*data["topics"], GENERAL]
        self._ids: dict[str, int] = {}
        ordinary = [(self._id(word), count) for word, count in data["ordinary"]]
        plain = [[(self._id(word), count) for word, count in topic["words"]] for topic in data["topics"].values()]
        others = [self._synonyms(topic["synonyms"]) for topic in data["topics"].values()]
        self.size = len(self._ids)
        self.ordinary = spread(*_columns(ordinary), FINE)
        content = spread(*_columns(ordinary[FUNCTION_WORDS:]), COARSE)
        self.content = content
        self.plain = [spread(*_columns(rows), COARSE) for rows in plain] + [content]
        swaps = [np.array([other.get(id_, id_) for id_ in range(self.size)], dtype=np.int32) for other in others]
        self.synonymous = [swap[table] for swap, table in zip(swaps, self.plain, strict=False)] + [content]
        self.words = list(self._ids)
        # A title takes a few words at a time: of a list of words one is had faster than of an array of ids.
        self.titles = [[self.words[id_] for id_ in table.tolist()] for table in self.plain]
        self.titles_synonymous = [[self.words[id_] for id_ in table.tolist()] for table in self.synonymous]
        forms = self.words + [word.capitalize() for word in self.words] + [f"{word}." for word in self.words]
        self.forms = np.array(forms, dtype=object)

    def ids(self, words: list[str]) -> list[int]:
        return [self._ids[word] for word in words]

    def _id(self, word: str) -> int:
        return self._ids.setdefault(word, len(self._ids))

    def _synonyms(self, groups: list[list[str]]) -> dict[int, int]:
        """The first word of each group, and the one that a page with other words uses for it."""
        return {self._id(first): self._id(second) for first, second, *_ in groups}

    def siblings(self, topic: int) -> list[int]:
        """The other leaves of the same branch; of general pages, none."""
        branch = self.topics[topic].partition("/")[0]
        return [i for i, path in enumerate(self.topics) if i != topic and path.startswith(f"{branch}/")]


def _columns(rows: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [id_ for id_, _ in rows], [count for _, count in rows]


@cache
def shipped() -> Words:
    """The vocabulary that comes with the package, read once."""
    packed = files("focused.webs.simulated").joinpath("data", "vocabulary.json.gz").read_bytes()
    return Words(gzip.decompress(packed))

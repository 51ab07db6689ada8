"""The leaves of a page: its text nodes, as places in its words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from focused.dom import apart

_BETWEEN = "\1"  # leaves, when the text is taken out
_MOST_AHEAD = 60  # words of a label, which are in no leaf


def leaf_starts(tree: LexborHTMLParser, words: list[str]) -> NDArray[np.int32]:
    """Where each leaf with a word begins; what is hidden, a script for instance, is none of the page's words."""
    text = tree.root.text(separator=_BETWEEN) if tree.root is not None else ""
    starts, place = list[int](), 0
    for leaf in map(str.split, map(apart, text.split(_BETWEEN))):
        found = _find(leaf, words, place) if leaf else None
        if found is not None:
            starts.append(found)
            place = found + len(leaf)
    return np.array(starts, np.int32)


def _find(leaf: list[str], words: list[str], place: int) -> int | None:
    """Here, or behind a label that stands for the text of a link."""
    size = len(leaf)
    ahead = range(place, min(place + _MOST_AHEAD, len(words)))
    return next((start for start in ahead if words[start] == leaf[0] and words[start : start + size] == leaf), None)

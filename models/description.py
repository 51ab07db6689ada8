"""Rows of attribute and value, and whether they describe one thing (X-13 a).

The labels of one thing read like labels, and its values are of different kinds: a price list has one kind of value, an
index links its labels, a glossary explains them, a calendar has days, a list of people has names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from selectolax.lexbor import LexborNode

MAX_LABEL_WORDS, MAX_VALUE_WORDS = 5, 12

_LABEL = re.compile(r"(?:\d{1,3}[A-Za-z]?[- ]?)?[^\W\d_][^:?!;|<>@{}=]{0,39}")
_NUMBER = re.compile(r"\d(?:[\d.,' ]*\d)?")
_NAMES = re.compile(r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)+")
_CALENDAR = frozenset(
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday january february march april"
    " may june july august september october november december today tomorrow".split()
)
# Labels of what every page of a site has: how to reach its owner, when and by whom a text was posted.
_COMMON = frozenset(
    "phone tel telephone fax email e-mail mail mobile address web website url contact hours vat skype facebook twitter"
    " posted author by date published updated category categories tags tag tagged comments replies views joined posts"
    " filed share likes permalink topics members online username password search".split()
)


class Row(NamedTuple):
    label: str
    value: str
    is_marked: bool  # the page says that it is a label: by its tag or a colon
    is_link: bool  # the label leads somewhere


@dataclass(slots=True)
class Group:
    """The rows of one container."""

    node: LexborNode
    rows: list[Row] = field(default_factory=list)
    misses: int = 0  # rows that are none
    is_list: bool = False  # a headed list of several things

    @property
    def is_table(self) -> bool:
        return self.node.tag in ("table", "dl")

    @property
    def labels(self) -> set[str]:
        return {row.label.casefold() for row in self.rows}

    def describes(self) -> bool:
        """Whether the rows may be the attributes of one thing."""
        size, labels = len(self.rows), self.labels
        return (
            size >= 2
            and not self.is_list
            and size >= 1.5 * self.misses
            and len({_NUMBER.sub("9", label) for label in labels}) >= 0.7 * size  # not counted through, not repeated
            and self._share(_NAMES.fullmatch(row.label) is not None for row in self.rows) < 0.9
            and self._share(row.value.endswith(".") for row in self.rows) <= 0.5
            and self._share(row.is_link and not row.is_marked for row in self.rows) <= 0.5
            and median(len(row.value.split()) for row in self.rows) <= MAX_VALUE_WORDS
            and self._has_values_of_many_kinds()
            and self._share(not _COMMON.isdisjoint(label.split()) for label in labels) < 0.6
            and not _is_frame(self.node)
        )

    def _has_values_of_many_kinds(self) -> bool:
        shapes = [_NUMBER.sub("9", row.value.casefold()) for row in self.rows]
        numbers = [shape for shape in shapes if "9" in shape]
        if numbers:
            return len(shapes) < 3 or max(Counter(numbers).values()) < 0.9 * len(shapes)
        # Words only: a list of people or of towns looks the same, but does not mark its labels.
        return self._share(row.is_marked for row in self.rows) >= 0.5

    def _share(self, marks: Iterable[bool]) -> float:
        return sum(marks) / len(self.rows)


def _is_frame(node: LexborNode) -> bool:
    """Whether it stands in what surrounds every page of a site."""
    for _ in range(30):
        if node.tag in ("footer", "nav"):
            return True
        if node.parent is None:
            return False
        node = node.parent
    return False


def is_label(text: str) -> bool:
    words = text.casefold().split()
    if not words or len(words) > MAX_LABEL_WORDS or words[0] in _CALENDAR:
        return False
    is_whole = text.count("(") == text.count(")") and not text.endswith((".", ","))
    return is_whole and _LABEL.fullmatch(text) is not None

"""What every page model offers: a judgement of a page, and the same of many short texts at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(slots=True, frozen=True)
class Judgement:
    """What a model says of a page."""

    relevance: float  # 0..1
    relevant: bool
    best_class: str | None = None
    classes: dict[str, float] | None = None


class PageModel(Protocol):
    """Judges texts given as term ids (see models.text.Vocabulary)."""

    threshold: float  # a page of at least this relevance is relevant

    def judge(self, terms: Ids) -> Judgement:
        """The whole text of a page. Never raises: an unreadable page has relevance 0."""

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        """Relevance of each of the texts terms[start:end], in one call: the anchors of a page."""

    def evidence(self, terms: Ids, most: int = 10) -> list[tuple[str, float]]:
        """The terms that moved the judgement, most telling first, with their share in it."""

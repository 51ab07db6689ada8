"""Best-first by page and anchor — Batsakis 2007, §3.2.

    on=page    every link of a page is as good as the page (§3.2.1)
    on=anchor  a link is as good as its anchor text (§3.2.2)
    on=both    the mean of the two (eq. 7)
    n > 1      the n best links are fetched before anything new is considered (§2.3, B-11)

An empty text has similarity 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from focused.errors import SettingError
from focused.orderings.base import Ordering, Waiting
from focused.page import Page
from models.model import Floats


@dataclass
class BestFirst(Ordering):
    """The most similar first."""

    on: str = field(default="both", metadata={"choices": ("page", "anchor", "both")})
    n: int = 1
    _step: list[int] = field(default_factory=list, init=False, repr=False)  # of the n best, those still to fetch

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SettingError(f"ordering_args: n={self.n} is below 1: give at least 1.")

    def score(self, page: Page) -> Floats:
        of_page = np.full(len(page.links), page.relevance)
        if self.on == "page":
            return of_page
        of_anchor = self.around.model.judge_spans(page.terms, page.starts, page.ends)
        return of_anchor if self.on == "anchor" else (of_page + of_anchor) / 2  # eq. 7

    def pick(self, waiting: Waiting, now: float) -> int | None:
        if self.n == 1:
            return waiting.pick(now)
        scores = waiting.score_of(self._step)
        self._step = [page_id for page_id, score in zip(self._step, scores, strict=True) if score == score]
        self._step = self._step or waiting.best(now, self.n)
        for page_id in self._step:
            if waiting.take(page_id, now):
                self._step.remove(page_id)
                return page_id
        return None

    def state(self) -> dict[str, Any]:
        return {"step": self._step} if self.n > 1 else {}

    def restore(self, state: dict[str, Any]) -> None:
        self._step = list(state.get("step", []))

    def terms(self, page: Page, index: int) -> dict[str, float]:
        starts, ends = page.starts[index : index + 1], page.ends[index : index + 1]
        return {"page": page.relevance, "anchor": float(self.around.model.judge_spans(page.terms, starts, ends)[0])}

"""Shark-Search — Hersovici 1998, as told by Batsakis 2007, §2.3: Fish-Search with degrees and anchors.

    inherited     = delta * relevance of the page, if it is relevant, else delta * what the page inherited itself
    context       = 1 if the anchor is relevant, else the relevance of the words around it
    neighbourhood = beta * anchor + (1 - beta) * context
    score         = gamma * inherited + (1 - gamma) * neighbourhood

The depth is that of Fish-Search: D behind a relevant page, one less behind any other; a page of depth 0 that is
not relevant has its links not followed.

Differs: relevant is what reaches the model's threshold, for pages and anchors. The original asks for a similarity
above 0, which a probability always is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.errors import SettingError
from focused.orderings.base import Ordering
from focused.page import AROUND, Page
from models.model import Floats


@dataclass
class Shark(Ordering):
    """What the path has promised, and what the link itself says."""

    delta: float = 0.5  # decay of what is inherited
    beta: float = 0.8  # share of the anchor in the neighbourhood
    gamma: float = 0.5  # share of what is inherited
    depth: int = 3  # D: links that may be followed in a row without meeting a relevant page

    def __post_init__(self) -> None:
        shares = {"delta": self.delta, "beta": self.beta, "gamma": self.gamma}
        for name, value in shares.items():
            if not 0.0 <= value <= 1.0:
                raise SettingError(f"ordering_args: {name}={value} is no share: give a number from 0 to 1.")
        if self.depth < 0:
            raise SettingError(f"ordering_args: depth={self.depth}: give 0 or more.")

    def score(self, page: Page) -> Floats:
        inherited, depth = self._handed_on(page)
        if depth < 0:
            return np.full(len(page.links), np.nan)
        trail = {"inherited": inherited, "depth": depth}
        for link in page.links:
            link.trail = trail
        return self.gamma * inherited + (1 - self.gamma) * self._neighbourhood(page)

    def _handed_on(self, page: Page) -> tuple[float, int]:
        """What the links of a page inherit, and how far they may go."""
        if page.relevant:
            return self.delta * page.relevance, self.depth
        trail = page.trail or {"inherited": 0.0, "depth": self.depth}  # a seed
        return self.delta * trail["inherited"], trail["depth"] - 1

    def _neighbourhood(self, page: Page) -> Floats:
        model, size = self.around.model, len(page.terms)
        anchor = model.judge_spans(page.terms, page.starts, page.ends)
        starts, ends = np.maximum(page.starts - AROUND, 0), np.minimum(page.ends + AROUND, size)
        context = np.where(anchor >= model.threshold, 1.0, model.judge_spans(page.terms, starts, ends))
        return self.beta * anchor + (1 - self.beta) * context

    def terms(self, page: Page, index: int) -> dict[str, float]:
        return {"inherited": self._handed_on(page)[0], "neighbourhood": float(self._neighbourhood(page)[index])}

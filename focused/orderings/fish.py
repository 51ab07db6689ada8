"""Fish-Search — De Bra 1994, as told by Batsakis 2007, §2.3: a school that follows food and dies without.

    seed                 depth = D
    page is relevant     its links have depth D; the first alpha * width of them score 1, the others 0
    page is not          its links have one less than the page; the first width of them score 0.5, the others 0
    page of depth 0      its links are not followed, unless it is relevant

Differs: a page is relevant if the topic's model says so, not if it contains the query.
Differs: a waiting link found again with the same score keeps the depth it had.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.errors import SettingError
from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class Fish(Ordering):
    """Links of relevant pages first; the rest only for so long."""

    depth: int = 3  # D: links that may be followed in a row without meeting a relevant page
    width: int = 10  # links of a page that are worth more than the others
    alpha: float = 1.5  # so many times as many, if the page is relevant

    def __post_init__(self) -> None:
        if self.depth < 0 or self.width < 1 or self.alpha <= 0:
            given = f"depth={self.depth},width={self.width},alpha={self.alpha}"
            raise SettingError(f"ordering_args: {given}: give depth >= 0, width >= 1 and alpha > 0.")

    def score(self, page: Page) -> Floats:
        depth = self.depth if page.relevant else (page.trail or {}).get("depth", self.depth) - 1
        if depth < 0:
            return np.full(len(page.links), np.nan)
        trail = {"depth": depth}
        for link in page.links:
            link.trail = trail
        scores = np.zeros(len(page.links))
        if page.relevant:
            scores[: int(self.alpha * self.width)] = 1.0
        else:
            scores[: self.width] = 0.5
        return scores

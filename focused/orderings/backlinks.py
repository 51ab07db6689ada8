"""Back-link count — Batsakis 2007, §2.2 (B-12): the more pages are known to link to it, the sooner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class Backlinks(Ordering):
    """Every page that has the link adds one to its score: nothing is counted twice, nothing is gone through again."""

    def score(self, page: Page) -> Floats:
        return np.ones(len(page.links))

    def combine(self, old: Floats, new: Floats) -> Floats:
        return old + new

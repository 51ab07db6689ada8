"""Breadth-first — Batsakis 2007, §3.2 (B-07): links are fetched in the order they were found.

All links have the same score; among equals the frontier takes the one found first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class BreadthFirst(Ordering):
    """First found, first fetched."""

    def score(self, page: Page) -> Floats:
        return np.zeros(len(page.links))

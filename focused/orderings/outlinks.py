"""Out-link count — Batsakis 2007, §2.2 (B-12): links of pages that have many of them first.

Differs: the out-links of a page are known when it has been fetched, too late to decide whether to fetch it. What is
counted are those of the page that links to it, as such lists tend to link to each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class Outlinks(Ordering):
    """A link is worth the number of links on its page."""

    def score(self, page: Page) -> Floats:
        return np.full(len(page.links), float(len(page.links)))

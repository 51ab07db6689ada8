"""URL depth — Batsakis 2007, §2.2 (B-12): fewer slashes first, as pages high up in a site are held to matter more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class UrlDepth(Ordering):
    """A homepage scores 1, a page in a folder 1/2, and so on; what follows a question mark is no depth."""

    def score(self, page: Page) -> Floats:
        slashes = (link.url.partition("?")[0].count("/") - 2 for link in page.links)  # two belong to the scheme
        return np.fromiter((1.0 / max(1, count) for count in slashes), np.float64, len(page.links))

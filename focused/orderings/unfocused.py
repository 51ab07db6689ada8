"""Unfocused — Chakrabarti 1999, §5.2 (F-14): the baseline that fetches in the order of a hash of the URL."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xxhash

from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class Unfocused(Ordering):
    """A fixed shuffle of the Web; another FOCUSED_SEED is another shuffle."""

    def score(self, page: Page) -> Floats:
        seed = self.around.seed
        hashes = (xxhash.xxh3_64_intdigest(link.url.encode(), seed) for link in page.links)
        return np.fromiter((value / 2.0**64 for value in hashes), np.float64, len(page.links))

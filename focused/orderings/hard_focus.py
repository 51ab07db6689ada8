"""Hard focus — Chakrabarti 1999, §4.2 (F-13): links are entered only if some node on the path to the page's best class
is good. Not the same as a relevance above a half: two good classes of 0.3 do not outweigh a bad one of 0.4.

Differs: a model that has no tree of classes decides by its own word, relevant or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.orderings.focus import Focus
from focused.page import Page
from models.model import Floats


@dataclass
class HardFocus(Focus):
    """Links of good pages only, in the order of soft focus."""

    def score(self, page: Page) -> Floats:
        is_good = page.relevant if page.good is None else page.good
        return self.inherited(page) if is_good else np.full(len(page.links), np.nan)

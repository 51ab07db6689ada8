"""Soft focus — Chakrabarti 1999, §4.2 (F-12): all links of a page are entered, each as good as the page."""

from __future__ import annotations

from dataclasses import dataclass

from focused.orderings.focus import Focus
from focused.page import Page
from models.model import Floats


@dataclass
class SoftFocus(Focus):
    """Links of the most relevant pages first."""

    def score(self, page: Page) -> Floats:
        return self.inherited(page)

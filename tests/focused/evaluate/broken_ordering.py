"""An ordering that takes its process down with the third page."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import numpy as np

from focused.orderings.base import Ordering
from focused.page import Page
from models.model import Floats


@dataclass
class Broken(Ordering):
    _pages: int = field(default=0, init=False)

    def score(self, page: Page) -> Floats:
        self._pages += 1
        if self._pages == 3:
            os.write(2, b"the third page was too much\n")
            os._exit(3)
        return np.zeros(len(page.links))

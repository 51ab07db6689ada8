"""What is known of pages that were had: what they are worth, when they were looked at, how often they had changed.

    rate    changes of the page and a prior / time it was watched and a prior           a Poisson process
    chance  1 - exp(-rate * time since the last look)                                   that it has changed since
    worth   chance * (relevance + hub share + a little)                                 F-23

The prior of a page is the rate of its site, the prior of a site the rate of all pages together: a page without a past
is taken for an average one of its site. All times are relative to each other: whether pages change by the second or by
the year makes no difference to the order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.model import Floats

# Changes that a prior counts for. Few pages of a site change often and most hardly ever, so that of a page is weak.
OF_PAGE, OF_SITE = 0.1, 2.0
LITTLE = 0.05  # pages that are neither relevant nor hubs have their turn, too
_ROW = np.dtype(
    [
        *(("id", np.int64), ("site", np.int64), ("relevance", np.float64), ("hub", np.float64)),
        *(("had", np.float64), ("last", np.float64), ("changes", np.int64), ("is_away", np.bool_)),
        ("is_seen", np.bool_),  # in this run, whatever the clock says
    ]
)
_NO_ROW = (0, 0, 0.0, 0.0, 0.0, 0.0, 0, False, False)
Rows = NDArray[Any]


class History:
    """One row a page, in memory only while a crawl maintains; rebuilt from the store."""

    def __init__(self) -> None:
        self._rows: Rows = np.zeros(1024, _ROW)
        self._count = 0
        self._place: dict[int, int] = {}  # page id → row
        self.news = 0  # grows with each page that may be looked at from now on

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> Rows:
        return self._rows[: self._count]

    def load(self, pages: Iterable[tuple[Any, ...]], hubs: Iterable[tuple[int, float]]) -> None:
        """id, site, relevance, had at, last looked at, revisits, changes; and the hubs."""
        rows = [(page[0], page[1], page[2], 0.0, page[3], page[4], page[6], False, False) for page in pages]
        self._rows = np.array([*rows, *[_NO_ROW] * 1024], _ROW)
        self._count = len(rows)
        self._place = {row[0]: place for place, row in enumerate(rows)}
        self.promote(hubs)

    def add(self, page_id: int, site_id: int, relevance: float, at: float) -> None:
        """A page was had for the first time."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros(self._count, _ROW)])
        self._rows[self._count] = (page_id, site_id, relevance, 0.0, at, at, 0, False, True)
        self._place[page_id] = self._count
        self._count += 1
        self.news += 1

    def promote(self, hubs: Iterable[tuple[int, float]]) -> None:
        """The hub scores of the last distillation; the best hub has 1."""
        self.rows["hub"] = 0.0
        known = {page: hub for page, hub in hubs if page in self._place}
        best = max(known.values(), default=0.0)
        for page, hub in known.items():
            self._rows["hub"][self._place[page]] = hub / best if best else 0.0

    def leave(self, page_id: int, away: bool) -> None:
        """A page under way, or gone for good, is not worth a look."""
        self._rows["is_away"][self._place[page_id]] = away
        self.news += not away

    def look(self, page_id: int, at: float, changed: bool) -> None:
        """It was looked at and had changed, or had not."""
        place = self._place[page_id]
        self._rows["last"][place] = at
        self._rows["changes"][place] += changed
        self._rows["is_seen"][place] = True

    def judge(self, page_id: int, relevance: float) -> None:
        self._rows["relevance"][self._place[page_id]] = relevance

    def site_of(self, page_id: int) -> int:
        return int(self._rows["site"][self._place[page_id]])

    def worth(self, now: float) -> Floats:
        """Of a look at each page, in order of the rows."""
        rows = self.rows
        age, watched = np.maximum(now - rows["last"], 0.0), rows["last"] - rows["had"]
        if not len(rows):
            return age
        overall = (rows["changes"].sum() + 1.0) / (watched.sum() + max(age.mean(), 1e-9))
        site = rows["site"]
        of_sites = _rate(np.bincount(site, rows["changes"]), np.bincount(site, watched), overall, OF_SITE)
        rate = _rate(rows["changes"], watched, of_sites[site], OF_PAGE)
        worth: Floats = -np.expm1(-rate * age) * (rows["relevance"] + rows["hub"] + LITTLE)
        return worth


def _rate(changes: Rows, watched: Rows, prior: Floats | float, strength: float) -> Floats:
    """Changes a second: what was seen, and some of what was to be expected."""
    rate: Floats = (changes + strength) / (watched + strength / prior)
    return rate

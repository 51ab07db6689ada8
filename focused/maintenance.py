"""Maintenance — Chakrabarti 1999, §2.4 (F-23): a share of the fetches goes to pages that were had before.

    share = 0     discovery only
    share < 1     of each n fetches share * n are looks at known pages; all of them once nothing waits any more
    share = 1     known pages are refreshed, and nothing is discovered

At which page to look: focused/history.py; of its pages the best whose site is ready. Once nothing waits, or nothing
else is wanted, each page is looked at once, unless a limit of the run says how long to go on. A round that was broken
off is taken up again by the next run.
Differs: the paper takes the oldest first; here the time since the last look is weighted by how often the page changes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import numpy as np

from focused.budget import MOST_ERRORS
from focused.frontier import Frontier
from focused.history import History
from focused.options import Options
from focused.store.rows import Site

OF_A_SITE = 4  # pages of one site in the queue, so that it holds many sites: most of them rest
IN_QUEUE = 512
LOOKED_THROUGH = 20_000  # of the best pages, for those of the queue


class Maintenance:
    """When to look at a page again, and at which."""

    def __init__(self, options: Options, frontier: Frontier, site: Callable[[int], Site], since: float) -> None:
        self.share = options.maintain
        self.since = since  # when the round began
        self.history = History()
        self.clock: Callable[[], float] = time.time
        self._most = options.max_revisits
        self._is_endless = bool(options.max_revisits or options.max_seconds)
        self._frontier, self._site = frontier, site
        self._fetches = self._looks = 0  # begun in this run
        self._queue: list[tuple[int, int]] = []  # page, site
        self._news = -1  # of the history, when the queue was made
        self._ends_round = False  # the queue holds only what this round has not seen
        self._stale = 0  # picks and new pages until the queue is made again

    @property
    def is_due(self) -> bool:
        """Whether the next fetch is a look at a known page."""
        return self.share > 0 and self._looks + 1 <= self.share * (self._fetches + 1) + 1e-9

    @property
    def has_had_enough(self) -> bool:
        """FOCUSED_MAX_REVISITS is reached; it is exact, for what is under way is counted."""
        return bool(self._most) and self._looks >= self._most

    def begin(self, is_look: bool, by: int = 1) -> None:
        """A fetch begins; by = -1: it was postponed, and did not."""
        self._fetches += by
        self._looks += by * is_look

    def pick(self, now: float, is_last: bool) -> int | None:
        """The best page whose site is ready: it has one more request in flight. `is_last`: nothing else is left."""
        for place, (page_id, site) in enumerate(self._candidates(is_last)):
            if self._frontier.ready_at(site) <= now:
                self._frontier.start(site)
                self.history.leave(page_id, away=True)
                del self._queue[place]
                self._stale -= 1
                return page_id
        return None

    def next_ready(self, is_last: bool) -> float:
        """When, by the passing of time alone, pick may give a page; inf if it will not."""
        sites = {site for _, site in self._candidates(is_last)}
        return min((self._frontier.ready_at(site) for site in sites), default=np.inf)

    def has_more(self, is_last: bool) -> bool:
        return bool(self._candidates(is_last))

    def put_back(self, page_id: int) -> None:
        """It was not looked at after all."""
        self.history.leave(page_id, away=False)
        self._queue.insert(0, (page_id, self.history.site_of(page_id)))

    def _candidates(self, is_last: bool) -> list[tuple[int, int]]:
        if not self.share or self.has_had_enough:
            return []
        ends_round = is_last and not self._is_endless
        is_spent = not self._queue and self._news != self.history.news
        if is_spent or self._stale <= 0 or ends_round != self._ends_round:
            self._ends_round, self._news = ends_round, self.history.news
            self._queue = self._best()
            self._stale = max(1, len(self.history) // 100)
        return self._queue

    def _best(self) -> list[tuple[int, int]]:
        """The pages most worth a look, best first, few of each site; made so seldom that each pick costs little."""
        rows, worth = self.history.rows, self.history.worth(self.clock())
        wanted = ~rows["is_away"]
        if self._ends_round:
            wanted &= (rows["last"] < self.since) & ~rows["is_seen"]
        places = np.flatnonzero(wanted)
        if len(places) > LOOKED_THROUGH:
            places = places[np.argpartition(-worth[places], LOOKED_THROUGH)[:LOOKED_THROUGH]]
        places = places[np.lexsort((rows["id"][places], -worth[places]))]
        pairs = zip(rows["id"][places].tolist(), rows["site"][places].tolist(), strict=True)
        return list(islice(self._spread(pairs), IN_QUEUE))

    def _spread(self, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Few of each site, none of those that do not answer."""
        taken: dict[int, int] = {}
        for page_id, site in pairs:
            taken[site] = taken.get(site, 0) + 1
            if taken[site] <= OF_A_SITE and self._site(site).errors < MOST_ERRORS:
                yield page_id, site

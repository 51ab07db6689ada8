"""One worker among many: it takes sites that are nobody's, gives some away when others have none, and takes in what
others have found on its own.

Every site is one worker's, so what is polite for one is polite for all. Balance: who has fewer waiting sites than it
could ask at once is poor, and who has more than the poorest gives away half of what it has more. A worker that is alone
takes everything, and crawls as it would on SQLite.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from focused.options import Options
from focused.state import State

if TYPE_CHECKING:
    from focused.store.news import News
    from focused.store.postgres import PostgresStore
    from focused.store.team import Others

EVERY = 0.25  # seconds between two looks at the others
MOST = 2000  # links, and letters, taken in at a time
logger = logging.getLogger(__name__)


class Sharing:
    """The worker's part in it; what is done to the crawl itself is done by the crawl."""

    def __init__(self, store: PostgresStore, options: Options) -> None:
        self.store, self.team = store, store.team
        self.room = options.room
        self.margin = options.deadline + min(5.0, self.team.lease / 10)  # seconds a fetch may take, and some more
        self.deadline, self.quiet_until = options.deadline, 0.0
        self.elsewhere = True  # others have work, so this crawl is not at its end
        self._next = 0.0

    def is_due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + EVERY
        return True

    def may_fetch(self) -> bool:
        """Whether the sites are ours for as long as a fetch may take."""
        return self.quiet_until <= time.monotonic() < self.team.held_until - self.margin

    def be_quiet(self) -> None:
        """The sites are gone: what was on its way to them must not arrive under the next lease."""
        self.quiet_until = time.monotonic() + self.deadline

    def balance(self, state: State) -> None:
        """Everything is committed: sites may come and go."""
        if dead := self.team.reclaim():
            logger.info("The lease of %d workers has run out; their sites are free", dead)
        others, mine = self.team.others(), state.frontier.sites_waiting
        if others.free and self.may_fetch():
            self._take(state, others, mine)
        elif others.alive and others.poorest < min(self.room, mine - 1):
            self._give(state, (mine - others.poorest) // 2)
        self.elsewhere = bool(others.busy or others.free or others.posted)

    def _take(self, state: State, others: Others, mine: int) -> None:
        share = -(-(others.free + others.sites + mine) // (others.alive + 1))
        if sites := self.team.claim(max(0, share - mine) if others.alive else None):
            state.adopt(self.team.snapshot(sites))

    def _give(self, state: State, count: int) -> None:
        """Every second of the sites that are idle, so that good and bad ones are spread."""
        sites = sorted(state.frontier.idle_sites())[::2][:count]
        if sites:
            for site in sites:
                state.leave(site)
            self.store.forget(set(sites))
            self.team.release(sites)

    def news(self, part: str) -> News:
        """What others have for us: with the next commit it is ours. `part`: what the ordering tells of itself."""
        news = self.team.post.news(self.team.me.id, MOST, f"ordering.{part}" if part else "")
        if not news.is_all:
            self._next = 0.0
        return news

"""A look at a page that was had before: its lease and the ways it ends, in the same commit units as a first visit.

unchanged   the server says so (304), or the body is the one we have: only the last visit is noted
changed     the page is judged, written and committed anew (Crawl.finish); it is not counted twice
gone        404, 410, no HTML any more, a redirect: what was had stays, the outcome tells
lost        no answer, or none that says anything: it stays as it is and is looked at again later
"""

from __future__ import annotations

import time
from math import inf

from focused.maintenance import Maintenance
from focused.options import Options
from focused.orderings.base import Hubs
from focused.outcomes import OK
from focused.outputs import Outputs
from focused.row import hash_of
from focused.state import State
from focused.store.interface import CrawlStore
from focused.store.rows import Look
from focused.visit import Visit

GONE = {"http_404", "http_410", "not_html", "redirect"}
NOT_MODIFIED = 304


class Revisits:
    """What the crawl does with them."""

    def __init__(self, options: Options, store: CrawlStore, outputs: Outputs, state: State) -> None:
        self.store, self.outputs, self.state = store, outputs, state
        since = float(store.meta().get("round_began_at") or time.time())
        self.maintenance = Maintenance(options, state.frontier, state.site, since)
        if options.maintain:
            self.maintenance.history.load(store.again.pages(), store.again.hubs())
            store.note(round_began_at=since)

    @property
    def is_all(self) -> bool:
        """Nothing is discovered."""
        return self.maintenance.share >= 1

    @property
    def is_last(self) -> bool:
        """Nothing else is left to do: no link waits, and none can come from what is under way."""
        firsts = any(visit.kept is None for visit in self.state.in_flight.values())
        return self.is_all or not (self.state.progress.waiting or firsts)

    def next(self, now: float) -> Visit | None:
        """T1 of the page most worth a look, if its site is ready."""
        while (page_id := self.maintenance.pick(now, self.is_last)) is not None:
            site_id = self.state.frontier.site_of(page_id)
            delay = self.state.delay_of(site_id)
            leased = self.store.again.lease(page_id, time.time() + delay if delay else None)
            if leased is None:
                self.state.frontier.release(site_id, now)
                continue
            lease, kept = leased
            visit = Visit.of(lease, now, kept=kept)
            self.maintenance.begin(is_look=True)
            self.state.begin(visit)
            return visit
        return None

    def unchanged(self, visit: Visit) -> None:
        """T2: the last visit is noted, and a short record says that there was one."""
        if not self.state.is_open(visit):
            return
        if self._looked(visit, Look(visit.fetched_at or time.time())):
            self.outputs.write_revisit(visit.exchange)
        self.state.end(visit, had_page=False)

    def changed(self, visit: Visit) -> None:
        """Part of the T2 of a page that was had anew, once its row is written."""
        assert visit.page is not None
        self._looked(visit, Look(visit.fetched_at or time.time(), is_changed=True))
        self.maintenance.history.judge(visit.id, visit.page.relevance)

    def lost(self, visit: Visit, outcome: str) -> None:
        """Part of the T2 of a look that brought no page."""
        is_gone = outcome in GONE
        look = Look(visit.fetched_at or time.time(), visit.answered is not None, is_gone, outcome if is_gone else None)
        self._looked(visit, look)
        if is_gone:
            self.maintenance.history.leave(visit.id, away=True)

    def put_back(self, visit: Visit) -> None:
        self.maintenance.begin(is_look=True, by=-1)
        self.maintenance.put_back(visit.id)

    def had(self, visit: Visit, outcome: str) -> None:
        """A page was had for the first time: from now on it may be looked at again."""
        if self.maintenance.share and outcome == OK and visit.request is None and visit.page is not None:
            at = visit.fetched_at or time.time()
            self.maintenance.history.add(visit.id, visit.site_id, visit.page.relevance, at)

    def promote(self, hubs: Hubs | None) -> None:
        """The ordering has found out which pages are hubs."""
        if hubs is not None and self.maintenance.share:
            self.maintenance.history.promote(zip(hubs.ids.tolist(), hubs.hub.tolist(), strict=True))

    def or_waits(self) -> bool:
        """Whether something is left to do: a link to follow, or a page to look at."""
        return (self.state.progress.waiting > 0 and not self.is_all) or self.maintenance.has_more(self.is_last)

    def why_over(self) -> str:
        """The name of the end when no link waits."""
        if self.maintenance.has_had_enough:
            return "max_revisits"
        return "refreshed" if self.is_all else "finished"

    def close(self, reason: str) -> None:
        """The round is over, or the next run goes on with it."""
        if self.maintenance.share and reason in ("finished", "refreshed"):
            self.store.note(round_began_at=0)

    def next_ready(self, other: float | None) -> float | None:
        """When a look may next begin, if one is to, or `other`, if that is sooner."""
        wanted = self.maintenance.is_due or self.is_last
        look = self.maintenance.next_ready(self.is_last) if wanted else inf
        soonest = min(inf if other is None else other, look)
        return soonest if soonest < inf else None

    def _looked(self, visit: Visit, look: Look) -> bool:
        history, progress = self.maintenance.history, self.state.progress
        history.leave(visit.id, away=False)
        if not self.store.again.looked(visit.id, visit.token, look):
            return False
        history.look(visit.id, look.at, look.is_changed)
        progress.revisits += 1
        progress.changes += look.is_changed
        return True


def is_unchanged(visit: Visit) -> bool:
    """Whether the answer to a visit is the page we have."""
    if visit.kept is None:
        return False
    return visit.status == NOT_MODIFIED or (visit.status == 200 and hash_of(visit.exchange.body) == visit.kept.hash)

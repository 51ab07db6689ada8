"""The crawl: one page through the house once, one way.

    next    the ordering picks, the store leases                                              (T1)
    learn   the model judges the page, the ordering observes it and scores all its links
    finish  the page, what it brought to light and the outputs become one commit              (T2)

A visit may also end as failed, moved (a redirect) or postponed; each of them is a T2 of its own.
"""

from __future__ import annotations

import time

from focused import outcomes
from focused.chosen import as_it_was, links_of, redirected, score_asked
from focused.discovery import Asked, Source
from focused.options import Options
from focused.orderings.base import SEED_SCORE, Ordering, Rescored, Revision
from focused.outputs import Outputs
from focused.page import Page, PageReader
from focused.progress import limit_reached, may_begin_another
from focused.revision import Reviser
from focused.revisits import Revisits
from focused.row import row_of
from focused.state import State
from focused.stop import Breakable, whole
from focused.store.hand import Hand
from focused.store.interface import CrawlStore
from focused.store.rows import DONE, GIVEN_UP, NOTHING_FOUND, WAITING, Fetched, Found
from focused.timing import JUDGING, ORDERING, Timing
from focused.visit import Visit
from models.model import PageModel


class Crawl(Breakable):
    """The parts of one run, and what is done with them."""

    segment = ""  # of the outputs

    def __init__(
        self, options: Options, store: CrawlStore, ordering: Ordering, model: PageModel, reader: PageReader
    ) -> None:
        self.options, self.store = options, store
        self.ordering, self.model, self.reader = ordering, model, reader
        self.hand = Hand(options.folder / f"in_hand{self.segment}")
        self.taken_back = store.resume(self.hand.left_over)
        self.timing, self.seeds_only = Timing(), False  # seeds only: as long as a search engine is asked for more
        self._begin()

    def _begin(self) -> None:
        self.outputs = Outputs(self.options.folder, self.store.offsets(), self.segment)
        self.state = State(self.options, self.store, self.ordering)
        self.progress = self.state.progress
        self.progress.enough = self.ordering.enough()
        self.reviser = Reviser[Revision](at_once=self.options.strict)
        self.revisits = Revisits(self.options, self.store, self.outputs, self.state)

    # --- T1 -----------------------------------------------------------------------------------------

    @whole
    def next(self) -> Visit | None:
        """The next link, to be fetched once it is committed; None: none is ready, or a limit is reached."""
        if (self.options.strict and self.state.in_flight) or not may_begin_another(self.options, self.progress):
            return None
        now = time.monotonic()
        if self.revisits.maintenance.is_due and (visit := self.revisits.next(now)):
            return visit
        while (page_id := self._pick(now)) is not None:
            if visit := self._lease(page_id):
                return visit
        return self.revisits.next(now) if self.revisits.is_last else None

    def _pick(self, now: float) -> int | None:
        if self.revisits.is_all or (self.seeds_only and self.state.frontier.best_score(now) < SEED_SCORE):
            return None
        return self.timing.of(ORDERING, self.ordering.pick, self.state.frontier, now)

    def _lease(self, page_id: int) -> Visit | None:
        site_id = self.state.frontier.site_of(page_id)
        delay = self.state.delay_of(site_id)
        lease = self.store.lease(page_id, time.time() + delay if delay else None)
        if lease is None:
            self.state.frontier.release(site_id, time.monotonic())
            return None
        now = time.monotonic()
        visit = Visit.of(lease, now, self.state.frontier.best_score(now))
        self.revisits.maintenance.begin(is_look=False)
        self.state.begin(visit)
        return visit

    # --- the loop -----------------------------------------------------------------------------------

    def learn(self, visit: Visit, page: Page) -> None:
        """Judge the page, let the ordering see it, score all its links at once."""
        page.id, page.site_id, page.depth, page.trail = visit.id, visit.site_id, visit.depth, visit.trail
        page.take(self.timing.of(JUDGING, self.model.judge, page))
        if visit.kept is None:
            self.timing.of(ORDERING, self.ordering.observe, page)
        score = self.ordering.score if visit.kept is None else self.ordering.score_again
        page.scores = self.timing.of(ORDERING, score, page)
        visit.page = page

    # --- T2 -----------------------------------------------------------------------------------------

    @whole
    def finish(self, visit: Visit, outcome: str = outcomes.OK) -> None:
        """Something was had: it, what it brought to light and the outputs are committed together."""
        if not self.state.is_open(visit):
            return
        number = visit.kept.visit if visit.kept else self.progress.pages + 1
        if visit.page is not None and visit.page.noindex:
            outcome, visit.page.relevant = outcomes.NOINDEX, False
        if not self.store.finish(visit.id, visit.token, row_of(visit, outcome, number, self.outputs.warc.size)):
            return self.state.end(visit, had_page=False)
        if outcome != outcomes.NOINDEX:
            self.outputs.write_exchange(visit.exchange)
            self.outputs.write_items(visit.items)
        found = self._found_on(visit)
        self._add(found, is_again=visit.kept is not None)
        if visit.kept is not None:
            self.revisits.changed(visit)
        elif visit.page is not None:
            self.timing.of(ORDERING, self.ordering.found, visit.page, found.links, found.ids)
            self.revisits.had(visit, outcome)
        for asked in visit.requests:
            self.ask(asked, visit)
        self.state.end(visit, had_page=True)
        self._look_back(0 if visit.kept else number)

    def _found_on(self, visit: Visit) -> Found:
        page, depth = visit.page, visit.depth + 1
        if page is None or page.nofollow or (self.options.max_depth and depth > self.options.max_depth):
            return NOTHING_FOUND
        links, scores = links_of(visit, page, self.ordering.also(page))
        combine = self.ordering.combine if visit.kept is None else as_it_was
        return self.state.discovery.of_page(links, scores, Source(visit.id, depth), combine)

    @whole
    def failed(self, visit: Visit, outcome: str, retry_after: float | None = None) -> None:
        """Nothing was had: it is tried again later, or given up under that name."""
        if not self.state.is_open(visit):
            return
        self.state.site(visit.site_id).errors += outcomes.blames_site(outcome)
        if visit.kept is not None:
            self.revisits.lost(visit, outcome)
            return self.state.end(visit, had_page=False, rest=retry_after or 0.0)
        wait = outcomes.wait_before_retry(visit.tries, retry_after)
        again = outcomes.worth_another_try(outcome) and visit.tries < self.options.max_tries
        row = Fetched(WAITING if again else GIVEN_UP, outcome, fetched_at=visit.fetched_at, status=visit.status)
        self.store.finish(visit.id, visit.token, row._replace(not_before=time.time() + wait if again else None))
        if again:
            self._wait_again(visit, wait)
        else:
            self.progress.failed += 1
            self.ordering.failed(visit.id, visit.url, outcome)
        self.state.end(visit, had_page=False, rest=wait if again and retry_after else 0.0)
        self._follow_up()

    @whole
    def unchanged(self, visit: Visit) -> None:
        """A page that was had before is still the same."""
        self.revisits.unchanged(visit)

    def _wait_again(self, visit: Visit, wait: float) -> None:
        score = self.ordering.again(visit.score, visit.tries)
        if score != visit.score:
            self.store.rescore([visit.id], [score])
        self.state.frontier.delay(visit.id, visit.site_id, score, time.monotonic() + wait)

    @whole
    def moved(self, visit: Visit, target: str) -> None:
        """A redirect: its target is a link like any other, one hop further."""
        if visit.hops >= outcomes.MOST_HOPS:
            return self.failed(visit, "too_many_redirects")
        if not self.state.is_open(visit):
            return
        if visit.kept is not None:
            self.revisits.lost(visit, outcomes.REDIRECT)
        else:
            row = Fetched(DONE, outcomes.REDIRECT, fetched_at=visit.fetched_at, status=visit.status)
            self.store.finish(visit.id, visit.token, row)
        self.outputs.write_exchange(visit.exchange)
        self._add(found := self.state.discovery.of_request(*redirected(visit, target)))
        if visit.kept is None and len(found.ids):
            self.ordering.moved(visit.id, visit.url, int(found.ids[0]))
        elif visit.kept is None:  # to a site of another worker
            self.ordering.failed(visit.id, visit.url, outcomes.REDIRECT)
        self.state.end(visit, had_page=False)
        self._follow_up()

    @whole
    def postpone(self, visit: Visit, seconds: float) -> None:
        """The link goes back untouched."""
        if not self.state.is_open(visit):
            return
        self.store.give_back(visit.id, visit.token)
        if visit.kept is not None:
            self.revisits.put_back(visit)
        else:
            self.state.frontier.push([visit.id], [visit.site_id], [visit.score])
        self.state.end(visit, had_page=False, rest=seconds)

    @whole
    def ask(self, asked: Asked, visit: Visit | None = None) -> int | None:
        """A request of a spider, or a seed, scored and queued by itself; the id of its page if it is queued here."""
        source = Source(visit.id, visit.depth + 1) if visit else Source(None, 0)
        if self.options.max_depth and source.depth > self.options.max_depth:
            return None
        score = score_asked(asked, visit) if visit else SEED_SCORE
        found = self.state.discovery.of_request(asked, score, source)
        self._add(found)
        return int(found.ids[0]) if len(found.ids) else None

    def _add(self, found: Found, is_again: bool = False) -> None:
        self.store.add(found)
        self.state.draw(found, is_again)

    def _follow_up(self) -> None:
        """What the ordering has to say once a visit has ended."""
        self._apply(self.timing.of(ORDERING, self.ordering.rescored))
        self.outputs.write_websites(self.ordering.websites())
        self.progress.enough = self.ordering.enough()

    def _look_back(self, number: int) -> None:
        """What changed for waiting links: by this page, and, now and then, by all pages together (0: by no page)."""
        self._follow_up()
        if self._is_time(number) and (work := self.ordering.revise()):
            self.reviser.start(work)
        if revision := self.reviser.result():
            self._take_up(revision)

    def _is_time(self, number: int) -> bool:
        return number > 0 and number % self.options.revise_every == 0 and not self.reviser.is_busy

    def _take_up(self, revision: Revision) -> None:
        self._apply(revision.rescored)
        self.state.keep(revision)
        self.revisits.promote(revision.hubs)

    def _apply(self, rescored: Rescored | None) -> None:
        if rescored is not None:
            waited = self.state.frontier.rescore(rescored.ids, rescored.scores)
            self.store.rescore(rescored.ids[waited].tolist(), rescored.scores[waited].tolist())

    # --- the end --------------------------------------------------------------------------------------

    def slow_down(self, site_id: int, seconds: float) -> None:
        """robots.txt asks for more time between requests."""
        if not self.options.is_frozen:
            self.state.site(site_id).delay = seconds

    def delay_of(self, site_id: int) -> float:
        return self.state.delay_of(site_id)

    def has_more(self) -> bool:
        """Whether a link waits that may still be fetched, or a page is to be looked at again."""
        return limit_reached(self.options, self.progress) is None and self.revisits.or_waits()

    def next_ready(self, now: float) -> float | None:
        """When, by the passing of time alone, next may give a visit that it cannot give now."""
        return self.revisits.next_ready(None if self.revisits.is_all else self.state.frontier.next_ready(now))

    def stop_reason(self) -> str:
        """Why the crawl ends when nothing is left to do."""
        self.commit()
        is_stalled = not self.revisits.is_all and self.store.pending()
        return limit_reached(self.options, self.progress) or ("stalled" if is_stalled else self.revisits.why_over())

    @whole
    def commit(self) -> None:
        """Outputs first, then the database: it never speaks of what is not there."""
        self.state.remember()
        self.store.commit(self.outputs.flush())

    def close(self, reason: str) -> None:
        """What is under way goes back to the frontier. After a broken step nothing is kept but the reason."""
        is_sound, self.broken = self.broken is None, None
        self._end(reason, is_sound)

    @whole
    def _end(self, reason: str, is_sound: bool) -> None:
        if not is_sound:
            self.store.roll_back()
            self.store.note(stop_reason=reason)
            return self.store.commit({})
        for visit in list(self.state.in_flight.values()):
            self.postpone(visit, 0.0)
        self.store.note(stop_reason=reason, stopped_at=time.time(), inversion_rate=self.progress.inversion_rate)
        self.store.note(**self.timing.told)
        self.revisits.close(reason)
        self.commit()

    def abandon(self) -> None:
        """Let go of the files; what was not committed did not happen, and is not counted."""
        self.state.in_flight.clear()  # whatever is still told of them comes too late
        self.store.roll_back()
        self.progress.pages, self.progress.relevant, self.progress.failed = self.store.counts()
        self.outputs.close()
        self.store.close()
        self.hand.close()

"""Scrapy's scheduler, handed over to the crawl: Scrapy asks what to fetch next, the frontier answers."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import _schedule_coro
from twisted.python.failure import Failure

from focused import outcomes
from focused.assemble import Assembly
from focused.crawl import Crawl
from focused.handing import Handing
from focused.progress import limit_reached
from focused.requests import asked_of, hand_over, request_of
from focused.searching import Searching
from focused.shared_crawl import SharedCrawl
from focused.stop import Stopped
from focused.topic import checked_seed
from focused.visit import Postponed, visit_of
from focused.webs.handler import web_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)
BEAT = 0.1  # seconds: a page that is done waits no longer than this for its commit
BUSY = 64  # requests under way: with fewer, waiting for others costs more order than it saves commits
MOMENT = 0.004  # seconds: as long as the fetch of a lease waits for others to share its commit
OBJECTS = 10_000  # new ones until cycles among them are looked for: at Python's 700 that is a tenth of a crawl's time
GRACE = 5.0  # seconds that requests under way get when the crawl is told to stop


class FocusedScheduler(BaseScheduler):
    """One request at a time out of the frontier; wakes Scrapy when a resting site is ready again."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        web = web_of(crawler) if crawler.settings.get("FOCUSED_WEB") else None
        self.assembly = Assembly(crawler.settings, web)
        self._seeds = self._checked_seeds(crawler.spider)  # before the store is opened: a mistake leaves nothing behind
        search = self.assembly.search()
        self.crawl: Crawl = self.assembly.crawl()
        hand_over(crawler, self.crawl)
        self._websites = Handing(crawler, self.crawl, self._is_sound, lambda: _wake(crawler))
        self._searching = Searching(self.crawl, *search) if search else None
        self._alarm: Any = None
        self._told_to_stop: float | None = None
        self._reason: str | None = None
        self._group: asyncio.Future[None] | None = None  # done when the leases of this moment are committed

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FocusedScheduler:
        return cls(crawler)

    def open(self, spider: Spider) -> None:
        self.spider = spider
        for url in self._guarded(self.crawl.state.sown, self._seeds) or ():
            self.enqueue_request(Request(url, meta={"is_start_request": True}))
        _engine(self.crawler).downloader._delay = 0  # the frontier keeps the delays
        gc.set_threshold(OBJECTS, 20, 20)
        self.crawler.signals.connect(self._idle, signals.spider_idle)
        self.crawler.signals.connect(self._download_begins, signals.request_reached_downloader)
        self._beat = create_looping_call(self._tick)
        self._beat.start(BEAT, now=False)

    def _checked_seeds(self, spider: Spider | None) -> list[str]:
        """Those of a focused spider; any other yields its own start requests."""
        if getattr(spider, "topic", None) is None:
            return []
        where = f"start_urls of spider '{spider.name}'" if spider else ""
        own = [checked_seed(url, where) for url in getattr(spider, "start_urls", [])]
        return self.assembly.seeds(own)

    def enqueue_request(self, request: Request) -> bool:
        asked = asked_of(request, self.spider)
        if asked is not None:
            self._guarded(self.crawl.ask, asked)
        return asked is not None

    def next_request(self) -> Request | None:
        visit = self._guarded(self.crawl.next)
        if visit is None and self._search_on():
            visit = self._guarded(self.crawl.next)
        if visit is None:
            self._wake_when_ready()
            return None
        visit.leased = self._leased()
        return request_of(visit, self.spider, self._settle)

    def _search_on(self) -> bool:
        """Whether a search engine was asked for more, or has been asked enough just now."""
        if self._reason or not self._searches or self._searching is None:
            return False
        self._guarded(self._searching.advance)
        return True

    @property
    def _searches(self) -> bool:
        may_go_on = limit_reached(self.crawl.options, self.crawl.progress) is None
        return self._searching is not None and not self._searching.is_over and may_go_on

    def _leased(self) -> asyncio.Future[None] | None:
        """A lease is committed before the fetch, with all others of the same moment."""
        if self.crawl.options.strict:
            self._guarded(self.crawl.commit)
            return None
        if self._group is None:
            loop = asyncio.get_running_loop()
            self._group = loop.create_future()
            few = len(self.crawl.state.in_flight) < BUSY and self.crawl.store.team is None  # that is further away
            loop.call_later(0 if few else MOMENT, self._commit_group)
        return self._group

    def _commit_group(self) -> None:
        group, self._group = self._group, None
        self._guarded(self.crawl.commit)
        if group is not None:
            group.set_result(None)

    def has_pending_requests(self) -> bool:
        return self._reason is None and (self._searches or self.crawl.has_more())

    def close(self, reason: str) -> None:
        self._beat.stop()
        if self._searching is not None:
            self._searching.close()
        if self._alarm is not None:
            self._alarm.cancel()
        reason = self._reason or {"shutdown": "stopped", "cancelled": "stopped"}.get(reason, reason)
        self.crawler.stats.set_value("focused/stop_reason", reason)
        try:
            self.crawl.close(reason)
        except Stopped as stopped:
            self.crawler.stats.set_value("focused/stop_reason", stopped.reason)
        finally:
            self.crawl.abandon()

    # --- while it runs --------------------------------------------------------------------------------

    def _settle(self, failure: Failure) -> None:
        """Every way a download can fail ends here: refused, postponed, broken."""
        visit, error = visit_of(failure.request), failure.value  # type: ignore[attr-defined]
        assert error is not None
        if visit is None or not self.crawl.state.is_open(visit):
            return
        if isinstance(error, Postponed):
            self._guarded(self.crawl.postpone, visit, error.seconds)
        elif isinstance(error, Stopped):
            self.stop(error.reason)
        else:
            outcome = outcomes.of_exception(error)
            if not outcomes.is_known(outcome):
                logger.error("%s failed in a way that has no name", visit.url, exc_info=error)
            self._guarded(self.crawl.failed, visit, outcome)

    def _guarded(self, step: Any, *args: Any) -> Any:
        """A full disk must end the crawl, not one page."""
        try:
            return self.crawl.do(step, *args) if self._reason is None else None
        except Stopped as stopped:
            self.stop(stopped.reason)
            return None

    def stop(self, reason: str) -> None:
        """End the crawl under this name."""
        if self._reason is None:
            self._reason = reason
            _close(self.crawler, reason)

    def _tick(self) -> None:
        self._guarded(self.crawl.commit)
        self._guarded(self._websites.begin)
        if self._shares():
            _wake(self.crawler)
        if self._search_on() or (self.crawl.options.max_seconds and not self.crawl.has_more()):
            _wake(self.crawler)
        self._hurry()

    def _is_sound(self) -> bool:
        return self._reason is None and not _is_closing(self.crawler)

    def _shares(self, at_once: bool = False) -> bool:
        """What other workers have to do with this one, if there are any."""
        return isinstance(self.crawl, SharedCrawl) and bool(self._guarded(self.crawl.share, at_once))

    def _hurry(self) -> None:
        """Requests that hang must not hold up the end."""
        if not _is_closing(self.crawler):
            return
        now = time.monotonic()
        self._told_to_stop = self._told_to_stop or now
        if now - self._told_to_stop > GRACE or self._reason:
            _let_go(self.crawler)

    def _wake_when_ready(self) -> None:
        """Scrapy looks again only when a request ends, or every 5 s: too seldom for a site that is ready in 0.2 s."""
        now = time.monotonic()
        ready = self.crawl.next_ready(now)
        if ready is None:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = call_later(max(ready - now, 0.001), self._ring)

    def _ring(self) -> None:
        self._alarm = None
        _wake(self.crawler)

    def _idle(self) -> None:
        """Nothing to do: the end, unless other workers have something."""
        if self._shares(at_once=True) and self.crawl.has_more():
            raise DontCloseSpider
        reason = str(self._guarded(self.crawl.stop_reason) or self._reason)
        self._guarded(self._websites.begin)
        if self._is_sound() and not self._websites.is_over:
            raise DontCloseSpider
        if reason == "finished" and self._searching is not None and not self.crawl.progress.pages:
            reason = self._searching.seeker.over
        raise CloseSpider(reason)

    def _download_begins(self, request: Request) -> None:
        """An inversion: something that looked better at the pick still waits, in the frontier or on its way to here.

        What has come to light, or has risen, since the pick is news and no inversion.
        """
        visit = visit_of(request)
        if visit is None or visit.kept is not None:
            return
        visit.has_begun = True
        self.crawl.progress.picks += 1
        self.crawl.progress.inversions += visit.rival > visit.score or any(
            other.score > visit.score and other.picked_at < visit.picked_at and not other.has_begun and not other.kept
            for other in self.crawl.state.in_flight.values()
        )


# --- what Scrapy keeps to itself: all of it is here ---------------------------------------------------


def _engine(crawler: Crawler) -> Any:
    return crawler.engine


def _wake(crawler: Crawler) -> None:
    slot = _engine(crawler)._slot
    if slot is not None and slot.closing is None:
        slot.nextcall.schedule()


def _is_closing(crawler: Crawler) -> bool:
    slot = _engine(crawler)._slot
    return slot is not None and slot.closing is not None


def _let_go(crawler: Crawler) -> None:
    """Stop waiting for the requests under way."""
    slot = _engine(crawler)._slot
    for request in list(slot.inprogress):
        slot.remove_request(request)


def _close(crawler: Crawler, reason: str) -> None:
    _schedule_coro(_engine(crawler).close_spider_async(reason=reason))

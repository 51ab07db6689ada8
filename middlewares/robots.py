"""robots.txt before anything else of a site, RFC 9309: asked for once a day, kept in the store, closed on doubt.

A link whose site has just been asked for its robots.txt goes back for one delay, so that the two requests are as far
apart as any others. Unreachable (5xx, 429, no answer): the site's links wait for the next look, and are refused once
that is more than an hour away, which it is after the third failure in a row.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, cast
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import NotConfigured, StopDownload
from scrapy.http.request import NO_CALLBACK

from focused.outcomes import retry_after
from focused.requests import crawl_of
from focused.robots import MAX_BYTES, Robots, agent_of, heading
from focused.urls import canonical
from focused.visit import Postponed, Refused, visit_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from focused.visit import Visit

DAY = 24 * 3600.0  # 2.4: no copy is used for longer
HOUR = 3600.0
FIRST_WAIT = 600.0  # before robots.txt is asked for again after a 5xx; doubles
SHORTEST_WAIT = 60.0  # and first where nobody answered at all: most such sites are gone for good
MAX_HOPS = 5  # 2.3.1.2
MAX_SITES = 10_000
MAX_RULES = 200_000  # of all sites in memory, some 325 bytes each
IN_THREAD = 64 * 1024  # bytes from which reading the rules would hold up everybody else
REDIRECTS = frozenset({301, 302, 303, 307, 308})

logger = logging.getLogger(__name__)


class RobotsStore(Protocol):
    def robots(self, site_id: int) -> tuple[int | None, str, float] | None:
        """Status, text and the unix time they are good until."""

    def save_robots(self, site_id: int, status: int | None, text: str, until: float) -> None: ...


class Crawl(Protocol):
    """What is needed of the crawl."""

    @property
    def store(self) -> RobotsStore: ...

    def slow_down(self, site_id: int, seconds: float) -> None:
        """The site's delay is at least so long from now on."""

    def delay_of(self, site_id: int) -> float: ...


class Known(NamedTuple):
    robots: Robots
    until: float


class Answer(NamedTuple):
    status: int | None
    body: bytes = b""
    retry_after: float | None = None


Download = Callable[[Request], Awaitable["Response"]]


class RobotsMiddleware:
    """Raises Refused("robots" | "crawl_delay" | "robots_unreachable") or Postponed; visits only, all else passes."""

    def __init__(self, crawl: Callable[[], Crawl], download: Download, agent: str, tries: int = 3) -> None:
        self._crawl = crawl  # asked for late: the scheduler makes it after the middlewares
        self._download = download
        self._agent = agent
        self._tries = tries
        self._known: OrderedDict[int, Known] = OrderedDict()
        self._rules = 0
        self._failures: dict[int, int] = {}  # in a row, by site
        self._fetching: dict[int, asyncio.Future[None]] = {}
        self.clock = time.time

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        agent = agent_of(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"] or "")
        tries = 1 if settings.get("FOCUSED_WEB") else 3  # a frozen web does not get well
        return cls(lambda: cast("Crawl", crawl_of(crawler)), CutDownload(crawler), agent, tries)

    def process_request(self, request: Request) -> Coroutine[None, None, None] | None:
        visit = visit_of(request)
        if visit is None:
            return None
        known = self._known.get(visit.site_id)
        if known is None or known.until <= self.clock():
            return self._learn(visit, request.url)
        self._known.move_to_end(visit.site_id)
        self._judge(known, request.url)
        return None

    def _judge(self, known: Known, url: str) -> None:
        robots = known.robots
        if robots.is_unreachable:
            wait = known.until - self.clock()
            if wait <= HOUR:
                raise Postponed(max(wait, 0.0))
            raise Refused("robots_unreachable", f"robots.txt: {robots.status or 'no answer'}")
        if robots.is_parked:
            raise Refused("crawl_delay", f"robots.txt asks for {robots.delay:g} s between two requests")
        if not robots.allows(url):
            raise Refused("robots", f"robots.txt disallows {url[:200]}")

    async def _learn(self, visit: Visit, url: str) -> None:
        known = await self._stored(visit.site_id)
        if known is None:
            known = await self._fetched(visit, url)
            delay = self._crawl().delay_of(visit.site_id)
            if delay > 0 and not (known.robots.is_unreachable or known.robots.is_parked):
                raise Postponed(delay)
        self._judge(known, url)

    async def _stored(self, site_id: int) -> Known | None:
        row = self._crawl().store.robots(site_id)
        if row is None or row[2] <= self.clock() or not row[1].startswith(heading(self._agent)):
            return None
        status, text, until = row
        return self._keep(site_id, Known(await self._parse(status, text.encode()), until))

    async def _fetched(self, visit: Visit, url: str) -> Known:
        """One request a site, however many of its links are waiting for it."""
        site_id = visit.site_id
        while site_id in self._fetching:
            await asyncio.shield(self._fetching[site_id])
            known = self._known.get(site_id)
            if known is not None and known.until > self.clock():
                return known
        self._fetching[site_id] = asyncio.get_running_loop().create_future()
        try:
            file = urlsplit(url)._replace(path="/robots.txt", query="", fragment="").geturl()
            answer = await self._ask(file, logging.INFO if visit.depth else logging.WARNING)
            robots = await self._parse(answer.status, answer.body)
            until = self.clock() + self._good_for(site_id, robots, answer.retry_after)
            self._crawl().store.save_robots(site_id, robots.status, robots.text, until)
            return self._keep(site_id, Known(robots, until))
        finally:
            self._fetching.pop(site_id).set_result(None)

    async def _ask(self, url: str, level: int) -> Answer:
        """Redirects are followed wherever they lead, each hop through the egress check; an endless chain is none.

        That nobody answers is an everyday matter, but of a seed somebody is waiting for it: `level` is of the log.
        """
        response: Response | None = None
        for hop in range(1 + MAX_HOPS):
            try:
                response = await self._download(_request(url))
            except (Refused, Postponed):
                if hop == 0:  # the site itself may not be connected to: that is what its links should say
                    raise
                return Answer(None)
            except Exception as error:  # whatever it was, there was no answer
                logger.log(level, "No robots.txt at %s, and without it the site is not asked for pages: %r", url, error)
                return Answer(None)
            target = response.headers.get(b"Location") if response.status in REDIRECTS else None
            next_url = canonical(target.decode("utf-8", "replace"), url) if target else None
            if next_url is None:
                break
            url = next_url
        assert response is not None
        header = response.headers.get(b"Retry-After")
        wait = retry_after(header.decode("latin-1"), self.clock()) if header else None
        return Answer(response.status, response.body, wait)

    async def _parse(self, status: int | None, body: bytes) -> Robots:
        if len(body) < IN_THREAD:
            return Robots.parse(status, body, self._agent)
        return await asyncio.to_thread(Robots.parse, status, body, self._agent)

    def _good_for(self, site_id: int, robots: Robots, asked: float | None) -> float:
        """Seconds until robots.txt is asked for again."""
        if not robots.is_unreachable:
            self._failures.pop(site_id, None)
            return DAY
        failures = self._failures[site_id] = self._failures.get(site_id, 0) + 1
        if failures >= self._tries:
            return DAY
        if asked is not None:
            return min(DAY, max(SHORTEST_WAIT, asked))
        return (SHORTEST_WAIT if robots.status is None else FIRST_WAIT) * 2.0 ** (failures - 1)

    def _keep(self, site_id: int, known: Known) -> Known:
        if known.robots.delay and not known.robots.is_parked:
            self._crawl().slow_down(site_id, known.robots.delay)
        before = self._known.pop(site_id, None)
        self._rules += known.robots.size - (before.robots.size if before else 0)
        self._known[site_id] = known
        while len(self._known) > MAX_SITES or (self._rules > MAX_RULES and len(self._known) > 1):
            self._rules -= self._known.popitem(last=False)[1].robots.size
        return known


def _request(url: str) -> Request:
    # Uncompressed, because it may be cut; 16 MiB bounds what a compressed answer may swell to all the same.
    return Request(
        url,
        callback=NO_CALLBACK,
        headers={"Accept-Encoding": "identity"},
        meta={"focused_robots": True, "download_maxsize": 32 * MAX_BYTES},
        dont_filter=True,
    )


class CutDownload:
    """Downloads a file, but no more of it than RFC 9309 has us read: a longer one is cut there, not lost."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._received: dict[Request, int] = {}

    async def __call__(self, request: Request) -> Response:
        # Listening costs every other response some time for each of its pieces: so only while there is need.
        if not self._received:
            self._crawler.signals.connect(self._count, signals.bytes_received)
        self._received[request] = 0
        try:
            assert self._crawler.engine is not None
            return await self._crawler.engine.download_async(request)
        finally:
            del self._received[request]
            if not self._received:
                self._crawler.signals.disconnect(self._count, signals.bytes_received)

    def _count(self, data: bytes, request: Request) -> None:
        if request in self._received:
            self._received[request] += len(data)
            if self._received[request] > MAX_BYTES:
                raise StopDownload(fail=False)

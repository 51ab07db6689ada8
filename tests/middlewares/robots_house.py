"""The robots middleware between a crawl, a web and a clock that are all ours."""

from __future__ import annotations

import asyncio

from scrapy import Request
from scrapy.http import Response

from focused.visit import KEY, Postponed, Refused, Visit
from middlewares.robots import RobotsMiddleware

SITE = "https://example.com"
ROBOTS = f"{SITE}/robots.txt"
NOTHING = b"User-agent: *\nDisallow: /\n"
PRIVATE = b"User-agent: *\nDisallow: /private\n"


class FakeStore:
    def __init__(self) -> None:
        self.rows: dict[int, tuple[int | None, str, float]] = {}

    def robots(self, site_id: int) -> tuple[int | None, str, float] | None:
        return self.rows.get(site_id)

    def save_robots(self, site_id: int, status: int | None, text: str, until: float) -> None:
        self.rows[site_id] = (status, text, until)


class FakeCrawl:
    def __init__(self, delay: float = 0.0) -> None:
        self.store = FakeStore()
        self.delay = delay
        self.delays: dict[int, float] = {}

    def slow_down(self, site_id: int, seconds: float) -> None:
        self.delays[site_id] = seconds

    def delay_of(self, site_id: int) -> float:
        return max(self.delay, self.delays.get(site_id, 0.0))


Said = tuple[int, bytes] | tuple[int, bytes, dict[str, str]] | Exception


class House:
    """The middleware between a crawl, a web and a clock that are all ours."""

    def __init__(self, said: Said | dict[str, Said], crawl: FakeCrawl | None = None, agent: str = "focused") -> None:
        self.said = said if isinstance(said, dict) else {ROBOTS: said}
        self.asked: list[str] = []
        self.crawl = crawl or FakeCrawl()
        self.now = 1_000_000.0
        self.middleware = RobotsMiddleware(lambda: self.crawl, self.download, agent)
        self.middleware.clock = lambda: self.now

    async def download(self, request: Request) -> Response:
        self.asked.append(request.url)
        await asyncio.sleep(0)
        said = self.said[request.url]
        if isinstance(said, Exception):
            raise said
        return Response(request.url, said[0], body=said[1], headers=said[2] if len(said) > 2 else None)

    async def _outcome(self, url: str, site_id: int) -> str | float:
        try:
            waiting = self.middleware.process_request(visiting(url, site_id))
            if waiting is not None:
                await waiting
        except Refused as refused:
            return refused.outcome
        except Postponed as postponed:
            return postponed.seconds
        return "fetch"

    def outcome(self, url: str = f"{SITE}/page", site_id: int = 1) -> str | float:
        return asyncio.run(self._outcome(url, site_id))

    def outcomes(self, *urls: str, site_id: int = 1) -> list[str | float]:
        async def together() -> list[str | float]:
            return list(await asyncio.gather(*(self._outcome(url, site_id) for url in urls)))

        return asyncio.run(together())


def visiting(url: str, site_id: int = 1) -> Request:
    visit = Visit(id=1, url=url, site_id=site_id, token=1, score=0.5, depth=0, hops=0, tries=1)
    return Request(url, meta={KEY: visit})

"""What the spider keeps of a page: its items, its links and its own requests, committed with the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.http import Response

from focused.requests import asked_of, crawl_of
from focused.spider import FocusedSpider
from focused.stop import Stopped
from focused.visit import Visit, visit_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class LinksMiddleware:
    """Outermost spider middleware: when all output of a page has passed, the page is done."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self._keep_item, signals.item_scraped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LinksMiddleware:
        return cls(crawler)

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """What StartSpiderMiddleware does, without a second look at all that comes after."""
        async for output in start:
            if isinstance(output, Request):
                output.meta.setdefault("is_start_request", True)
            yield output

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Items go through the pipelines here and now: what still lay in Scrapy's queue would miss the commit."""
        visit = visit_of(response.request)
        outcome = "spider_error"
        try:
            async for output in self._in_hand(visit, result):
                if visit is None:
                    yield output
                elif isinstance(output, Request):
                    self._keep_request(visit, output)
                elif output is not None:
                    await self.crawler.engine.scraper.start_itemproc_async(output, response=response)
            outcome = "ok"
        finally:
            if visit is not None:
                self._finish(visit, outcome)

    async def _in_hand(self, visit: Visit | None, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """While the spider works on a page, the page is in hand: should it kill the process, that is known."""
        iterator, hand = aiter(result), crawl_of(self.crawler).hand
        while True:
            if visit is not None:
                hand.hold(visit.id)
            try:
                output = await anext(iterator)
            except StopAsyncIteration:
                return
            finally:
                hand.free()
            yield output

    def process_spider_exception(self, response: Response, exception: Exception) -> None:
        visit = visit_of(response.request)
        if visit is not None:
            self._finish(visit, "spider_error")

    def _finish(self, visit: Visit, outcome: str) -> None:
        spider = self.crawler.spider
        if isinstance(spider, FocusedSpider):
            visit.links = spider.follow(visit.page) if visit.page is not None else None
        else:
            visit.links = []  # a spider of another kind follows what it asks for itself
        try:
            crawl_of(self.crawler).finish(visit, outcome)
        except Stopped as stopped:
            if scheduler := self.crawler.engine.scheduler:  # else the crawl is over
                scheduler.stop(stopped.reason)  # type: ignore[attr-defined]

    def _keep_request(self, visit: Visit, request: Request) -> None:
        spider = self.crawler.spider
        asked = asked_of(request, spider) if spider is not None else None
        if asked is not None:
            visit.requests.append(asked)

    def _keep_item(self, item: Any, response: Response | None) -> None:
        visit = visit_of(response.request) if response is not None else None
        if visit is not None:
            visit.items.append(item if isinstance(item, dict) else ItemAdapter(item).asdict())

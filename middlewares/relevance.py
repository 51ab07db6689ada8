"""Where a response becomes a judged page with scored links, or a named outcome."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError

from focused import outcomes
from focused.page import Page, PageReader
from focused.requests import crawl_of, exchange_of
from focused.revisits import is_unchanged
from focused.spider import FocusedSpider
from focused.urls import canonical
from focused.visit import Visit, visit_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from focused.crawl import Crawl

HTML = ("text/html", "application/xhtml")
MOVED = {301, 302, 303, 307, 308}


class RelevanceMiddleware:
    """Nearest to the engine: it reads what all others have let through."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RelevanceMiddleware:
        return cls(crawler)

    @property
    def crawl(self) -> Crawl:
        return crawl_of(self.crawler)

    async def process_request(self, request: Request) -> None:
        """Nothing is fetched before the store knows that it is under way."""
        visit = visit_of(request)
        if visit is not None and visit.leased is not None:
            await visit.leased

    def process_response(self, request: Request, response: Response) -> Response:
        visit = visit_of(request)
        if visit is None:
            return response
        visit.answered, visit.fetched_at = time.monotonic(), time.time()
        visit.status, visit.exchange = response.status, exchange_of(request, response)
        if is_unchanged(visit):
            self.crawl.unchanged(visit)
        elif response.status in MOVED:
            self._move(visit, response)
        elif not 200 <= response.status < 300 and response.status not in request.meta.get("handle_httpstatus_list", ()):
            wait = outcomes.retry_after(_header(response, "Retry-After"), time.time())
            self.crawl.failed(visit, outcomes.of_status(response.status), wait)
        else:
            return self._read(visit, request, response)
        raise HttpError(response, "Not a page")

    def _move(self, visit: Visit, response: Response) -> None:
        target = canonical(_header(response, "Location") or "", response.url)
        if target is None or target == visit.url:
            self.crawl.failed(visit, "bad_redirect")
        else:
            self.crawl.moved(visit, target)

    def _read(self, visit: Visit, request: Request, response: Response) -> Response:
        kind = _header(response, "Content-Type") or ""
        if kind and not kind.lower().startswith(HTML):
            if visit.request is None:
                self.crawl.failed(visit, "not_html")
                raise HttpError(response, "Not HTML")
            return response
        self.crawl.hand.hold(visit.id)
        page = visit.read or page_of(visit, response, self.crawl.reader)
        self.crawl.learn(visit, page)
        self.crawl.hand.free()
        if isinstance(self.crawler.spider, FocusedSpider) and visit.request is None:
            request.cb_kwargs["page"] = page
        return response


def page_of(visit: Visit, response: Response, reader: PageReader) -> Page:
    kind, robots_tag = _header(response, "Content-Type") or "", _header(response, "X-Robots-Tag") or ""
    return reader.read(visit.url, response.body, kind, response.status, robots_tag=robots_tag)


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value is not None else None

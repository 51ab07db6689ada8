"""Nothing is fetched from a site that may be another worker's by the time it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.exceptions import NotConfigured

from focused.requests import crawl_of
from focused.shared_crawl import SharedCrawl
from focused.visit import Postponed, visit_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

PAUSE = 0.5  # seconds until a link that was not fetched is looked at again


class LeaseMiddleware:
    """The last before the network. A worker that slept, or lost its database, asks nothing until it has a lease."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not str(crawler.settings.get("FOCUSED_STORE") or "").startswith("postgres"):
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        visit = visit_of(request)
        crawl = crawl_of(self.crawler)
        if visit is not None and isinstance(crawl, SharedCrawl) and not crawl.may_fetch(visit):
            raise Postponed(PAUSE)


def may_ask(crawler: Crawler) -> bool:
    """Whether anything may be asked of the Web now: a worker that shares its crawl needs a lease."""
    crawl = vars(crawler).get("focused_crawl")
    return not isinstance(crawl, SharedCrawl) or crawl.sharing.may_fetch()

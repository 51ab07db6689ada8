"""A tiny Scrapy crawl through WebHandler, run as a program: what came back, as JSON on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from twisted.python.failure import Failure

from focused.webs.handler import web_of

HANDLER = "focused.webs.handler.WebHandler"
SETTINGS = {
    "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "HTTPERROR_ALLOW_ALL": True,
    "RETRY_ENABLED": False,
}


class Walk(Spider):
    name = "walk"
    urls: list[str]
    seen: list[dict[str, Any]]

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls or web_of(self.crawler).seeds("recreation/cycling", 5, 0):
            yield self.request(url)

    def request(self, url: str) -> Request:
        return Request(url, callback=self.read, errback=self.failed)

    def failed(self, failure: Failure) -> None:
        self.seen.append({"error": type(failure.value).__name__})

    def read(self, response: Response) -> Iterator[Request]:
        kind = (response.headers.get("Content-Type") or b"").decode()
        self.seen.append(
            {"url": response.url, "status": response.status, "kind": kind, "class": type(response).__name__}
        )
        if isinstance(response, HtmlResponse):
            yield from (self.request(response.urljoin(href)) for href in response.css("a::attr(href)").getall())


def main() -> None:
    urls, settings = json.loads(sys.argv[1])
    seen: list[dict[str, Any]] = []
    process = CrawlerProcess(SETTINGS | settings)
    process.crawl(Walk, urls=urls, seen=seen)
    process.start()
    print(json.dumps(seen))


if __name__ == "__main__":
    main()

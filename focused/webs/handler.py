"""Download handler for http and https that answers from the crawl's frozen web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Headers, HtmlResponse
from scrapy.responsetypes import responsetypes

from focused.webs import Web, open_web

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


def web_of(crawler: Crawler) -> Web:
    """The frozen web of a crawl, opened once for all who ask."""
    held = vars(crawler)
    if "focused_web" not in held:
        held["focused_web"] = open_web(crawler.settings.get("FOCUSED_WEB", ""))
    web: Web = held["focused_web"]
    return web


class WebHandler(BaseDownloadHandler):
    """One for http, one for https; both answer from the same web.

    The web is opened with the first request: Scrapy logs what a handler raises while it is made and goes on, and a
    mistake in FOCUSED_WEB has to stop the crawl with one sentence instead.
    """

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._most = crawler.settings.getint("DOWNLOAD_MAXSIZE")

    async def download_request(self, request: Request) -> Response:
        status, headers, body = web_of(self.crawler).fetch(request.url)
        if 0 < self._most < len(body):
            raise DownloadCancelledError(f"{request.url} has {len(body)} bytes, more than {self._most}")
        # Guessing the type is slow and seldom needed.
        is_html = headers.get("Content-Type", "").startswith("text/html")
        kind = HtmlResponse if is_html else responsetypes.from_args(Headers(headers), request.url, body=body)
        return kind(request.url, status=status, headers=headers, body=body, request=request)

"""Download handler for http and https: answers from the crawl's frozen web, or hands on to the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Headers, HtmlResponse
from scrapy.responsetypes import responsetypes
from scrapy.utils.misc import build_from_crawler, load_object

from focused.webs import Web, open_web

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

# Import path of the handler that reaches the real web; without it Scrapy's own is used.
NETWORK_SETTING = "FOCUSED_NETWORK_HANDLER"


def web_of(crawler: Crawler) -> Web | None:
    """The frozen web of a crawl, opened once; None on the real one."""
    held = vars(crawler)
    if "focused_web" not in held:
        spec = crawler.settings.get("FOCUSED_WEB")
        held["focused_web"] = open_web(spec) if spec else None
    web: Web | None = held["focused_web"]
    return web


class WebHandler(BaseDownloadHandler):
    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._web = web_of(crawler)
        self._most = crawler.settings.getint("DOWNLOAD_MAXSIZE")
        self._network: BaseDownloadHandler | None = None if self._web else _network(crawler)

    async def download_request(self, request: Request) -> Response:
        if self._web is None:
            assert self._network is not None
            return await self._network.download_request(request)
        status, headers, body = self._web.fetch(request.url)
        if 0 < self._most < len(body):
            raise DownloadCancelledError(f"{request.url} has {len(body)} bytes, more than {self._most}")
        # Guessing the type is slow and seldom needed.
        is_html = headers.get("Content-Type", "").startswith("text/html")
        kind = HtmlResponse if is_html else responsetypes.from_args(Headers(headers), request.url, body=body)
        return kind(request.url, status=status, headers=headers, body=body, request=request)

    async def close(self) -> None:
        if self._network is not None:
            await self._network.close()


def _network(crawler: Crawler) -> BaseDownloadHandler:
    path = crawler.settings.get(NETWORK_SETTING) or crawler.settings["DOWNLOAD_HANDLERS_BASE"]["http"]
    handler: BaseDownloadHandler = build_from_crawler(load_object(path), crawler)
    return handler

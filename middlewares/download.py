"""Where a request goes: to the frozen web if the crawl has one, else to the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.utils.misc import build_from_crawler

from focused.webs.handler import WebHandler
from middlewares.egress import BoundedHandler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Download:
    """Named in DOWNLOAD_HANDLERS; becomes one of the two when the settings are known."""

    lazy = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BaseDownloadHandler:
        return build_from_crawler(WebHandler if crawler.settings.get("FOCUSED_WEB") else BoundedHandler, crawler)

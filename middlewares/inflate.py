"""What was sent packed is unpacked within bounds: a few bytes can stand for gigabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.utils._compression import _DecompressionMaxSizeExceeded

from focused.visit import Refused

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

ROOM = 2  # times DOWNLOAD_MAXSIZE, which bounds what is sent


class InflateMiddleware(HttpCompressionMiddleware):
    """Scrapy's, which has one bound for both and calls what exceeds it ignored. Raises Refused("too_large")."""

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._max_size *= ROOM

    def _handle_encoding(self, body: bytes, content_encoding: list[bytes], max_size: int) -> tuple[bytes, list[bytes]]:
        try:
            return super()._handle_encoding(body, content_encoding, max_size)
        except _DecompressionMaxSizeExceeded as error:
            raise Refused("too_large", f"more than {max_size} bytes unpacked from {len(body)}") from error

"""One browser for all tests of a module, and pages shown in it without a crawl."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from middlewares.browser import Browser, path_of
from middlewares.probe import Limits
from middlewares.screen import Screen, Shown

SECONDS = 120.0  # for a page: the machine may be busy, and no test is about time
Value = TypeVar("Value")


async def download(request: Request) -> Response:
    """As the crawler's, without a crawler."""
    return await asyncio.to_thread(_read, request.url)


def _read(url: str) -> Response:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return HtmlResponse(url, answer.status, dict(answer.headers), answer.read())
    except urllib.error.HTTPError as answer:
        return HtmlResponse(url, answer.code, dict(answer.headers), answer.read())


class Showing:
    """`show(response)`; the loop and the browser live as long as the context."""

    def __enter__(self) -> Showing:
        self.loop = asyncio.new_event_loop()
        self.browser = self.run(self._made())
        return self

    async def _made(self) -> Browser:
        path = path_of("")
        assert path is not None, "the tests need a Chromium: see scripts/setup"
        return Browser(path, "focused tests")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.run(self.browser.close())
        self.loop.close()

    def run(self, work: Coroutine[Any, Any, Value]) -> Value:
        return self.loop.run_until_complete(work)

    def screen(self, probes: Limits | None = None, **options: Any) -> Screen:
        return Screen(self.browser, options.pop("download", download), options.pop("seconds", SECONDS), probes)

    def show(self, url: str, html: str = "", probes: Limits | None = None, **options: Any) -> Shown:
        """A page that was fetched, or is given."""
        response = HtmlResponse(url, body=html.encode(), encoding="utf-8") if html else _read(url)
        return self.run(self.screen(probes, **options).show(response, lambda url: True))

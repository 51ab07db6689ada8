"""Rendering where it pays: a page is read as it was sent and, where a browser promises more, once more as shown.

What goes on to be judged is one of the two, never both. FOCUSED_RENDER=never leaves this middleware out.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from focused.errors import SettingError
from focused.options import number, truth
from focused.page import Page
from focused.renders import is_active, is_shell, look_of
from focused.requests import crawl_of
from focused.robots import Robots, agent_of
from focused.urls import key_of, site_of
from focused.visit import Refused, visit_of
from middlewares.browser import Browser, BrowserDied, PageBroke, path_of, why_missing
from middlewares.probe import Limits
from middlewares.relevance import HTML, page_of
from middlewares.screen import Screen, Shown

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from focused.crawl import Crawl
    from focused.visit import Visit

MODES = ("never", "auto", "always")
MARK = "X-Focused-Rendered"  # a header of what is kept: the page is as a browser showed it

logger = logging.getLogger(__name__)


class RenderMiddleware:
    """Between egress and relevance; it raises Refused("browser") where the browser died and another try is due."""

    def __init__(self, crawler: Crawler, screen: Screen, always: bool) -> None:
        self.crawler = crawler
        self.screen = screen
        self.always = always
        settings = crawler.settings
        self._obeys = settings.getbool("ROBOTSTXT_OBEY")
        self._agent = agent_of(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"] or "")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        mode, path = settings.get("FOCUSED_RENDER"), settings.get("FOCUSED_BROWSER") or ""
        probes = truth(settings, "FOCUSED_PROBE")
        if not _is_to_render(mode, path):
            raise NotConfigured
        browser = Browser(path_of(path) or "", settings["USER_AGENT"])
        seconds = number(settings, "FOCUSED_RENDER_SECONDS")
        if not seconds:
            raise SettingError(
                "FOCUSED_RENDER_SECONDS=0 leaves a page no time in the browser: give a number such as 10."
            )

        async def download(request: Request) -> Response:
            assert crawler.engine is not None  # which is made after the middlewares
            return await crawler.engine.download_async(request)

        crawler.signals.connect(browser.close, signals.spider_closed)
        return cls(crawler, Screen(browser, download, seconds, Limits() if probes else None), mode == "always")

    @property
    def crawl(self) -> Crawl:
        return crawl_of(self.crawler)

    def process_response(self, request: Request, response: Response) -> Response | Coroutine[Any, Any, Response]:
        visit = visit_of(request)
        if visit is None or visit.request is not None or not _is_fresh_page(response):
            return response
        if not self.always and not is_active(response.body):
            return response
        visit.read = self._read(visit, response)
        look = look_of(visit.read, response.body)
        return self._rendered(visit, response, look) if self._is_wanted(visit, look) else response

    def _is_wanted(self, visit: Visit, look: str) -> bool:
        renders = self.crawl.state.renders
        is_worth_it = self.always or renders.is_worth_it(visit.site_id, visit.url, look)
        return is_worth_it and renders.may_render(visit.site_id)

    def _read(self, visit: Visit, response: Response) -> Page:
        """The page is in hand while it is read."""
        self.crawl.hand.hold(visit.id)
        page = page_of(visit, response, self.crawl.reader)
        self.crawl.hand.free()
        return page

    async def _rendered(self, visit: Visit, response: Response, look: str) -> Response:
        """The response as shown; as sent, where the browser had nothing to show."""
        renders = self.crawl.state.renders
        renders.spend(visit.site_id)
        begun = time.monotonic()
        try:
            shown = await self.screen.show(response, self._robots(visit).allows)
        except (TimeoutError, PageBroke, BrowserDied) as failure:
            renders.fail(visit.site_id, visit.url, look)
            logger.info("%s was not rendered: %r", visit.url, failure)
            if isinstance(failure, BrowserDied) and visit.tries < self.crawl.options.max_tries:
                raise Refused("browser", str(failure)) from failure
            return response
        finally:
            self.crawl.timing.rendering += time.monotonic() - begun
        response = _as_shown(response, shown)
        sent, page = visit.read, self._read(visit, response)
        assert sent is not None
        self.crawl.reader.reveal(page, shown.links)
        renders.learn(visit.site_id, visit.url, look, self._news(sent, page), is_shell(sent) > is_shell(page))
        visit.read = page
        return response

    def _robots(self, visit: Visit) -> Robots:
        """What the site's robots.txt says of what its scripts ask for."""
        known = self.crawl.store.robots(visit.site_id) if self._obeys else None
        status, text = (known[0], known[1]) if known else (404, "")
        return Robots.parse(status, text.encode(), self._agent)

    def _news(self, sent: Page, shown: Page) -> int:
        """Links to pages of the same site that neither the page as sent nor the crawl knew."""
        before, site = {link.url for link in sent.links}, site_of(sent.url)
        new = [link.url for link in shown.links if link.url not in before and site_of(link.url) == site]
        keys = np.fromiter(map(key_of, new), np.int64, len(new))
        return int((self.crawl.state.discovery.seen.find(keys) < 0).sum()) if new else 0


def _is_to_render(mode: str, path: str) -> bool:
    """As the settings say, if the machine has what it takes; who asks for a browser by name must have it."""
    if mode not in MODES:
        raise SettingError(f"FOCUSED_RENDER={mode!r} is not known: give {', '.join(MODES[:-1])} or {MODES[-1]}.")
    missing = why_missing(path) if mode != "never" else None
    if missing is not None and (mode == "always" or path):
        raise SettingError(f"FOCUSED_RENDER={mode} needs a browser, but {missing}.")
    if missing is not None:
        logger.warning("FOCUSED_RENDER=auto renders nothing: %s.", missing)
    return mode != "never" and missing is None


def _is_fresh_page(response: Response) -> bool:
    """HTML that no browser has made."""
    kind = (response.headers.get("Content-Type") or b"text/html").decode("latin-1").lower()
    return 200 <= response.status < 300 and kind.startswith(HTML) and MARK not in response.headers


def _as_shown(response: Response, shown: Shown) -> Response:
    headers = response.headers.copy()
    headers["Content-Type"], headers[MARK] = "text/html; charset=utf-8", "chromium"
    body = shown.html.encode("utf-8", "replace")
    return HtmlResponse(response.url, response.status, headers, body, request=response.request, encoding="utf-8")

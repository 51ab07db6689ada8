"""Finished websites become items of the spider and go through Scrapy's item pipelines, one after the other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import orjson
from scrapy.utils.defer import _schedule_coro

from focused.crawl import Crawl
from focused.outbox import Outbox
from focused.spider import FocusedSpider
from focused.stop import Stopped

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class Handing:
    """Begun when websites are committed, and not begun again before it is through with them."""

    def __init__(self, crawler: Crawler, crawl: Crawl, may_go_on: Callable[[], bool], done: Callable[[], None]) -> None:
        self.crawler, self.crawl, self._may_go_on, self._done = crawler, crawl, may_go_on, done
        self._outbox, self._is_busy = Outbox(crawl), False

    @property
    def is_over(self) -> bool:
        return self._outbox.is_empty and not self._is_busy

    def begin(self) -> None:
        """Right after a commit."""
        if not self._is_busy and not self._outbox.is_empty and self._may_go_on():
            self._is_busy = True
            _schedule_coro(self._give(self._outbox.lines()))

    async def _give(self, lines: list[bytes]) -> None:
        """Pipelines are closed when the crawl is told to stop: what is left then is given by the next run."""
        try:
            for line in lines:
                for item in self._items(orjson.loads(line)):
                    await self._scraper.start_itemproc_async(item, response=None)
                if not self._may_go_on():
                    return
                self.crawl.do(self._outbox.given, line)
        except Stopped as stopped:
            logger.debug("No website is given any more: %s", stopped)  # the next step of the crawl ends it
        finally:
            self._is_busy = False
            self._done()

    def _items(self, website: dict[str, Any]) -> list[Any]:
        """A spider that fails here fails for one website."""
        spider = self.crawler.spider
        try:
            return list(spider.present(website)) if isinstance(spider, FocusedSpider) else []
        except Exception:
            logger.exception("The spider cannot present %s", website["host"])
            return []

    @property
    def _scraper(self) -> Any:
        assert self.crawler.engine is not None
        return self.crawler.engine.scraper

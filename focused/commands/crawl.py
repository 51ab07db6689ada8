"""scrapy crawl: Scrapy's own command, with one sentence for a mistake and an exit status that tells the truth."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from difflib import get_close_matches
from typing import Any

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler
from scrapy.utils.misc import load_object

from focused.errors import FocusedError, SettingError
from focused.options import Options

PREFIX = "FOCUSED_"
logger = logging.getLogger(__name__)  # `scrapy fleet status` reads what it says
DID_WHAT_WAS_ASKED = {"finished", "max_pages", "max_relevant", "max_seconds", "max_revisits", "refreshed"}
DID_WHAT_WAS_ASKED |= {"wanted_sites", "pprs_collapse"}


class Command(ScrapyCrawl):
    """Status 0 only if the crawl finished, with a page at least, or reached a limit that was set."""

    misspelt = ""  # a sentence

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Which settings there are is seen before -s adds to them."""
        assert self.settings is not None
        known = [name for name in self.settings if name.startswith(PREFIX)]
        given = (setting.partition("=")[0] for setting in opts.set)
        if strange := next((name for name in given if name.startswith(PREFIX) and name not in known), None):
            near = "".join(f"do you mean {close}, or " for close in get_close_matches(strange, known, 1, 0.8))
            self.misspelt = f"-s {strange} is not known: {near}see docs/settings.md."
        super().process_options(args, opts)
        if loop := self.settings["ASYNCIO_EVENT_LOOP"]:  # else Scrapy makes another before it, whose end may be noisy
            asyncio.set_event_loop(load_object(loop)())

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.crawler_process
        process = self.crawler_process
        if len(args) != 1:
            return super().run(args, opts)
        try:
            crawler = self._made(args[0])
        except FocusedError as error:
            return self._say(error)
        ended: list[BaseException | None] = []
        task: Any = process.crawl(crawler, **opts.spargs)
        task.add_done_callback(lambda done: ended.append(done.exception()))
        process.start()
        if ended and ended[0] is not None:
            return self._say(ended[0])
        reason = crawler.stats and crawler.stats.get_value("focused/stop_reason")
        if reason not in DID_WHAT_WAS_ASKED:
            self.exitcode = 1
            self._log(f"The crawl ended early: {reason}.")
        elif _was_vain(crawler):
            self.exitcode = 1
            self._log("No page was had: `scrapy explain` says what became of a seed.")

    def _made(self, spider: str) -> Crawler:
        """A setting that is spelt wrong would go unnoticed, and what Scrapy reads it refuses without a sentence."""
        assert self.crawler_process and self.settings is not None
        if self.misspelt:
            raise SettingError(self.misspelt)
        Options.read(self.settings, "any")
        try:
            return self.crawler_process.create_crawler(spider)
        except KeyError:
            known = ", ".join(sorted(self.crawler_process.spider_loader.list()))
            raise SettingError(f"There is no spider '{spider}': give one of {known}.") from None

    def _say(self, error: BaseException) -> None:
        """Scrapy may fail once more while it puts away what had not been built: the first error counts."""
        self.exitcode = 1
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, FocusedError):
            cause = cause.__context__
        if cause is None:
            self._log(f"{type(error).__name__}: {error}")
            raise error
        print(f"Error: {cause}", file=sys.stderr)
        self._log(str(cause))

    def _log(self, sentence: str) -> None:
        """Under Scrapyd nobody sees what is printed; a terminal has it already."""
        if self.settings and self.settings.get("LOG_FILE"):
            logger.error(sentence)


def _was_vain(crawler: Crawler) -> bool:
    """A focused spider that got no page at all did not do what was asked; any other may be after something else."""
    from focused.monitor import was_vain  # heavy, and Scrapy imports every command at every start
    from focused.requests import crawl_of
    from focused.spider import FocusedSpider

    return isinstance(crawler.spider, FocusedSpider) and was_vain(crawl_of(crawler).progress)

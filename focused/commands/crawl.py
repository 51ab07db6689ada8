"""scrapy crawl: Scrapy's own command, with one sentence for a mistake and an exit status that tells the truth."""

from __future__ import annotations

import argparse
import logging
import sys
from typing import Any

from scrapy.commands.crawl import Command as ScrapyCrawl

from focused.errors import FocusedError

logger = logging.getLogger(__name__)  # `scrapy fleet status` reads what it says
DID_WHAT_WAS_ASKED = {"finished", "max_pages", "max_relevant", "max_seconds", "max_revisits", "refreshed"}
DID_WHAT_WAS_ASKED |= {"wanted_sites", "pprs_collapse"}


class Command(ScrapyCrawl):
    """Status 0 only if the crawl finished or reached a limit that was set."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.crawler_process
        process = self.crawler_process
        if len(args) != 1:
            return super().run(args, opts)
        crawler = process.create_crawler(args[0])
        ended: list[BaseException | None] = []
        task: Any = process.crawl(crawler, **opts.spargs)
        task.add_done_callback(lambda done: ended.append(done.exception()))
        process.start()
        if ended and ended[0] is not None:
            self._say(ended[0])
            return
        reason = crawler.stats and crawler.stats.get_value("focused/stop_reason")
        if reason not in DID_WHAT_WAS_ASKED:
            self.exitcode = 1
            self._log(f"The crawl ended early: {reason}.")

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

"""What the log does not say: every page and every item has its row in the store."""

from __future__ import annotations

from typing import Any

from scrapy.logformatter import LogFormatter


class Quiet(LogFormatter):
    """Making a line that no level will print takes as long as storing the page's links."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        return None

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        return None

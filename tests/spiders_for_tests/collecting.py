"""A pipeline that notes every item it gets in a file, and may kill the process at one of them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

from scrapy.crawler import Crawler


class Collecting:
    """COLLECTED: the file. COLLECTED_KILL: after so many websites the process dies, before they are noted as given."""

    def __init__(self, crawler: Crawler) -> None:
        self.path, self.kill = Path(crawler.settings["COLLECTED"]), crawler.settings.getint("COLLECTED_KILL")
        self.websites = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Collecting:
        return cls(crawler)

    async def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0.01)
        with self.path.open("a") as file:
            file.write(json.dumps(item) + "\n")
        self.websites += "host" in item
        if self.kill and self.websites == self.kill:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

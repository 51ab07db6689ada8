"""A spider that one page kills."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from typing import Any

from focused.page import Page
from focused.spider import FocusedSpider


class PoisonSpider(FocusedSpider):
    """`-a poison=URL -a way=exit|segfault`."""

    name = "poison"
    poison = ""
    way = "exit"

    def extract(self, page: Page) -> Iterable[dict[str, Any]]:
        if page.url == self.poison:
            if self.way == "exit":
                os._exit(9)
            os.kill(os.getpid(), signal.SIGSEGV)
        yield {"url": page.url}

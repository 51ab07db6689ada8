"""Cycling: a spider of one domain. It declares; the ordering decides what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from focused.page import Page
from focused.spider import FocusedSpider


class CyclingSpider(FocusedSpider):
    """Clubs, races and mountain biking; keeps relevant pages only."""

    name = "cycling"
    topic = "cycling"
    custom_settings = {"FOCUSED_ORDERING": "best_first", "FOCUSED_SITE_BUDGET": "200"}

    def extract(self, page: Page) -> Iterator[dict[str, Any]]:
        if page.relevant:
            yield {"url": page.url, "title": page.title, "relevance": page.relevance, "heading": page.texts("h1")}

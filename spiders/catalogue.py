"""All instances on the sites that have them: scrapy crawl catalogue -a topic=cameras."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from focused.page import Page
from focused.spider import FocusedSpider


class CatalogueSpider(FocusedSpider):
    """xCrawl: docs/catalogue.md says what can be set. Menus of shops are often made by scripts (§3.2)."""

    name = "catalogue"
    custom_settings = {"FOCUSED_ORDERING": "xcrawl", "FOCUSED_RENDER": "auto", "FOCUSED_PROBE": True}

    def extract(self, page: Page) -> Iterable[dict[str, Any]]:
        return super().extract(page) if page.relevant else ()

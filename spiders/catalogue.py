"""All instances on the sites that have them: scrapy crawl catalogue -a topic=cameras."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from focused.page import Page
from focused.spider import FocusedSpider


class CatalogueSpider(FocusedSpider):
    """xCrawl: docs/catalogue.md says what can be set."""

    name = "catalogue"
    custom_settings = {"FOCUSED_ORDERING": "xcrawl"}

    def extract(self, page: Page) -> Iterable[dict[str, Any]]:
        return super().extract(page) if page.relevant else ()

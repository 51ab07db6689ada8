"""Whole websites of a topic: scrapy crawl websites -a topic=horses. Each is a line of sites.jsonl and an item."""

from __future__ import annotations

from focused.spider import FocusedSpider


class WebsitesSpider(FocusedSpider):
    """Ester 2004: docs/websites.md says what can be set."""

    name = "websites"
    custom_settings = {"FOCUSED_ORDERING": "website"}

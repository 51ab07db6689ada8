"""Fetches what `[examples]` of a topic names by URL; `scrapy train` and `scrapy judge` run it."""

from __future__ import annotations

from focused.page import Link, Page
from focused.spider import FocusedSpider
from focused.urls import site_of


class ExamplesSpider(FocusedSpider):
    """The seeds and no further page; with `-a walk=1` whole sites, breadth first (W-05)."""

    name = "examples"
    custom_settings = {"FOCUSED_ORDERING": "breadth_first"}
    walk = "0"

    def follow(self, page: Page) -> list[Link]:
        if self.walk != "1":
            return []
        site = site_of(page.url)
        return [link for link in page.links if site_of(link.url) == site]

"""The base of our spiders: it declares a topic; what to fetch next is not its business."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.http import Response

from focused.errors import SettingError
from focused.page import Link, Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

ARGUMENTS = {
    "topic": "FOCUSED_TOPIC",
    "ordering": "FOCUSED_ORDERING",
    "ordering_args": "FOCUSED_ORDERING_ARGS",
    "web": "FOCUSED_WEB",
    "max_pages": "FOCUSED_MAX_PAGES",
    "maintain": "FOCUSED_MAINTAIN",
}


class FocusedSpider(Spider):
    """Set name, topic, start_urls, custom_settings; override extract, present and follow."""

    topic: str = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> FocusedSpider:
        """Spider arguments become settings, so that every other part reads settings and nothing else."""
        for name in kwargs.keys() - ARGUMENTS.keys():
            if not name.startswith("_") and not hasattr(cls, name):  # Scrapyd gives _job and _version
                raise SettingError(
                    f"-a {name} is no argument of spider '{cls.name}': it takes {', '.join(ARGUMENTS)}, "
                    "and what its class has a value for."
                )
        for argument, setting in ARGUMENTS.items():
            if argument in kwargs:
                crawler.settings.set(setting, kwargs[argument], priority="cmdline")
        if cls.topic:
            crawler.settings.set("FOCUSED_TOPIC", cls.topic, priority="spider")
        return super().from_crawler(crawler, *args, **kwargs)

    def parse(self, response: Response, page: Page) -> Iterator[Any]:
        """Called with each page once it is judged; override it to use response.css or to ask for more."""
        yield from self.extract(page)

    def extract(self, page: Page) -> Iterable[Any]:
        """The items of a page."""
        item = {"url": page.url, "title": page.title, "relevance": round(page.relevance, 6), "relevant": page.relevant}
        if page.relevant:
            item["text"] = page.text
        yield item

    def present(self, website: dict[str, Any]) -> Iterable[Any]:
        """The items of a finished website, where whole ones are looked for: its line of sites.jsonl."""
        yield website

    def follow(self, page: Page) -> list[Link] | None:
        """The links to follow, if not all of the page's."""
        return None

"""The base of our spiders: it declares a topic; what to fetch next is not its business."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.http import Response

from focused.errors import SettingError
from focused.page import Link, Page
from focused.topic import find, is_known

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

ARGUMENTS = {
    "topic": "FOCUSED_TOPIC",
    "query": "FOCUSED_QUERY",
    "ordering": "FOCUSED_ORDERING",
    "ordering_args": "FOCUSED_ORDERING_ARGS",
    "web": "FOCUSED_WEB",
    "max_pages": "FOCUSED_MAX_PAGES",
    "maintain": "FOCUSED_MAINTAIN",
}


class FocusedSpider(Spider):
    """Set name, topic or query, start_urls, custom_settings; override extract, present and follow."""

    topic: str = ""
    query: str = ""  # words of what is wanted, if there is no topic file; the topic then has the spider's name

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
        cls._go_by_query(crawler.settings)
        return super().from_crawler(crawler, *args, **kwargs)

    @classmethod
    def _go_by_query(cls, settings: BaseSettings) -> None:
        """A topic file of the spider's name comes first: the other commands know the topic by its name only."""
        if cls.query and not settings.get("FOCUSED_TOPIC"):
            settings.set("FOCUSED_QUERY", cls.query, priority="spider")
        if not settings.get("FOCUSED_QUERY"):
            return
        topic = settings.get("FOCUSED_TOPIC") or cls.name
        settings.set("FOCUSED_TOPIC", topic, priority="spider")
        if is_known(topic):
            logger.warning(
                "Spider '%s' goes by the topic in %s, not by the query '%s': take the query away, or use another name.",
                *(cls.name, find(topic), settings.get("FOCUSED_QUERY")),
            )

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

"""Any topic, any ordering: scrapy crawl topic -a topic=cycling -a ordering=best_first."""

from __future__ import annotations

from focused.spider import FocusedSpider


class TopicSpider(FocusedSpider):
    """Needs nothing but the topic's file."""

    name = "topic"

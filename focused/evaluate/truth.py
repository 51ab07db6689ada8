"""What a frozen web knows about its own pages. For the evaluator only: no crawl may look at it."""

from __future__ import annotations

from collections.abc import Iterable

from focused.webs import open_web


class Truth:
    """Which pages of a web belong to a topic."""

    def __init__(self, web: str, topic: str) -> None:
        self._web = open_web(web)
        self._topic = topic

    def of(self, urls: Iterable[str]) -> list[bool]:
        """For each URL whether it is on the topic."""
        return [self._web.truth(url) == self._topic for url in urls]

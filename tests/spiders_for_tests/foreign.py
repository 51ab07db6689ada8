"""Spiders that know nothing of this project."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from twisted.python.failure import Failure


def note(file: str, **what: Any) -> None:
    """What a callback saw, for the test to read, also after a kill."""
    with Path(file).open("a") as notes:
        notes.write(json.dumps(what) + "\n")


class PlainSpider(scrapy.Spider):
    """`-a seeds="URL URL" -a notes=FILE [-a echo=URL] [-a refused=URL]`."""

    name = "plain"
    seeds = notes = echo = refused = ""

    async def start(self) -> AsyncIterator[Any]:
        for url in self.seeds.split():
            yield scrapy.Request(url, self.parse_page, cb_kwargs={"steps": 0}, dont_filter=True)
        if self.echo:
            for body in (b"a=1&b=2", b"a=3"):
                yield scrapy.Request(
                    self.echo,
                    self.parse_echo,
                    method="POST",
                    body=body,
                    headers={"X-Mine": "yes", "Content-Type": "application/x-www-form-urlencoded"},
                    cb_kwargs={"sent": body.decode()},
                    meta={"mine": [1, "two"]},
                )
        if self.refused:
            yield scrapy.Request(self.refused, self.parse_page, errback=self.failed, cb_kwargs={"steps": 7})

    def parse_page(self, response: Response, steps: int) -> Iterator[Any]:
        note(self.notes, url=response.url, steps=steps, status=response.status)
        yield {"url": response.url, "steps": steps}
        if isinstance(response, TextResponse):
            for href in response.css("a::attr(href)").getall():
                yield response.follow(href, self.parse_page, cb_kwargs={"steps": steps + 1})

    def parse_echo(self, response: Response, sent: str) -> None:
        told = json.loads(response.css("p::text").get(default=""))
        note(self.notes, url=response.url, sent=sent, told=told, mine=response.meta["mine"])

    def failed(self, failure: Failure) -> None:
        note(self.notes, failed=failure.request.url, steps=failure.request.cb_kwargs["steps"])  # type: ignore[attr-defined]


class RulesSpider(CrawlSpider):
    """`-a seeds=URL -a notes=FILE`."""

    name = "rules"
    seeds = notes = ""
    rules = (Rule(LinkExtractor(allow=r"/p/\d+$"), callback="parse_item", follow=True),)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.start_urls = self.seeds.split()

    def parse_item(self, response: TextResponse) -> Iterator[Any]:
        note(self.notes, url=response.url, text=response.meta["link_text"])
        yield {"url": response.url}

"""One crawl of a synthetic web, measured: run as a process of its own, prints JSON.

    python -m tests.bench.crawls plain|focused|unjudged|plain_http|focused_http KILOBYTES LINKS PAGES

`plain` is Scrapy as it comes: default settings, LinkExtractor, every link followed, a JSONL feed.
`focused` is the whole of ours: robots and egress checks, one parse, judge, scores, frontier, store, WARC and JSONL.
`unjudged` is ours without terms, judge and scores. CPU is counted between two pages, so that start-up does not count.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scrapy import Spider, signals
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import HtmlResponse, Request, Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import Settings

from models.model import Floats, Ids, Judgement, Readable
from models.text import Vocabulary
from spiders.topic import TopicSpider
from tests.bench.pages import make_page

POOL, SITES, WARM_UP = 200, 50, 200  # pages until most words were met once


class PoolHandler(BaseDownloadHandler):
    """Answers in process with one of a pool of pages; which one depends on the URL alone."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        kilobytes, links = crawler.settings.getint("BENCH_KILOBYTES"), crawler.settings.getint("BENCH_LINKS")
        self.bodies = [make_page(kilobytes, links, seed) for seed in range(POOL)]

    async def download_request(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            return TextResponse(request.url, body=b"User-agent: *\nDisallow: /private/\n", request=request)
        headers = {"Content-Type": "text/html; charset=utf-8"}
        return HtmlResponse(
            request.url, body=self.bodies[sum(request.url.encode()) % POOL], headers=headers, request=request
        )

    async def close(self) -> None:
        """Nothing is open."""


class PlainSpider(Spider):
    """What a tutorial would write."""

    name = "plain"
    links = LinkExtractor()

    def parse(self, response: Response, **_: Any) -> Any:
        yield {"url": response.url, "title": response.css("title::text").get()}
        for link in self.links.extract_links(response):
            yield response.follow(link)


class Unjudged:
    """A model that looks at nothing."""

    threshold = 0.5

    def __init__(self, vocabulary: Vocabulary, query: str) -> None:
        self.nothing = Judgement(0.0, False)
        vocabulary.ids = lambda words: np.zeros(len(words), np.int32)  # type: ignore[method-assign]

    def judge(self, page: Readable) -> Judgement:
        return self.nothing

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        raise NotImplementedError

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        return []


class Stopwatch:
    """CPU time between the page after the warm-up and the last one."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler, self.pages, self.begin, self.end = crawler, 0, 0.0, 0.0
        self.last = crawler.settings.getint("BENCH_PAGES")
        crawler.signals.connect(self._page, signals.response_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Stopwatch:
        made = crawler.stopwatch = cls(crawler)  # type: ignore[attr-defined]
        return made

    def _page(self, response: Response) -> None:
        if response.url.endswith("/robots.txt"):
            return
        self.pages += 1
        if self.pages == WARM_UP:
            self.begin = time.process_time()
        if self.pages == self.last:
            self.end = time.process_time()

    @property
    def milliseconds_a_page(self) -> float:
        return 1000 * (self.end - self.begin) / (self.last - WARM_UP)


def measured(kind: str, kilobytes: int, links: int, pages: int) -> float:
    """CPU milliseconds a page."""
    is_http = kind.endswith("_http")
    with tempfile.TemporaryDirectory() as folder:
        settings = _plain(folder) if kind.startswith("plain") else _focused(folder, kind)
        settings.setdict({"BENCH_PAGES": pages, "BENCH_KILOBYTES": kilobytes, "BENCH_LINKS": links})
        settings.set("EXTENSIONS", {**settings.getdict("EXTENSIONS"), "tests.bench.crawls.Stopwatch": 1})
        settings.set("LOG_LEVEL", "ERROR")
        seeds = [f"http://s{n}.example/" for n in range(SITES)]
        if is_http:
            seeds = sys.argv[5].split(",")
            settings.set("FOCUSED_ALLOW_ADDRESSES", ["127.0.0.0/8"])
        else:
            settings.set("DOWNLOAD_HANDLERS", dict.fromkeys(("http", "https"), "tests.bench.crawls.PoolHandler"))
        process = CrawlerProcess(settings)
        spider = type("Seeded", (PlainSpider if kind.startswith("plain") else TopicSpider,), {"start_urls": seeds})
        crawler = process.create_crawler(spider)
        process.crawl(crawler, topic=str(_topic(folder)))
        process.start()
        watch: Stopwatch = crawler.stopwatch  # type: ignore[attr-defined]
        return watch.milliseconds_a_page


def _plain(folder: str) -> Settings:
    feed = {str(Path(folder) / "pages.jsonl"): {"format": "jsonlines"}}
    return Settings({"FEEDS": feed, "CLOSESPIDER_PAGECOUNT": int(sys.argv[4]), "TELNETCONSOLE_ENABLED": False})


def _focused(folder: str, kind: str) -> Settings:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    ordering = "breadth_first" if kind == "unjudged" else "best_first"
    given = {
        "FOCUSED_DATA_DIR": folder, "FOCUSED_MAX_PAGES": int(sys.argv[4]), "FOCUSED_ORDERING": ordering,
        "FOCUSED_SITE_BUDGET": "none", "FOCUSED_PROGRESS": False, "DOWNLOAD_DELAY": 0,
    }  # fmt: skip
    settings.setdict(given, priority="cmdline")
    return settings


def _topic(folder: str) -> Path:
    path = Path(folder) / "bench" / "topic.toml"
    path.parent.mkdir()
    kind = "tests.bench.crawls.Unjudged" if sys.argv[1] == "unjudged" else "similarity"
    path.write_text(f'query = "cycling mountain biking bicycle clubs"\n[model]\nkind = "{kind}"\n')
    return path


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))

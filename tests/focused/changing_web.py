"""A web whose pages change from epoch to epoch, and a crawl of it without Scrapy, by a clock of its own."""

from __future__ import annotations

import random
import time
from pathlib import Path

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.orderings.base import Ordering
from focused.outputs import Exchange
from focused.revisits import is_unchanged
from focused.row import hash_of
from focused.urls import key_of
from focused.visit import Visit
from tests.focused.test_crawl import WORDS, opened

SITES = 20


class ChangingWeb:
    """Nine pages in a hundred change nearly every epoch, the others one epoch in a hundred: 10 % of all at a time."""

    def __init__(self, pages: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.urls = [f"http://s{n % SITES}.example/{n}" for n in range(pages)]
        self.rates = [0.95 if self.chance.random() < 0.096 else 0.01 for _ in self.urls]
        self.versions = [0] * pages
        self.words = [" ".join(self.chance.choices(WORDS, k=8)) for _ in self.urls]
        self.now = 1000.0
        self.asked: list[str] = []
        self.changed = 0

    def pass_time(self) -> None:
        """The next epoch."""
        self.now = float(int(self.now) + 1000)
        for number, rate in enumerate(self.rates):
            if self.chance.random() < rate:
                self.versions[number] += 1
                self.changed += 1

    def body(self, url: str) -> bytes:
        number = self.urls.index(url)
        links = [f'<a href="{other}">{self.words[number]}</a>' for other in self.urls[number * 4 + 1 : number * 4 + 5]]
        if self.versions[number]:
            links.append(f'<a href="/news/{number}/{self.versions[number]}">race</a>')
        return f"<title>t</title><p>{self.words[number]} {self.versions[number]} {' '.join(links)}</p>".encode()

    def answer(self, crawl: Crawl, visit: Visit) -> None:
        """As the middleware does it."""
        self.now += 0.001
        self.asked.append(visit.url)
        body = self.body(visit.url) if visit.url in self.urls else b"<title>news</title><p>bicycle race</p>"
        visit.exchange, visit.status = Exchange(visit.url, "GET", [], 200, [("Etag", tag(body))], body, self.now), 200
        visit.fetched_at, visit.answered = self.now, time.monotonic()
        if is_unchanged(visit):
            return crawl.unchanged(visit)
        visit.items = [{"url": visit.url}]
        crawl.learn(visit, crawl.reader.read(visit.url, body, "text/html"))
        crawl.finish(visit)

    def seed(self) -> Asked:
        return Asked(self.urls[0], key_of(self.urls[0]))


def tag(body: bytes) -> str:
    return f'"{hash_of(body):x}"'


def begun(folder: Path, web: ChangingWeb, ordering: Ordering | None = None, **settings: object) -> Crawl:
    crawl = opened(folder, ordering, **{"FOCUSED_SITE_BUDGET": "none", **settings})
    maintenance = crawl.revisits.maintenance
    maintenance.clock = lambda: web.now
    if maintenance.share and maintenance.since > 1e9:  # a round begins, by the clock on the wall
        maintenance.since = web.now + 0.0005
        crawl.store.note(round_began_at=maintenance.since)
    crawl.ask(web.seed())
    return crawl


def run(crawl: Crawl, web: ChangingWeb) -> str:
    """To its end; why it stopped."""
    while (visit := crawl.next()) is not None:
        web.answer(crawl, visit)
    assert not crawl.has_more()
    reason = crawl.stop_reason()
    crawl.close(reason)
    crawl.abandon()
    return reason

"""A worker of a crawl made by hand: what it does between two commits, and its death, are up to the test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Self

from scrapy.settings import Settings

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Ordering, Surroundings
from focused.outputs import Exchange
from focused.page import PageReader
from focused.shared_crawl import SharedCrawl
from focused.store.postgres import PostgresStore
from focused.store.sqlite import SqliteStore
from focused.topic import Topic
from focused.urls import key_of
from models.text import Vocabulary
from tests.rig.handmade import Told


class Worker:
    """One of several on PostgreSQL, or the only one, on SQLite; it may die and begin again."""

    def __init__(self, folder: Path, web: dict[str, str], ordering: Ordering, database: str = "") -> None:
        self.folder, self.web, self.ordering, self.database = folder, web, ordering, database
        self.crawl = self._opened()

    def _opened(self) -> Crawl:
        self.folder.mkdir(parents=True, exist_ok=True)
        vocabulary = Vocabulary((100, {}))
        made, model = replace(self.ordering), Told(vocabulary, "")
        self.ordering = made
        made.bind(Surroundings(Topic("t", "x"), model, 0, vocabulary, LinkGraph(), True))
        settings = Settings()
        settings.setmodule("focused.settings", priority="project")
        given = {"DOWNLOAD_DELAY": 0, "FOCUSED_STRICT_ORDER": 1, "FOCUSED_DATA_DIR": str(self.folder.parent)}
        settings.setdict(given, priority="cmdline")
        options, reader = Options.read(settings, self.folder.name), PageReader(vocabulary)
        if self.database:
            return SharedCrawl(options, PostgresStore(self.database, "crawl", self.folder), made, model, reader)
        return Crawl(options, SqliteStore(self.folder / "crawl.db"), made, model, reader)

    def sow(self, hosts: list[str]) -> Self:
        for host in hosts:
            url = f"http://{host}.example/"
            self.crawl.ask(Asked(url, key_of(url)))
        self.crawl.commit()
        return self

    def share(self) -> None:
        if isinstance(self.crawl, SharedCrawl):
            self.crawl.share(at_once=True)

    def step(self, commits: bool = True) -> bool:
        """One page, if there is one to be had."""
        visit = self.crawl.next()
        if visit is None:
            return False
        self.crawl.commit()
        body = self.web.get(visit.url)
        if body is None:
            self.crawl.failed(visit, "http_404")
        else:
            visit.exchange = Exchange(visit.url, "GET", [], 200, [], body.encode(), 0.0)
            self.crawl.learn(visit, self.crawl.reader.read(visit.url, body.encode(), "text/html"))
            self.crawl.finish(visit)
        if commits:
            self.crawl.commit()
        return True

    def dies(self) -> None:
        """What was not committed did not happen; the same command is given again."""
        self.crawl.outputs.close()
        self.crawl.store.close()
        self.crawl = self._opened()

    def ends(self) -> None:
        self.crawl.close("stopped")
        self.crawl.abandon()

"""From settings to a crawl: short names become classes, the topic becomes a model, the store is opened."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scrapy.settings import BaseSettings

from focused.crawl import Crawl
from focused.errors import SettingError, StoreError, TopicError
from focused.graph import LinkGraph
from focused.names import load
from focused.options import Options
from focused.orderings.base import Ordering, Surroundings, files_named, make
from focused.page import PageReader
from focused.search.engine import SearchEngine
from focused.search.seeker import Seeker
from focused.searching import searching_for
from focused.shared_crawl import SharedCrawl
from focused.stop import Stopped, is_full
from focused.store.interface import CrawlStore
from focused.store.place import made, place_of, reachable
from focused.store.sqlite import SqliteStore
from focused.surfing import sessions_for
from focused.topic import Topic, keep, located, name_of
from focused.training import model_for
from focused.webs import Web, is_same
from models.model import PageModel
from models.text import Vocabulary

if TYPE_CHECKING:
    from focused.agreement import Agreement
    from focused.store.postgres import PostgresStore


class Assembly:
    """The parts of one run in the order they need each other."""

    def __init__(self, settings: BaseSettings, web: Web | None = None) -> None:
        self.settings = settings
        self.web = web  # the frozen web, if the crawl has one
        self.options = Options.read(settings, name_of(settings.get("FOCUSED_TOPIC") or ""))
        reachable(self.options.folder)
        self.agreement = self._agreement()
        self._make()

    def _agreement(self) -> Agreement | None:
        """With the other workers, where the store is shared: what the crawl goes by."""
        (topic, query), folder = self._wanted(), self.options.folder
        place = place_of(self.settings.get("FOCUSED_STORE"), folder)
        if isinstance(place, Path) or not topic:
            return None
        from focused.agreement import agreement_of  # a database's driver is loaded only where it is asked for

        files = files_named(ordering_of(self.settings))
        if query:
            keep(topic, made(folder), query)
        return agreement_of(place, folder, located(topic, folder), files)

    def _wanted(self) -> tuple[str, str]:
        return self.settings.get("FOCUSED_TOPIC") or "", self.settings.get("FOCUSED_QUERY") or ""

    def _make(self) -> None:
        agreement = self.agreement
        folder, (topic, query) = self.options.folder, self._wanted()
        self.topic = Topic.load(agreement.topic) if agreement else Topic.of(topic, folder, query)
        self.vocabulary = Vocabulary()
        folder = agreement.model_folder if agreement else folder
        self.model: PageModel = model_for(self.settings, self.topic, self.vocabulary, folder)
        self.ordering = self._ordering()
        self.reader = PageReader(self.vocabulary, self.options.max_links)

    def _agree(self) -> None:
        """Before the worker joins: topic and model are the crawl's. Where others were quicker, theirs are taken."""
        while self.agreement is not None:
            self.agreement.made()
            if self.agreement.bring():
                break
            self.agreement.look()
            self._make()

    def crawl(self) -> Crawl:
        """Opens the store; the last thing that can go wrong at the start."""
        self._agree()
        store = self._store()
        try:
            return self._opened(store)
        except Exception as error:
            store.close()
            if is_full(error):
                raise StoreError(f"{self.options.folder} cannot be written: the disk is full, make room.") from error
            if isinstance(error, Stopped):
                raise StoreError(f"The store of {self.options.folder} cannot be used ({error}): try again.") from error
            raise

    def _opened(self, store: CrawlStore) -> Crawl:
        self._check_same_crawl(store)
        if store.team is None:
            return Crawl(self.options, store, self.ordering, self.model, self.reader)
        return SharedCrawl(self.options, cast("PostgresStore", store), self.ordering, self.model, self.reader)

    def search(self) -> tuple[SearchEngine, Seeker] | None:
        """Who is asked for seeds, and for what; None: nobody."""
        return searching_for(self.topic, self.settings.get("FOCUSED_SEARCH") or "", self.options.folder, self.web)

    def seeds(self, own: list[str]) -> list[str]:
        """The topic's, the spider's own, or those the frozen web offers for the topic."""
        seeds = [*self.topic.seeds, *own]
        if not seeds and not self.topic.search:
            seeds = self.offered()
        if not seeds and not self.topic.search:
            raise TopicError(without_seeds(self.topic.name, bool(self.topic.sim), self.settings))
        return seeds

    def offered(self) -> list[str]:
        """Seeds that the frozen web has for the topic."""
        if self.web is None or not self.topic.sim:
            return []
        return self.web.seeds(self.topic.sim["topic"], int(self.topic.sim.get("seeds", 5)), self.options.seed)

    def _ordering(self) -> Ordering:
        ordering = ordering_of(self.settings)
        read: dict[str, Any] = self.agreement.files if self.agreement else {}
        ordering = replace(ordering, **read)
        options, web = self.options, self.settings.get("FOCUSED_WEB") or ""
        sessions = partial(sessions_for, self.topic, web)
        around = Surroundings(
            self.topic, self.model, options.seed, self.vocabulary, LinkGraph(), options.strict, sessions
        )
        ordering.bind(around)
        return ordering

    def _store(self) -> CrawlStore:
        folder = self.options.folder
        place = place_of(self.settings.get("FOCUSED_STORE"), folder)
        topic, query = self._wanted()
        keep(topic, made(folder), query)
        if isinstance(place, Path):
            return SqliteStore(place, self.options.sync)
        from focused.store.postgres import PostgresStore

        return PostgresStore(place, folder.name, folder, self.options.lease)

    def _check_same_crawl(self, store: CrawlStore) -> None:
        """A folder belongs to one topic on one web: another would mix two crawls."""
        known, mine = store.meta(), {"topic": self.topic.name, "web": self.settings.get("FOCUSED_WEB") or ""}
        for name, value in mine.items():
            if not (is_same if name == "web" else eq)(known.get(name, value), value):
                raise StoreError(
                    f"{self.options.folder} holds a crawl of {name} '{known[name]}', not '{value}': "
                    "give another FOCUSED_CRAWL, or remove the folder."
                )
        if self.options.maintain == 1 and store.counts()[0] == 0:
            raise StoreError(f"{self.options.folder} has no page to look at again: crawl without maintain=1 first.")
        ordering = f"{self.settings.get('FOCUSED_ORDERING')} {self.settings.get('FOCUSED_ORDERING_ARGS') or ''}".strip()
        store.note(**mine, ordering=ordering, started_at=known.get("started_at", time.time()))
        store.commit({})


def ordering_of(settings: BaseSettings) -> Ordering:
    """As its name and arguments say; it knows nothing of a crawl yet."""
    given = settings.get("FOCUSED_ORDERING")
    kind = load(given, settings.getdict("FOCUSED_ORDERINGS"), "FOCUSED_ORDERING")
    if not (isinstance(kind, type) and issubclass(kind, Ordering)):
        raise SettingError(f"FOCUSED_ORDERING={given!r} is no ordering: give a subclass of Ordering.")
    return make(kind, settings.get("FOCUSED_ORDERING_ARGS") or "")


def without_seeds(name: str, is_simulated: bool, settings: BaseSettings) -> str:
    """The sentence for a topic that a crawl cannot begin with."""
    if is_simulated and not settings.get("FOCUSED_WEB"):
        return (
            f"Topic '{name}' has its seeds on a simulated web: give -a web=sim:small,seed=1, "
            'or, for the real Web, seeds = ["https://..."] in a topic of your own.'
        )
    if settings.get("FOCUSED_SEARCH"):
        return (
            f"Topic '{name}' has no seeds, and FOCUSED_SEARCH is for topics that are to be searched for: "
            'add [search] with tokens = ["word", "other"] to its file, or seeds.'
        )
    if settings.get("FOCUSED_QUERY"):
        return f"Topic '{name}' is a query without seeds: give the spider start_urls = [\"https://...\"]."
    return f"Topic '{name}' has no seeds: add seeds = [\"https://...\"] to its file."

"""From settings to a crawl: short names become classes, the topic becomes a model, the store is opened."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from focused.crawl import Crawl
from focused.errors import FocusedError, SettingError, StoreError, TopicError
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Ordering, Surroundings, make
from focused.page import PageReader
from focused.stop import Stopped, whole
from focused.store.sqlite import SqliteStore
from focused.topic import Topic
from focused.webs import Web
from models.model import PageModel
from models.text import Vocabulary


class Assembly:
    """The parts of one run in the order they need each other."""

    def __init__(self, settings: BaseSettings, web: Web | None = None) -> None:
        self.settings = settings
        self.web = web  # the frozen web, if the crawl has one
        self.topic = Topic.load(settings.get("FOCUSED_TOPIC"))
        self.options = Options.read(settings, self.topic.name)
        self.vocabulary = Vocabulary()
        self.model = self._model()
        self.ordering = self._ordering()
        self.reader = PageReader(self.vocabulary, self.options.max_links)

    def crawl(self) -> Crawl:
        """Opens the store; the last thing that can go wrong at the start."""
        store = SqliteStore(self._database(), self.options.sync)
        try:
            return self._opened(store)
        except FocusedError:
            store.close()
            raise
        except Stopped as stopped:
            store.close()
            raise StoreError(
                f"{self.options.folder} cannot be written ({stopped}): the disk is full, make room."
            ) from None

    @whole
    def _opened(self, store: SqliteStore) -> Crawl:
        self._check_same_crawl(store)
        return Crawl(self.options, store, self.ordering, self.model, self.reader)

    def seeds(self, own: list[str]) -> list[str]:
        """The topic's, the spider's own, or those the frozen web offers for the topic."""
        seeds = [*self.topic.seeds, *own]
        if not seeds and self.web is not None and self.topic.sim:
            count = int(self.topic.sim.get("seeds", 5))
            seeds = self.web.seeds(self.topic.sim["topic"], count, self.options.seed)
        if not seeds:
            raise TopicError(f"Topic '{self.topic.name}' has no seeds: add seeds = [\"https://...\"] to its file.")
        return seeds

    def _model(self) -> PageModel:
        arguments: dict[str, Any] = dict(self.topic.model)
        kind = arguments.pop("kind", "similarity")
        made = _load(kind, self.settings.getdict("FOCUSED_MODELS"), "[model] kind")
        try:
            model: PageModel = made(self.vocabulary, self.topic.query, **arguments)
        except TypeError as error:
            raise TopicError(f"[model] of topic '{self.topic.name}' does not fit {kind}: {error}.") from None
        return model

    def _ordering(self) -> Ordering:
        given = self.settings.get("FOCUSED_ORDERING")
        kind = _load(given, self.settings.getdict("FOCUSED_ORDERINGS"), "FOCUSED_ORDERING")
        ordering = make(kind, self.settings.get("FOCUSED_ORDERING_ARGS") or "")
        ordering.bind(Surroundings(self.topic, self.model, self.options.seed, self.vocabulary, LinkGraph()))
        return ordering

    def _database(self) -> Path:
        given = self.settings.get("FOCUSED_STORE")
        if given and not given.startswith("sqlite:///"):
            raise SettingError(f"FOCUSED_STORE={given!r} is not known: give sqlite:///PATH, or leave it empty.")
        try:
            self.options.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"FOCUSED_DATA_DIR: {self.options.folder} cannot be made ({error.strerror}); give another one."
            ) from None
        return Path(given.removeprefix("sqlite:///")) if given else self.options.folder / "crawl.db"

    def _check_same_crawl(self, store: SqliteStore) -> None:
        """A folder belongs to one topic on one web: another would mix two crawls."""
        known, mine = store.meta(), {"topic": self.topic.name, "web": self.settings.get("FOCUSED_WEB") or ""}
        for name, value in mine.items():
            if known.get(name, value) != value:
                raise StoreError(
                    f"{self.options.folder} holds a crawl of {name} '{known[name]}', not '{value}': "
                    "give another FOCUSED_CRAWL, or remove the folder."
                )
        ordering = f"{self.settings.get('FOCUSED_ORDERING')} {self.settings.get('FOCUSED_ORDERING_ARGS') or ''}".strip()
        store.note(**mine, ordering=ordering, started_at=known.get("started_at", time.time()))
        store.commit({})


def _load(given: str, table: dict[str, str], where: str) -> Any:
    """A class by its short name or by its import path."""
    path = table.get(given, given if "." in given else None)
    if path is None:
        known = ", ".join(sorted(table))
        raise SettingError(
            f"{where}={given!r} is not known: use one of {known}, or an import path such as my.module.Name."
        )
    try:
        return load_object(path)
    except (ImportError, NameError, ValueError) as error:
        raise SettingError(f"{where}={given!r} cannot be imported ({error}).") from None

"""The search phase inside a crawl: queries go out, answers come in as seeds, and only seeds are fetched until it ends.

An engine that is down, refuses or has a quota ends the search under that name; the crawl goes on with what was found.
Every answer is kept in the store: a crawl that is run again does not ask again. Where tokens are updated, what an
accepted page says of them is kept with the page.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.errors import TopicError
from focused.examples.collection import Document, read
from focused.examples.files import document_of
from focused.examples.gather import has_own
from focused.examples.wanted import wanted
from focused.orderings.base import SEED_SCORE
from focused.page import Page, PageReader
from focused.search.embedded import Embedded, OfCrawl
from focused.search.engine import Answers, SearchEngine, SearchFault
from focused.search.online import brave, google, searxng
from focused.search.seeker import Plan, Seeker
from focused.search.tokens import Tokens
from focused.store.fulltext import SearchIndex
from focused.store.pageindex import PageIndex
from focused.store.queries import Reading
from focused.topic import Topic
from focused.urls import canonical, key_of
from focused.webs.base import Web
from focused.webs.texts import Texts
from focused.webs.walking import pages_from
from models.model import RELEVANT
from models.text import Vocabulary, words_of

logger = logging.getLogger(__name__)
INDEX = "known.db"  # beside crawl.db
INDEXED = 1_000  # pages of a frozen web that its search engine knows
ONLINE = {"searxng": searxng, "brave": brave, "google": google}
PLAN, ANSWER, WORDS = "plan", "answer ", "words "  # what is kept


class Searching:
    """Driven by the scheduler: `advance` whenever something may have changed."""

    def __init__(self, crawl: Crawl, engine: SearchEngine, seeker: Seeker) -> None:
        self.crawl, self.engine, self.seeker = crawl, engine, seeker
        self._authorities = crawl.progress.relevant
        self._batch: list[int] = []  # pages of the last answer
        self._task: tuple[str, asyncio.Future[Answers]] | None = None  # the query that is under way
        self._restore()
        crawl.seeds_only = True

    def _restore(self) -> None:
        answers = self.crawl.state.answers
        self.seeker.restore(answers.get(PLAN, {}))
        for name, shares in answers.items():
            if name.startswith(WORDS):
                self.seeker.recall(shares)

    @property
    def is_over(self) -> bool:
        return not self.crawl.seeds_only

    def advance(self) -> None:
        """Take what has come; ask the next query, once everything that the last one found has been judged."""
        if self.seeker.plan.update_tokens:
            self.crawl.state.accepted = self._read  # here, because a worker that was away begins with a new state
        while not self.is_over and not self._is_busy():
            if self._task is not None:
                (query, task), self._task = self._task, None
                self._take_or_end(query, task.result)
                continue
            self._judge()
            query = self.seeker.next() or ""
            if query:
                self._ask(query)
            else:
                self._end(self.seeker.over, f"{self.seeker.asked} queries, {self.seeker.found} answers")

    def _ask(self, query: str) -> None:
        asked = partial(self.engine.ask, query, self.seeker.most(query))
        known = self.crawl.state.answers.get(f"{ANSWER}{query}")
        if known is not None:
            self._take(query, Answers(*known))
        elif self.engine.is_local:
            self._take_or_end(query, asked)
        else:
            self._task = query, asyncio.ensure_future(asyncio.to_thread(asked))

    def _is_busy(self) -> bool:
        if self._task is not None:
            return not self._task[1].done()
        state, frontier = self.crawl.state, self.crawl.state.frontier
        # What waits on a site that was closed meanwhile is never fetched.
        batch = [page for page in self._batch if state.site(frontier.site_of(page)).state == "open"]
        waits = bool((~np.isnan(frontier.score_of(batch))).any()) if batch else False
        return waits or frontier.best_score(time.monotonic()) == SEED_SCORE or bool(state.in_flight)

    def _judge(self) -> None:
        if self._batch:
            self.seeker.judged(self.crawl.progress.relevant - self._authorities)
        self._authorities, self._batch = self.crawl.progress.relevant, []

    def _read(self, page: Page) -> None:
        """A page was accepted."""
        if not self.is_over:
            self.crawl.state.keep_answer(f"{WORDS}{page.id}", self.seeker.read(page.main_words))

    def _take_or_end(self, query: str, answered: Callable[[], Answers]) -> None:
        try:
            answers = answered()
        except SearchFault as fault:
            return self._end(fault.outcome, str(fault))
        self._take(query, answers)

    def _take(self, query: str, answers: Answers) -> None:
        self.crawl.state.keep_answer(f"{ANSWER}{query}", list(answers))
        urls = filter(None, map(canonical, self.seeker.answered(query, answers)))
        pages = [self.crawl.ask(Asked(url, key_of(url))) for url in dict.fromkeys(urls)]
        self._batch = [page for page in pages if page is not None]
        self.crawl.state.keep_answer(PLAN, self.seeker.state())

    def _end(self, outcome: str, detail: str) -> None:
        self.crawl.seeds_only, self.seeker.over = False, outcome
        self.crawl.state.keep_answer(PLAN, self.seeker.state())
        self.crawl.store.log(time.time(), outcome, detail)
        logger.log(logging.INFO if outcome == "search_done" else logging.WARNING, "%s: %s", outcome, detail)

    def close(self) -> None:
        if self._task is not None:
            self._task[1].cancel()


def searching_for(topic: Topic, engine: str, folder: Path, web: Web | None) -> tuple[SearchEngine, Seeker] | None:
    """What a topic with a table `[search]` needs; None: it has none. `engine` of the settings comes first."""
    if not topic.search:
        return None
    plan = Plan.of(topic.search, f"topic '{topic.name}'")
    seeker = Seeker(_tokens(topic), plan)
    return engine_of(engine or plan.engine, topic, folder, web), seeker


def engine_of(given: str, topic: Topic, folder: Path, web: Web | None) -> SearchEngine:
    """By its name; on a frozen web without one, an index of some of its pages."""
    kind, _, rest = given.partition(":")
    if kind in ONLINE:
        return ONLINE[kind](rest)
    if kind == "index" and Path(rest).is_file():
        return Embedded(PageIndex(Path(rest)))
    if kind == "crawl":
        return _of_crawl(Path(rest))
    if given or web is None:
        raise TopicError(
            f"Topic '{topic.name}' is to be searched for, but '{given}' is no search engine: write searxng:URL, brave, "
            "google, crawl:FOLDER or index:FILE for engine in [search] or for FOCUSED_SEARCH; or give it seeds."
        )
    index = PageIndex(folder / INDEX)
    if not index.exists:
        index.fill(_known_pages(web, topic))
    return Embedded(index)


def _of_crawl(folder: Path) -> SearchEngine:
    reading = Reading(folder / "crawl.db")
    index = SearchIndex(reading)
    index.grow(Texts(reading), lambda: True)
    return OfCrawl(index)


def _known_pages(web: Web, topic: Topic) -> Iterator[tuple[str, str, str]]:
    starts = web.seeds(topic.sim.get("topic", topic.name), 12, 0)
    for page in islice(pages_from(web, starts, PageReader(Vocabulary())), INDEXED):
        yield page.title, page.text, page.url


def _tokens(topic: Topic) -> Tokens:
    """The user's own count as sure; without any, those of the examples in files, or of the query (X-01)."""
    given = topic.search.get("tokens", [])
    if not isinstance(given, list) or not all(isinstance(token, str) and token.strip() for token in given):
        raise TopicError(f'tokens in [search] of topic \'{topic.name}\' is not a list of words: ["zoom", "lens"].')
    if given:
        return Tokens(given=given)
    return Tokens(_samples(topic) or [words_of(topic.query)])


def _samples(topic: Topic) -> list[list[str]]:
    if not has_own(topic):
        return []
    named, reader = wanted(topic), PageReader(Vocabulary())
    files = [file for file, label in named.files.items() if label == RELEVANT]
    found = [document_of(file, named.folder) for file in files]
    return [read(reader, document).main_words for document in found if isinstance(document, Document)]

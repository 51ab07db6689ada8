"""A web drawn by hand, "s>abk a>cd": what links to what and how relevant each page is; crawled without Scrapy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
from scrapy.settings import Settings

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Ordering, Surroundings
from focused.outputs import Exchange
from focused.page import PageReader
from focused.sessions import Step
from focused.store.sqlite import SqliteStore
from focused.topic import Topic
from focused.urls import key_of
from focused.visit import Visit
from models.model import Floats, Ids, Judgement, Readable
from models.text import Vocabulary

# Tsoi 2003, the worked crawl: f, behind c of low score, is what tunnels are dug for.
LINKS = "s>abk a>cd b>e c>f d>g e>n f>hi k>m"
SCORES = "s 1.0 a .6 b .5 k .2 c .1 d .2 e .4 f .9 g .05 h .95 i .8 m .7 n .3"


def drawn(text: str) -> dict[str, list[str]]:
    """The links of each page; pages have one letter."""
    return {source: list(targets) for source, _, targets in (word.partition(">") for word in text.split())}


def rated(text: str) -> dict[str, float]:
    words = text.split()
    return dict(zip(words[::2], map(float, words[1::2]), strict=True))


class Rated:
    """A page model that knows the relevance of each page by its name."""

    def __init__(self, vocabulary: Vocabulary, query: str, scores: Mapping[str, float], threshold: float = 0.5) -> None:
        self.scores = scores
        self.threshold = threshold

    def judge(self, page: Readable) -> Judgement:
        relevance = self.scores.get(page.url.rpartition("/")[2], 0.0)
        return Judgement(relevance, relevance >= self.threshold)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        return np.zeros(len(starts))

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        return []


def random_web(seed: int, pages: int = 14) -> DrawnWeb:
    """Page a is the seed. Few different scores, so that there are ties; some pages fail."""
    chance = random.Random(seed)
    names = ascii_lowercase[:pages]
    links = {name: chance.sample(names, chance.randint(0, 4)) for name in names}
    links["a"] = list(names[1:3])
    failing = {name: "http_404" for name in chance.sample(names[1:], 2)}
    return DrawnWeb(links, {name: chance.randint(0, 4) / 4 for name in names}, failing)


@dataclass
class DrawnWeb:
    """Pages, and what is wrong with some of them."""

    links: Mapping[str, list[str]]
    scores: Mapping[str, float]
    failing: Mapping[str, str] = field(default_factory=dict)  # page: outcome
    moving: Mapping[str, str] = field(default_factory=dict)  # page: the page it redirects to
    sites: Mapping[str, str] = field(default_factory=dict)  # page: its site, unless that is a.example
    words: Mapping[str, str] = field(default_factory=dict)  # page: what it says, and what links to it say
    topic: Topic = field(default_factory=lambda: Topic("drawn", "-"))
    steps: Sequence[Step] = ()  # recorded browsing

    def url(self, name: str) -> str:
        return f"http://{self.sites.get(name, 'a')}.example/{name}"

    def body(self, name: str) -> bytes:
        links = (f'<a href="{self.url(link)}">{self.words.get(link, link)}</a> ' for link in self.links.get(name, ()))
        return (self.words.get(name, "") + "".join(links)).encode()

    def opened(self, folder: Path, ordering: Ordering, seeds: Iterable[str] = "a", **given: Any) -> Crawl:
        """The crawl, begun or resumed."""
        settings = Settings()
        settings.setmodule("focused.settings", priority="project")
        settings.setdict({"FOCUSED_STRICT_ORDER": 1, "DOWNLOAD_DELAY": 0, **given}, priority="cmdline")
        settings.set("FOCUSED_DATA_DIR", str(folder.parent), priority="cmdline")
        vocabulary = Vocabulary((100, {}))
        model, graph = Rated(vocabulary, "", self.scores), LinkGraph()
        ordering.bind(Surroundings(self.topic, model, 0, vocabulary, graph, True, lambda: self.steps))
        folder.mkdir(exist_ok=True)
        options = Options.read(settings, folder.name)
        crawl = Crawl(options, SqliteStore(folder / "crawl.db"), ordering, model, PageReader(vocabulary))
        for seed in seeds:
            crawl.ask(Asked(self.url(seed), key_of(self.url(seed))))
        return crawl

    def visits(self, crawl: Crawl) -> Iterator[str]:
        """The crawl's pages, one at a time, by name; also those that fail or redirect."""
        while visit := crawl.next():
            crawl.commit()
            yield name_of(visit)
            self.settle(crawl, visit)

    def visits_in_lives(self, folder: Path, made: Callable[[], Ordering], life: int, **given: Any) -> list[str]:
        """Killed after so many pages, again and again; an answer to the next request is lost, or not committed."""
        order: list[str] = []
        before, lives = -1, 0
        while len(order) > before:
            before, lives = len(order), lives + 1
            crawl = self.opened(folder, made(), **given)
            for _ in range(life):
                if visit := crawl.next():
                    order.append(name_of(visit))
                    self.settle(crawl, visit)
            if lives % 3 and (visit := crawl.next()):
                crawl.commit()
                if lives % 3 == 1:
                    self.take(crawl, visit)
            crawl.abandon()
        return order

    def settle(self, crawl: Crawl, visit: Visit) -> None:
        """What comes of a request, and is kept."""
        self.take(crawl, visit)
        crawl.commit()

    def take(self, crawl: Crawl, visit: Visit) -> None:
        name = name_of(visit)
        visit.exchange = Exchange(visit.url, "GET", [], 200, [], self.body(name), 0.0)
        if name in self.failing:
            crawl.failed(visit, self.failing[name])
        elif name in self.moving:
            crawl.moved(visit, self.url(self.moving[name]))
        else:
            crawl.learn(visit, crawl.reader.read(visit.url, self.body(name), "text/html"))
            crawl.finish(visit)


def name_of(visit: Visit) -> str:
    return visit.url.rpartition("/")[2]

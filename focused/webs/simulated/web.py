"""The simulated web: every page is a pure function of (seed, page number); nothing is stored.

It imitates statistics of the real Web (knobs.py says which and whose); it is not fitted to any way of crawling it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from focused.errors import WebError
from focused.urls import site_of
from focused.webs.base import Answer
from focused.webs.simulated.addresses import Addresses, Card
from focused.webs.simulated.catalogue import BRANCH
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.links import Linker
from focused.webs.simulated.markup import Markup
from focused.webs.simulated.mischief import Mischief, is_hostile
from focused.webs.simulated.outskirts import HTML, Outskirts
from focused.webs.simulated.shape import CONTENT, DOCUMENT, INDEX, LINKS, Shape
from focused.webs.simulated.text import Text
from focused.webs.simulated.words import shipped

# The bytes after the second percent sign tell readers that the file is binary, as every PDF writer does.
PDF = b"%PDF-1.4\n%\xe2\xe3\x00\x01\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n"


class SimWeb:
    def __init__(self, knobs: Knobs) -> None:
        self.knobs = knobs
        self.shape = Shape(knobs, shipped())
        self.text = Text(self.shape)
        self.addresses = Addresses(self.shape, self.text)
        self.markup = Markup(Linker(self.shape), self.text, self.addresses)
        self._mischief = Mischief(self.shape) if is_hostile(knobs) else None
        self.outskirts = Outskirts(self.markup, self._mischief)

    def fetch(self, url: str) -> Answer:
        page = self.addresses.page(url)
        if page is None:
            original = self.original(url)
            return self.markup.mirrors.copied(url, self.fetch(original)) if original else self.outskirts.answer(url)
        card = self.addresses.card(page)
        if card.url.partition("://")[2] != url.partition("://")[2]:
            return Answer(301, {**HTML, "Location": card.url}, b"")
        if card.place.kind == DOCUMENT:
            return Answer(200, {"Content-Type": "application/pdf"}, PDF)
        html = self.markup.page(card)
        spoilt = self._mischief.answer(card.place, html) if self._mischief else None
        return spoilt or Answer(200, HTML, html.encode())

    def truth(self, url: str) -> str | None:
        """Topic path of a page under its own URL; in a catalogue, what the page presents.

        What is on no topic says so by a path of its own: copy/TOPIC on a mirror, so that each page counts once; trap,
        stuffed, gone (a page that is not there, answered with 200), shop (a page of a shop that presents no single
        thing). None for documents, redirects and what is not there.
        """
        page = self.addresses.page(url)
        if page is None:
            original = self.original(url)
            topic = self.truth(original) if original else None
            return f"copy/{topic}" if topic else self.outskirts.truth(url)
        card = self.addresses.card(page)
        if card.place.kind == DOCUMENT or card.url.partition("://")[2] != url.partition("://")[2]:
            return None
        is_stuffed = card.place.kind == CONTENT and self.shape.is_stuffed(page)
        return "stuffed" if is_stuffed else self.shape.words.topics[card.place.topic]

    def original(self, url: str) -> str | None:
        """For a URL on a mirror the one it is a copy of, else None. For the evaluator only."""
        return self.markup.mirrors.original(url)

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        """Pages of n sites on the topic or, one in five, on one beside it: homepages, hubs, indexes, single pages."""
        if topic.startswith(BRANCH):
            return self.outskirts.catalogue.seeds(topic, n, seed)
        sites = self._sites(topic)
        beside = [site for other in self.shape.words.siblings(self._number(topic)) for site in self._sites_of(other)]
        draws = Stream(self.knobs.seed, "seeds").units(seed, 20 * n + 20)
        found: dict[str, None] = {}
        for nth, draw in enumerate(draws):
            if len(found) == n:
                break
            near = beside if nth % 5 == 4 and beside else sites
            found.setdefault(self._entrance(near[int(draw * len(near))], nth).url)
        return list(found)

    def topics(self) -> list[str]:
        """Paths of all topics that have pages, a catalogue's apart."""
        return list(self.shape.words.topics)

    def sites(self) -> list[tuple[str, str]]:
        """Homepage and main topic of every site, mirrors and shops apart. For the evaluator only."""
        starts, topics = self.shape.sites.start, self.shape.sites.topic
        return [
            (self.addresses.card(int(start)).url, self.shape.words.topics[topic])
            for start, topic in zip(starts, topics, strict=False)
        ]

    def pages_of(self, topic: str) -> Iterator[str]:
        """URLs of all pages on a topic."""
        if topic.startswith(BRANCH):
            return self.outskirts.catalogue.pages_of(topic)
        number = self._number(topic)
        pages = (self.shape.topics() == number).nonzero()[0]
        return (self.addresses.card(int(page)).url for page in pages)

    def websites(self, topic: str) -> set[str]:
        """Hosts of the sites of which at least half the pages are on a topic. For the evaluator only."""
        is_on = self.shape.topics() == self._number(topic)
        starts = self.shape.sites.start
        counts = np.add.reduceat(is_on, starts[:-1], dtype=np.int64)
        sites = np.flatnonzero(2 * counts >= np.diff(starts))
        return {site_of(self.addresses.card(starts[site]).url) for site in sites}

    def count(self, topic: str) -> int:
        if topic.startswith(BRANCH):
            return self.outskirts.catalogue.count(topic)
        return int((self.shape.topics() == self._number(topic)).sum())

    def _number(self, topic: str) -> int:
        if topic not in self.shape.words.topics:
            raise WebError(
                f"topic '{topic}' is not on the simulated web: choose among {', '.join(self.shape.words.topics)}"
            )
        return self.shape.words.topics.index(topic)

    def _sites(self, topic: str) -> list[int]:
        number = self._number(topic)
        sites = self._sites_of(number) or [site for site, main in enumerate(self.shape.sites.topic) if main == number]
        if not sites:
            raise WebError(
                f"topic '{topic}' has no site on a simulated web of {self.knobs.pages} pages: give more pages"
            )
        return sites

    def _sites_of(self, topic: int) -> list[int]:
        """Sites of some size that are not islands: those people know."""
        known = (site for site, main in enumerate(self.shape.sites.topic) if main == topic)
        return [site for site in known if self.shape.size(site) >= 8 and not self.shape.is_island(site)]

    def _entrance(self, site: int, nth: int) -> Card:
        """The homepage of a site, its links, its index or one of its pages, in turn."""
        first = self.shape.sections_of(site)[0]
        ways = (
            self.shape.sites.start[site],
            self.shape.front(site, LINKS),
            self.shape.sections.start[first],
            self.shape.content(first)[0],
        )
        card = self.addresses.card(ways[nth % 4] or ways[0])
        is_good = card.place.kind in (LINKS, INDEX, CONTENT) and card.place.topic == self.shape.sites.topic[site]
        return card if is_good else self.addresses.card(ways[0])

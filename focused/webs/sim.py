"""The simulated web: every page is a pure function of (seed, page number); nothing is stored.

It imitates statistics of the real Web (knobs.py says which and whose); it is not fitted to any way of crawling it.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from focused.errors import WebError
from focused.webs.addresses import Addresses, Card
from focused.webs.base import Answer
from focused.webs.dice import Stream
from focused.webs.knobs import Knobs
from focused.webs.links import Linker
from focused.webs.markup import Markup
from focused.webs.shape import CONTENT, DOCUMENT, INDEX, LINKS, Shape
from focused.webs.text import Text
from focused.webs.words import shipped

HTML = {"Content-Type": "text/html; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
NOT_FOUND = Answer(404, HTML, b"<html><head><title>404 Not Found</title></head><body>Not found.</body></html>\n")
# The bytes after the second percent sign tell readers that the file is binary, as every PDF writer does.
PDF = b"%PDF-1.4\n%\xe2\xe3\x00\x01\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n"
CLOSED_FOLDERS, SLOW = 0.04, 0.03  # shares of hosts whose robots.txt closes a folder, or asks for a delay


class SimWeb:
    def __init__(self, knobs: Knobs) -> None:
        self.knobs = knobs
        self.shape = Shape(knobs, shipped())
        self.text = Text(self.shape)
        self.addresses = Addresses(self.shape, self.text)
        self.markup = Markup(Linker(self.shape), self.text, self.addresses)
        self._robots = Stream(knobs.seed, "robots")

    def fetch(self, url: str) -> Answer:
        page = self.addresses.page(url)
        if page is None:
            return self._other(url)
        card = self.addresses.card(page)
        if card.url.partition("://")[2] != url.partition("://")[2]:
            return Answer(301, {**HTML, "Location": card.url}, b"")
        if card.place.kind == DOCUMENT:
            return Answer(200, {"Content-Type": "application/pdf"}, PDF)
        return Answer(200, HTML, self.markup.page(card).encode())

    def truth(self, url: str) -> str | None:
        """Topic path of a page under its own URL; None for documents, redirects and what is not there."""
        page = self.addresses.page(url)
        if page is None:
            return None
        card = self.addresses.card(page)
        is_page = card.place.kind != DOCUMENT and card.url.partition("://")[2] == url.partition("://")[2]
        return self.shape.words.topics[card.place.topic] if is_page else None

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        """Pages of n sites on the topic or, one in five, on one beside it: homepages, hubs, indexes, single pages."""
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

    def pages_of(self, topic: str) -> Iterator[str]:
        """URLs of all pages on a topic."""
        number = self._number(topic)
        pages = (self.shape.topics() == number).nonzero()[0]
        return (self.addresses.card(int(page)).url for page in pages)

    def count(self, topic: str) -> int:
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

    def _other(self, url: str) -> Answer:
        """robots.txt, or nothing."""
        parts = urlsplit(url)
        site = self.addresses.hosts.get(parts.netloc.lower())
        if parts.path != "/robots.txt" or site is None:
            return NOT_FOUND
        return Answer(200, PLAIN, self._rules(site).encode())

    def _rules(self, site: int) -> str:
        draw, folders = self._robots.unit(site), self.addresses.site(site).folders
        if draw < CLOSED_FOLDERS and len(folders) > 1:
            return f"User-agent: *\nDisallow: /{folders[-1]}/\n"
        if draw < CLOSED_FOLDERS + SLOW:
            return f"User-agent: *\nCrawl-delay: {1 + self._robots.at(site) % 2}\n"
        return "User-agent: *\nDisallow:\n"

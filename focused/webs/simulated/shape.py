"""Which page is where, of which kind and about what: the map of the simulated web."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from focused.webs.simulated.dice import Stream, units
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.layout import BIG, PER_INDEX, Dealer, front_pages
from focused.webs.simulated.words import Words

Topics = npt.NDArray[np.int8]
HOME, ABOUT, CONTACT, LINKS, INDEX, CONTENT, DOCUMENT = "home", "about", "contact", "links", "index", "page", "pdf"


class Place(NamedTuple):
    page: int
    site: int
    section: int  # -1: a front page
    kind: str
    nth: int  # which page of links, of the index, or of the section's content
    topic: int


class Shape:
    def __init__(self, knobs: Knobs, words: Words) -> None:
        self.knobs, self.words = knobs, words
        self.dealer = Dealer(knobs, words)
        self.sites, self.sections = self.dealer.deal()
        self.general = len(words.topics) - 1
        self._fate = Stream(knobs.seed, "fates")  # the low end makes a page a stray, the high end a document
        self._island = Stream(knobs.seed, "islands")
        self._stuffing = Stream(knobs.seed, "stuffing")

    @property
    def site_count(self) -> int:
        return len(self.sites.topic)

    def size(self, site: int) -> int:
        return self.sites.start[site + 1] - self.sites.start[site]

    def sections_of(self, site: int) -> range:
        return range(self.sites.first[site], self.sites.first[site + 1])

    def place(self, page: int) -> Place:
        section = bisect_right(self.sections.start, page) - 1
        nth = page - self.sections.start[section]
        if section < 0 or nth >= self.sections.size[section]:
            # Between the sections of two sites are the front pages of the second.
            site = self.sections.site[section] + 1 if section >= 0 else 0
            return self._front(page, site, page - self.sites.start[site])
        site, indices = self.sections.site[section], self.sections.indices[section]
        if nth < indices:
            return Place(page, site, section, INDEX, nth, self.sections.topic[section])
        draw = self._fate.unit(page)
        kind = DOCUMENT if draw >= 1.0 - self.knobs.documents else CONTENT
        return Place(page, site, section, kind, nth - indices, self._topic(draw, section))

    def _front(self, page: int, site: int, nth: int) -> Place:
        plain = (HOME, ABOUT, CONTACT)[: front_pages(self.size(site), 0)]
        if nth >= len(plain):
            return Place(page, site, -1, LINKS, nth - len(plain), self.sites.topic[site])
        return Place(page, site, -1, plain[nth], 0, self.sites.topic[site] if nth == 0 else self.general)

    def _topic(self, draw: float, section: int) -> int:
        if draw < self.knobs.strays:
            return self.dealer.any_topic(draw / self.knobs.strays)
        return self.sections.topic[section]

    def front(self, site: int, kind: str) -> int | None:
        """Page number of a site's about, contact or first page of links, where it has one."""
        size, start = self.size(site), self.sites.start[site]
        if kind == LINKS:
            return start + front_pages(size, 0) if self.sites.links[site] else None
        return start + (ABOUT, CONTACT).index(kind) + 1 if size >= BIG * (1 + (kind == CONTACT)) else None

    def content(self, section: int) -> range:
        start, size = self.sections.start[section], self.sections.size[section]
        return range(start + self.sections.indices[section], start + size)

    def listed(self, section: int, nth: int) -> range:
        """The pages on the nth page of a section's index."""
        is_last = nth + 1 == self.sections.indices[section]
        return self.content(section)[nth * PER_INDEX : None if is_last else (nth + 1) * PER_INDEX]

    def is_island(self, site: int) -> bool:
        """A small site that no page on its topic links to; see tunnels.py."""
        small = BIG <= self.size(site) <= 12 * BIG and self.sites.topic[site] != self.general
        return small and self._island.unit(site) < self.knobs.islands

    def is_stuffed(self, page: int) -> bool:
        """A content page whose text is keywords about nothing; see mischief.py."""
        return self._stuffing.unit(page) < self.knobs.stuffed

    def topics(self) -> Topics:
        """Topic of every page in one go, for counting; -1 for documents and stuffed pages: no text to judge."""
        found: Topics = np.repeat(np.array(self.sites.topic, dtype=np.int8), np.diff(self.sites.start))
        is_content = np.zeros(self.knobs.pages, dtype=bool)
        for site in range(self.site_count):
            for page in filter(None, (self.front(site, ABOUT), self.front(site, CONTACT))):
                found[page] = self.general
        for section, start in enumerate(self.sections.start):
            pages = self.content(section)
            found[start : pages.stop] = self.sections.topic[section]
            is_content[pages.start : pages.stop] = True
        self._scatter(found, is_content)
        return found

    def _scatter(self, found: Topics, is_content: npt.NDArray[np.bool_]) -> None:
        """Put the strays and the documents among the pages of the sections."""
        draws = units(self._fate.bits_of(np.arange(self.knobs.pages)))
        strays = is_content & (draws < self.knobs.strays)
        shares = self.dealer.shares
        found[strays] = np.searchsorted(shares, draws[strays] / self.knobs.strays * shares[-1], side="right")
        stuffed = units(self._stuffing.bits_of(np.arange(self.knobs.pages))) < self.knobs.stuffed
        found[is_content & (stuffed | (draws >= 1.0 - self.knobs.documents))] = -1

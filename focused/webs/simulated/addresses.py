"""URLs of the simulated web: which page a URL names, and how a page is named.

Hosts are two words under names that nobody can own (RFC 2606): www.copper-lantern.org.example.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from focused.webs.simulated.dice import Stream
from focused.webs.simulated.shape import CONTENT, DOCUMENT, HOME, INDEX, LINKS, Place, Shape
from focused.webs.simulated.text import Text

SUFFIXES = ("example", "com.example", "org.example", "net.example", "co.test", "info.test")
GENERIC = ("articles", "pages", "archive", "notes", "info", "library", "guide", "misc")
NUMBERED = re.compile(r"(?:.*-)?(\d{1,7})\.(?:html|pdf)")
LISTED = re.compile(r"(?:page(\d{1,5})\.html|\?page=(\d{1,5}))?")
FRONT = re.compile(r"(about|contact|links)(\d{0,2})\.html")
GONE = 70_000  # no section has so many pages: a number above it names a page that is not there any more


class SiteName(NamedTuple):
    root: str  # scheme and host
    name: str
    folders: list[str]  # one a section
    is_numeric: bool  # pages are 17.html, not bicycle-tour-17.html
    by_query: bool  # further pages of an index are ?page=2, not page2.html


class Card(NamedTuple):
    """What others need to know to link to a page."""

    place: Place
    url: str
    title: str


class Addresses:
    def __init__(self, shape: Shape, text: Text) -> None:
        self.shape, self.text = shape, text
        self._hosts, self._sites, self._sections = (
            Stream(shape.knobs.seed, name) for name in ("hosts", "sitename", "folders")
        )
        self._words = [word for word in shape.words.words if len(word) > 3]
        self.hosts: dict[str, int] = {}
        for site in range(shape.site_count):
            self._name_host(site)
        self._host_of = list(self.hosts)
        self.site = lru_cache(4096)(self._site)
        self.card = lru_cache(16384)(self._card)

    def _name_host(self, site: int) -> None:
        """Half of the hosts have a word of their topic in the name."""
        bits = self._hosts.at(site)
        first = self._words[(bits >> 8) % len(self._words)]
        if bits & 1:
            table = self.shape.words.plain[self.shape.sites.topic[site]]
            first = self.shape.words.words[int(table[(bits >> 8) % len(table)])]
        second = self._words[(bits >> 32) % len(self._words)]
        suffix = SUFFIXES[(bits >> 48) % len(SUFFIXES)]
        www = "www." if (bits >> 1) & 3 else ""
        host = f"{www}{first}-{second}.{suffix}"
        self.hosts[host if host not in self.hosts else f"{www}{first}-{second}-{site}.{suffix}"] = site

    def _site(self, site: int) -> SiteName:
        host, bits = self._host_of[site], self._sites.at(site)
        scheme = "https" if bits & 3 else "http"
        name = host.removeprefix("www.").partition(".")[0].replace("-", " ").title()
        return SiteName(f"{scheme}://{host}", name, self._folders(site), (bits >> 2) & 3 == 0, (bits >> 4) & 3 == 0)

    def _folders(self, site: int) -> list[str]:
        """Half of the folders are named after what is in them; no two of a site alike."""
        found: list[str] = []
        for nth, section in enumerate(self.shape.sections_of(site)):
            bits = self._sections.at(section)
            table = self.shape.words.plain[self.shape.sections.topic[section]]
            word = self.shape.words.words[int(table[(bits >> 8) % len(table)])] if bits & 1 else GENERIC[nth]
            found.append(word if word not in (*found, "old") else f"{word}{nth}")
        return found

    def _card(self, page: int) -> Card:
        place = self.shape.place(page)
        words = self.text.title(place)
        return Card(place, self._url(place, words), self._title(place, words))

    def _title(self, place: Place, words: list[str]) -> str:
        name = self.site(place.site).name
        if place.kind in (CONTENT, DOCUMENT):
            return " ".join(words).capitalize()
        if place.kind == HOME:
            return name if len(words) < 4 else f"{name} - {' '.join(words[:2])}"
        if place.kind == INDEX:
            return f"{words[0].capitalize()} {words[1] if len(words) > 1 else 'pages'} index"
        return f"{words[0].capitalize()} links" if place.kind == LINKS else f"{place.kind.capitalize()} {name}"

    def _url(self, place: Place, words: list[str]) -> str:
        site = self.site(place.site)
        if place.kind == HOME:
            return f"{site.root}/"
        if place.section < 0:
            return f"{site.root}/{place.kind}{place.nth + 1 if place.nth else ''}.html"
        folder = self._folder(place)
        if place.kind == INDEX:
            more = (f"?page={place.nth + 1}" if site.by_query else f"page{place.nth + 1}.html") if place.nth else ""
            return f"{site.root}/{folder}/{more}"
        slug = "" if site.is_numeric else "-".join(words) + "-"
        return f"{site.root}/{folder}/{slug}{place.nth}.{'pdf' if place.kind == DOCUMENT else 'html'}"

    def _folder(self, place: Place) -> str:
        return self.site(place.site).folders[place.section - self.shape.sites.first[place.site]]

    def old(self, card: Card) -> str:
        """Where a page was before the site was rebuilt; the server still knows."""
        site, place = self.site(card.place.site), card.place
        if place.kind in (CONTENT, DOCUMENT):
            return f"{site.root}/old/{self._folder(place)}/{place.nth}.html"
        return f"{site.root}/index.html" if place.kind == HOME else card.url

    def gone(self, card: Card) -> str:
        """A name like the page's own that is nobody's."""
        stem, _, last = card.url.rpartition("/")
        return f"{stem}/{last.rpartition('.')[0] or 'welcome'}-{GONE + card.place.nth}.html"

    def page(self, url: str) -> int | None:
        """The page a URL names, under its own name or an old one; None if there is none."""
        parts = urlsplit(url)
        site = self.hosts.get(parts.netloc.lower())
        if site is None:
            return None
        folder, slash, last = parts.path[1:].rpartition("/")
        last = f"{last}?{parts.query}" if parts.query else last
        if not slash:
            return self._front_page(site, last)
        folder = folder.removeprefix("old/")
        folders = self.site(site).folders
        if folder not in folders:
            return None
        return self._section_page(self.shape.sites.first[site] + folders.index(folder), last)

    def _front_page(self, site: int, last: str) -> int | None:
        if last in ("", "index.html"):
            return self.shape.sites.start[site]
        named = FRONT.fullmatch(last)
        first = self.shape.front(site, named[1]) if named else None
        if named is None or first is None:
            return None
        nth = int(named[2] or 1) - 1
        return first + nth if 0 <= nth < (self.shape.sites.links[site] if named[1] == LINKS else 1) else None

    def _section_page(self, section: int, last: str) -> int | None:
        listed, numbered = LISTED.fullmatch(last), NUMBERED.fullmatch(last)
        if listed:
            nth = int(listed[1] or listed[2] or 1) - 1
            is_there = 0 <= nth < self.shape.sections.indices[section]
            return self.shape.sections.start[section] + nth if is_there else None
        pages = self.shape.content(section)
        return pages[int(numbered[1])] if numbered and int(numbered[1]) < len(pages) else None

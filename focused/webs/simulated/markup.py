"""The HTML of a simulated page: head, navigation, main part, aside, footer; links with their anchors."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import NamedTuple

from focused.webs.simulated.addresses import Addresses, Card
from focused.webs.simulated.detours import Detours
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.links import Linker
from focused.webs.simulated.mirrors import Mirrors
from focused.webs.simulated.scripts import menu, written
from focused.webs.simulated.shape import CONTENT, HOME, INDEX, LINKS, Place
from focused.webs.simulated.text import Text
from focused.webs.simulated.traps import Traps

SAYS_NOTHING = ("more", "click here", "next", "here", "read on", "details", "continue", "this page", "link", "see also")
BLAND = ("Untitled document", "Welcome", "Home page", "New page 1")
PARAGRAPH = 70  # words
BLURB = 7  # words


class Frame(NamedTuple):
    """What every page of a site repeats."""

    head: str
    top: str
    foot: str


class Markup:
    def __init__(self, linker: Linker, text: Text, addresses: Addresses) -> None:
        self.linker, self.text, self.addresses = linker, text, addresses
        self.knobs = linker.shape.knobs
        self._anchors = Stream(self.knobs.seed, "anchors")
        self._looks = Stream(self.knobs.seed, "looks")
        self._styles = Stream(self.knobs.seed, "styles")
        self._menus = Stream(self.knobs.seed, "menus")
        self._scripted = Stream(self.knobs.seed, "scripted")
        self.mirrors = Mirrors(linker.shape, addresses)
        self.traps = Traps(linker.shape)
        self.detours = Detours(addresses)
        self.doors: dict[int, list[str]] = {}  # what hubs and homepages on a topic link to besides, as HTML
        self._head = Template(files("focused.webs.simulated").joinpath("data", "head.html").read_text("utf-8"))
        self._astray = self.knobs.dead + self.knobs.moved + self.knobs.chains + self.knobs.loops
        self.frame = lru_cache(4096)(self._frame)

    def page(self, card: Card) -> str:
        """The whole document."""
        place = card.place
        thin = self.thinness(place)
        if thin == "frames":
            return self._frameset(card, self.frame(place.site))
        links = self._links(place)
        main = self._thin(card, links) if thin else self._main(card, links)
        return self.framed(place.site, self._title(card), main, f'<link rel="canonical" href="{card.url}">\n')

    def framed(self, site: int, title: str, main: str, more: str = "") -> str:
        """A document with the head, navigation and footer of a site."""
        frame = self.frame(site)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f"{more}{frame.head}</head>\n<body>\n{frame.top}{main}{frame.foot}</body>\n</html>\n"
        )

    def thinness(self, place: Place) -> str:
        """A homepage that is only a frameset ("frames") or a few words ("words"); any other page is neither."""
        draw = self._looks.unit(place.page) if place.kind == HOME else 1.0
        if draw < self.knobs.thin_frames:
            return "frames"
        return "words" if draw < self.knobs.thin_frames + self.knobs.thin_words else ""

    def _title(self, card: Card) -> str:
        bits = self._looks.at(card.place.page)
        if card.place.kind == CONTENT and (bits >> 11) * 2.0**-53 < self.knobs.bland_titles:
            return BLAND[bits & 3]
        name = self.addresses.site(card.place.site).name
        return f"{card.title} | {name}" if bits & 4 and name not in card.title else card.title

    def _main(self, card: Card, links: list[str]) -> str:
        place = card.place
        words = self.text.words(place)
        if place.kind in (INDEX, LINKS):
            return (
                f"<main>\n<h1>{card.title}</h1>\n<p>{' '.join(words)}</p>\n"
                f'<ul class="list">\n{"".join(links)}</ul>\n{self._pager(place)}</main>\n'
            )
        inline = len(links) // 2 if place.kind == CONTENT else 0
        body = "".join(self._paragraphs(words, links[:inline]))
        beside = "".join(f"<li>{link}</li>\n" for link in links[inline:])
        listed = f"<ul>\n{beside}</ul>\n"
        if self.is_scripted(place):
            listed = written(listed, "more")
        return (
            f"<main>\n<article>\n<h1>{card.title}</h1>\n{body}</article>\n</main>\n"
            f"<aside>\n<h3>See also</h3>\n{listed}</aside>\n"
        )

    def is_scripted(self, place: Place) -> bool:
        """A content page whose list of further links is made by a script."""
        return place.kind == CONTENT and self._scripted.unit(place.page) < self.knobs.script_links

    def is_menu_scripted(self, site: int) -> bool:
        return self._menus.unit(site) < self.knobs.script_menus

    def _paragraphs(self, words: list[str], links: list[str]) -> list[str]:
        """Text with the links set into it, evenly; what does not fit stands at the end."""
        found = []
        for start in range(0, len(words), PARAGRAPH):
            part = words[start : start + PARAGRAPH]
            if links:
                part[len(part) // 2 : len(part) // 2] = [links.pop()]
            found.append(f"<p>{' '.join(part)}</p>\n")
        return [*found, f"<p>{' '.join(links)}</p>\n"] if links else found

    def _thin(self, card: Card, links: list[str]) -> str:
        shown = "".join(f"<p>{link}</p>\n" for link in links[:3])
        return f'<main>\n<h1>{card.title}</h1>\n<img src="/logo.gif" alt="">\n{shown}</main>\n'

    def _frameset(self, card: Card, frame: Frame) -> str:
        pages = [self.addresses.card(page).url for page in self.linker.navigation(card.place.site)[1:]]
        frames = "".join(f'<frame src="{url}" name="part{n}">\n' for n, url in enumerate(pages[:4]))
        return (
            f"<html>\n<head>\n<title>{card.title}</title>\n{frame.head}</head>\n"
            f'<frameset cols="20%,*">\n{frames}</frameset>\n</html>\n'
        )

    def _pager(self, place: Place) -> str:
        cards = [self.addresses.card(page) for page in self.linker.pager(place)]
        labels = ("next" if card.place.nth == place.nth + 1 else str(card.place.nth + 1) for card in cards)
        links = (f'<a href="{card.url}">{label}</a>' for card, label in zip(cards, labels, strict=True))
        return f'<div class="pager">{" ".join(links)}</div>\n' if cards else ""

    def _links(self, place: Place) -> list[str]:
        """The page's own links as HTML; in lists each with a few words about its target."""
        pages = self.linker.own(place)
        bits = self._anchors.bits(place.page, len(pages)).tolist()
        cards = [self.addresses.card(page) for page in pages]
        links = [self._link(place, card, number) for card, number in zip(cards, bits, strict=True)]
        doors = self.doors.get(place.topic, []) if place.kind in (HOME, LINKS) else []
        if place.kind not in (INDEX, LINKS):
            return links + doors
        blurbs = (" ".join(self.text.blurb(card.place, BLURB)) for card in cards)
        return [f"<li>{link} <span>{blurb}</span></li>\n" for link, blurb in zip(links, blurbs, strict=True)] + [
            f"<li>{door}</li>\n" for door in doors
        ]

    def _link(self, place: Place, card: Card, bits: int) -> str:
        draw, fate = (bits & 0xFFFF) / 65536.0, ((bits >> 16) & 0xFFFF) / 65536.0
        url = card.url
        if fate < self._astray and place.kind != INDEX:
            url = self._stray(card, fate, bits >> 40)
        if place.site == card.place.site:
            url = url[url.index("/", 8) :]
        elif card.place.site in self.mirrors.host_of:
            url = self.mirrors.linked(card.place.site, url, (bits >> 48) / 65536.0)
        return f'<a href="{url}">{self._anchor(card, draw, bits >> 32)}</a>'

    def _stray(self, card: Card, fate: float, bits: int) -> str:
        """Where a link leads that does not lead to the page itself."""
        knobs = self.knobs
        if fate < knobs.dead:
            return self.addresses.gone(card)
        if fate < knobs.dead + knobs.moved:
            return self.addresses.old(card)
        is_chain = fate < knobs.dead + knobs.moved + knobs.chains
        return self.detours.chain(card, bits) if is_chain else self.detours.loop(card, bits)

    def _anchor(self, card: Card, draw: float, bits: int) -> str:
        if draw < self.knobs.telling_anchors:
            return card.title
        if draw < self.knobs.telling_anchors + self.knobs.half_anchors:
            words = card.title.split()
            return f"more {words[bits % len(words)]}"
        return SAYS_NOTHING[bits % len(SAYS_NOTHING)]

    def _frame(self, site: int) -> Frame:
        named = self.addresses.site(site)
        home, *others = (self.addresses.card(page) for page in self.linker.navigation(site))
        entries = [(card.url, self._label(card)) for card in others] + self._trap_door(site)
        listed = "".join(f'<li><a href="{url}">{label}</a></li>\n' for url, label in entries)
        nav = menu(entries, self._menus.at(site)) if self.is_menu_scripted(site) else f"<ul>\n{listed}</ul>\n"
        top = f'<header>\n<p><a href="{home.url}">{named.name}</a></p>\n<nav>\n{nav}</nav>\n</header>\n'
        partners = (self.addresses.card(page) for page in self.linker.partners(site))
        links = " | ".join(f'<a href="{card.url}">{card.title}</a>' for card in partners)
        foot = f"<footer>\n<p>{links}</p>\n<p>Copyright {named.name}. All rights reserved.</p>\n</footer>\n"
        return Frame(self._style(site, named.name), top, foot)

    def _trap_door(self, site: int) -> list[tuple[str, str]]:
        family = self.traps.of.get(site)
        return [(family.path(0), family.name)] if family else []

    def _style(self, site: int, name: str) -> str:
        """Style and script of a site; a little different on each."""
        bits = self._styles.at(site)
        return self._head.substitute(
            width=48 + bits % 16,
            size=13 + (bits >> 4) % 5,
            font=("Verdana", "Georgia", "Arial")[(bits >> 8) % 3],
            ink=f"{(bits >> 12) & 0x7F7F7F:06x}",
            paper=f"{0xE0E0E0 | (bits >> 36) & 0x1F1F1F:06x}",
            name=name,
        )

    def _label(self, card: Card) -> str:
        """How the navigation calls a page: the folder of a section, the kind of a front page."""
        path = card.url.split("/")
        return path[3].capitalize() if len(path) > 4 else card.place.kind.capitalize()

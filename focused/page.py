"""Page and Link: a response read once, with one parse, one text extraction and one tokenisation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from focused.dom import DomPaths, Element, Found, Marks, Words, apart, unmarked, visible
from focused.html import readable
from focused.urls import canonical, canonical_links

if TYPE_CHECKING:
    from models.model import Floats, Ids, Judgement
    from models.text import Vocabulary

AROUND = 20  # words on either side of an anchor
MAX_WORDS = 100_000
_LOOKED_AT = 20  # link elements looked at for each that may be kept
_MAIN_WORDS = 50  # a <main> with fewer holds no article
# Directives of X-Robots-Tag that have a value: the word before their colon is no agent's name.
_VALUED = frozenset(("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"))


@dataclass(slots=True, eq=False)
class Link:
    """A link of a page; its anchor is `words[start:end]` of the page."""

    url: str
    words: list[str] = field(repr=False)
    start: int
    end: int
    dom_path: str = ""
    kind: str = "a"  # or canonical, refresh, frame
    nofollow: bool = False
    score: float = 0.0
    trail: dict[str, Any] | None = None

    @property
    def anchor(self) -> str:
        return " ".join(self.words[self.start : self.end])

    @property
    def around(self) -> str:
        """The anchor with the words before and after it."""
        return " ".join(self.words[max(0, self.start - AROUND) : self.end + AROUND])


class Revealed(NamedTuple):
    """A link that only a browser finds: where it leads, the text and the DOM path of what leads there."""

    url: str
    text: str
    dom_path: str


def _no_ids() -> Ids:
    return np.zeros(0, np.int32)


@dataclass(slots=True, eq=False)
class Page:
    """A response read once. From `id` on, things are set by the crawl and by those who judge the page."""

    url: str
    status: int = 200
    title: str = ""
    words: list[str] = field(default_factory=list, repr=False)
    terms: Ids = field(default_factory=_no_ids, repr=False)
    main: tuple[int, int] = (0, 0)  # span of the main content in words
    heading: int = 0  # words of the title, which come first, where the main content is without them
    links: list[Link] = field(default_factory=list, repr=False)
    starts: Ids = field(default_factory=_no_ids, repr=False)  # of all links, to score them at once
    ends: Ids = field(default_factory=_no_ids, repr=False)
    canonical: str | None = None  # what the page says its URL is
    noindex: bool = False
    nofollow: bool = False
    truncated: bool = False  # something was left out: size, nesting or words
    dropped_links: int = 0  # beyond max_links
    refused_links: int = 0  # no http(s) URL
    id: int = 0
    site_id: int = 0
    depth: int = 0
    relevance: float = 0.0
    relevant: bool = False
    best_class: str | None = None
    classes: dict[str, float] | None = None
    good: bool | None = None  # see models.model.Judgement
    thin: bool = False
    fault: str = ""
    scores: Floats = field(default_factory=lambda: np.zeros(0), repr=False)
    trail: dict[str, Any] | None = None
    _tree: LexborHTMLParser | None = field(default=None, repr=False)
    _marks: Marks = field(default_factory=Marks, repr=False)
    _visible: str = field(default="", repr=False)
    _text: str | None = field(default=None, repr=False)
    _judged: Ids | None = field(default=None, repr=False)

    def take(self, judgement: Judgement) -> None:
        """The page has been judged."""
        self.relevance, self.relevant = judgement.relevance, judgement.relevant
        self.best_class, self.classes = judgement.best_class, judgement.classes
        self.good, self.thin, self.fault = judgement.good, judgement.thin, judgement.fault

    @property
    def text(self) -> str:
        """The visible text in one line, the title first."""
        if self._text is None:
            self._text = unmarked(self._visible)
        return self._text

    @property
    def main_words(self) -> list[str]:
        return self.words[slice(*self.main)]

    @property
    def judged_terms(self) -> Ids:
        """Of the title and the main content: what a page is judged by; always the same array."""
        if self._judged is None:
            main = self.terms[slice(*self.main)]
            self._judged = np.concatenate([self.terms[: self.heading], main]) if self.heading else main
        return self._judged

    @property
    def tree(self) -> LexborHTMLParser:
        """The parsed page, without the marks that reading left in it."""
        self._marks.remove()
        if self._tree is None:
            self._tree = LexborHTMLParser("")
        return self._tree

    def css(self, selector: str) -> list[LexborNode]:
        """The elements a CSS selector finds, without a second parse."""
        return self.tree.css(selector)

    def texts(self, selector: str) -> list[str]:
        """The text of each of them, in one line."""
        return [" ".join(node.text(separator=" ").split()) for node in self.css(selector)]


class PageReader:
    """Reads responses into pages. Never raises on what the Web sends."""

    def __init__(self, vocabulary: Vocabulary, max_links: int = 1_000, agent: str = "focused") -> None:
        self.vocabulary = vocabulary
        self.max_links = max_links
        self.agent = agent.lower()

    def read(self, url: str, body: bytes, content_type: str = "", status: int = 200, robots_tag: str = "") -> Page:
        html, cut, flat = readable(body, content_type)
        tree = LexborHTMLParser(html)
        found = Found(limit=_LOOKED_AT * self.max_links)
        found.walk(tree)
        page = Page(url, status, found.title, truncated=cut or flat, _tree=tree)
        elements, urls = self._choose(page, found)
        page._marks.set(elements, found)
        page._visible = visible(tree)
        words = Words(page._visible, elements)
        self._fill(page, words)
        paths = [""] * len(elements) if flat else list(map(DomPaths().of, [element[0] for element in elements]))
        page.links = _links(words, elements, urls, paths)
        self._span(page)
        page.noindex, page.nofollow = self._robots(found.robots, robots_tag)
        return page

    def reveal(self, page: Page, links: Iterable[Revealed]) -> None:
        """Add links that were found in a browser. Their words come behind the page's own and are not judged."""
        known = {link.url for link in page.links} | {page.url}
        new: list[str] = []
        for url, text, dom_path in links:
            target = canonical(url)
            if target is None or target in known or len(page.links) >= self.max_links:
                continue
            known.add(target)
            words, start = apart(text).split(), len(page.words)
            page.words += words
            new += words
            page.links.append(Link(target, page.words, start, len(page.words), dom_path))
        page.terms = np.concatenate([page.terms, self.vocabulary.ids(new)])
        self._span(page)

    @staticmethod
    def _span(page: Page) -> None:
        page.starts = np.array([link.start for link in page.links], np.int32)
        page.ends = np.array([link.end for link in page.links], np.int32)

    def _choose(self, page: Page, found: Found) -> tuple[list[Element], list[str]]:
        """The link elements to keep, and their URLs."""
        page.dropped_links = found.unseen
        base = (canonical(found.base, page.url) if found.base else None) or page.url
        itself = canonical(page.url) or page.url
        elements: list[Element] = []
        urls: list[str] = []
        seen: set[str] = set()
        for element, url in zip(found.links, canonical_links([link[1] for link in found.links], base), strict=True):
            if element[2] == "canonical" and page.canonical is None:
                page.canonical = url
            if url is None:
                page.refused_links += 1
            elif url in seen or (len(seen) < self.max_links and url != itself):
                seen.add(url)
                elements.append(element)
                urls.append(url)
            elif url != itself:
                page.dropped_links += 1
        return elements, urls

    def _fill(self, page: Page, found: Words) -> None:
        page.words = words = found.words
        if len(words) > MAX_WORDS:
            del words[MAX_WORDS:]
            page.truncated = True
        page.terms = self.vocabulary.ids(words)
        first, last = found.main if len(found.main) == 2 else (0, 0)
        page.main = (0, len(words))
        if last - first >= _MAIN_WORDS:
            page.main = (first, min(last, len(words)))
            title = apart(page.title).split()
            page.heading = len(title) if words[: len(title)] == title and len(title) <= first else 0

    def _robots(self, metas: list[tuple[str, str]], robots_tag: str) -> tuple[bool, bool]:
        """Whether the page asks not to be kept, and its links not to be followed."""
        rules = {rule.strip().lower() for name, content in metas if self._is_me(name) for rule in content.split(",")}
        agent = "robots"
        for part in robots_tag.lower().split(",") if robots_tag else ():
            name, colon, rule = part.partition(":")
            name = name.strip()
            if colon and name not in _VALUED and " " not in name:  # a date has colons, too
                agent, part = name, rule
            if self._is_me(agent):
                rules.add(part.strip())
        return not rules.isdisjoint(("noindex", "none")), not rules.isdisjoint(("nofollow", "none"))

    def _is_me(self, agent: str) -> bool:
        return agent in ("robots", self.agent)


def _links(found: Words, elements: list[Element], urls: list[str], paths: list[str]) -> list[Link]:
    """One link a URL: where its first anchor with a text is, else a label; followed if any of its elements may be."""
    links: dict[str, Link] = {}
    words, size = found.words, len(found.words)
    replaceable: set[str] = set()
    for number, (url, (_, _, kind, nofollow)) in enumerate(zip(urls, elements, strict=True)):
        start, end = min(found.starts[number], size), min(found.ends[number], size)
        link = links.get(url)
        if link is None:
            links[url] = Link(url, words, start, end, paths[number], kind, nofollow)
            if number in found.labelled:
                replaceable.add(url)
            continue
        link.nofollow = link.nofollow and nofollow
        if url in replaceable and start < end and (link.start == link.end or number not in found.labelled):
            link.start, link.end, link.dom_path = start, end, paths[number]
            if number not in found.labelled:
                replaceable.discard(url)
    return list(links.values())

"""What is taken out of a parsed page: its link elements, its words with a span for each link, DOM paths.

Marks are put around the links before the text is taken out, so one extraction and one tokenisation serve both
(a word ends at every tag: `<b>foo</b>bar` is two words, as `foo<br>bar` is).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_DEPTH = 200  # elements above a link that are climbed
MAX_PATH = 4_000  # characters of a DOM path; a link that is deeper has none
_MAX_LABEL = 50  # words taken from an attribute that stands for an anchor
_MAX_TITLE = 1_000  # characters

# One `:is` is tried once an element, a list of selectors once for each of them.
_WANTED = ":is([href],[role=main],meta,title,main,script,style,noscript,iframe,frame,noframes,noembed)"
_LINKS = {"a": ("a", "href"), "area": ("a", "href"), "frame": ("frame", "src"), "iframe": ("frame", "src")}
_HIDDEN = frozenset(("script", "style", "noscript", "noframes", "noembed", "iframe"))
_HEAD = frozenset(("link", "meta", "base", "title"))
_NO_FOLLOW = frozenset(("nofollow", "ugc", "sponsored"))
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.*))", re.IGNORECASE | re.DOTALL)

# The parser leaves no NUL in a text (the HTML standard has it dropped or replaced), so no page can forge a mark.
_LINK, _END_LINK, _HIDE, _SHOW, _MAIN, _END_MAIN = b"\0a", b"\0b", b"\0c", b"\0d", b"\0e", b"\0f"
_MARK = re.compile("\0[abef]")

_APART = bytes(code if code >= 128 or code == 0 or chr(code).isalnum() else 32 for code in range(256))
_ASCII_APART = {code: " " for code in range(128) if _APART[code] == 32}
_ASCII = bytes(range(128))
_NO_WORD = re.compile(r"[^\w\0]|_")
_FEW_SIGNS = 50


# An element with a link: its node, the href as written, its kind (a, frame, canonical, refresh), nofollow.
Element = tuple[LexborNode, str, str, bool]
# An element's path, tag and number of each of its children, and how many there are of each tag.
_Family = tuple[str | None, dict[int, tuple[str, int]], dict[str, int]]


@dataclass(slots=True)
class Found:
    """What one walk over the tree finds."""

    links: list[Element] = field(default_factory=list)
    hidden: list[LexborNode] = field(default_factory=list)
    mains: list[LexborNode] = field(default_factory=list)
    robots: list[tuple[str, str]] = field(default_factory=list)  # name of a <meta>, its content
    base: str = ""
    title: str = ""
    limit: int = 20_000  # link elements looked at
    unseen: int = 0  # those beyond it

    def walk(self, tree: LexborHTMLParser) -> None:
        for node in tree.css(_WANTED):
            tag = node.tag or ""
            if tag in _LINKS and len(self.links) < self.limit:
                kind, name = _LINKS[tag]
                attributes = node.attributes
                href = attributes.get(name) or attributes.get("xlink:href") or ("" if name in attributes else None)
                if href is not None:
                    rel = attributes.get("rel")
                    nofollow = rel is not None and not _NO_FOLLOW.isdisjoint(rel.lower().split())
                    self.links.append((node, href, kind, nofollow))
            elif tag in _LINKS:
                self.unseen += 1
            elif tag in _HEAD:
                self._head(node, tag)
            elif tag == "main" or (tag not in _HIDDEN and node.attributes.get("role") == "main"):
                self.mains.append(node)
            if tag in _HIDDEN:
                self.hidden.append(node)

    def _head(self, node: LexborNode, tag: str) -> None:
        attributes = {name: value or "" for name, value in node.attributes.items()}
        if tag == "title":
            if not self.title and (node.parent is None or node.parent.tag != "svg"):
                self.title = " ".join(node.text().split())[:_MAX_TITLE]
        elif tag == "base":
            self.base = self.base or attributes.get("href", "")
        elif tag == "link":
            if "canonical" in attributes.get("rel", "").lower().split():
                self.links.append((node, attributes.get("href", ""), "canonical", False))
        elif attributes.get("http-equiv", "").strip().lower() == "refresh":
            found = _REFRESH.match(attributes.get("content", ""))
            self.links += [(node, href, "refresh", False) for href in (found.groups() if found else ()) if href]
        else:
            self.robots.append((attributes.get("name", "").strip().lower(), attributes.get("content", "")))


class Marks:
    """The marks in a tree: set before its text is taken out, removed before anyone else sees the tree."""

    def __init__(self) -> None:
        self.nodes: list[LexborNode] = []

    def set(self, links: list[Element], found: Found) -> None:
        self._around([link[0] for link in links], _LINK, _END_LINK)
        self._around(found.hidden, _HIDE, _SHOW)
        self._around(found.mains, _MAIN, _END_MAIN)

    def _around(self, nodes: list[LexborNode], before: bytes, after: bytes) -> None:
        for node in nodes:
            node.insert_before(before)
            node.insert_after(after)
        self.nodes += nodes

    def remove(self) -> None:
        for node in self.nodes:
            for mark in (node.prev, node.next):  # a node's own marks are always the nearest
                if mark is not None:
                    mark.decompose()
        self.nodes = []


def visible(tree: LexborHTMLParser) -> str:
    """The text of a marked tree without its hidden parts; of links in those the marks are kept, to be counted."""
    first, *pieces = tree.root.text(separator=" ").split("\0") if tree.root is not None else [""]
    kept, depth = [first], 0
    for piece in pieces:
        mark = piece[0]
        if mark == "c":
            depth += 1
        elif mark == "d":
            depth -= 1
            kept[-1] += piece[1:] if depth == 0 else ""
        else:
            kept.append(piece if depth == 0 else mark)
    return "\0".join(kept)


def unmarked(text: str) -> str:
    """The text as a reader sees it, in one line."""
    return " ".join(_MARK.sub(" ", text).split())


def apart(text: str) -> str:
    """The text with a space for everything that is in no word: `.split()` then gives the matches of `[^\\W_]+`.

    Three times as quick as that regular expression; marks are left alone.
    """
    if text.isascii():
        return text.translate(_ASCII_APART)
    data = text.encode()
    signs = [sign for sign in set(data.translate(None, _ASCII).decode()) if not sign.isalnum()]
    text = data.translate(_APART).decode()
    if len(signs) > _FEW_SIGNS:
        return _NO_WORD.sub(" ", text)
    for sign in signs:
        text = text.replace(sign, " ")
    return text


class Words:
    """The words of a marked text, and where in them each link and the main content begin and end."""

    def __init__(self, text: str, links: list[Element]) -> None:
        first, *pieces = apart(text).split("\0")
        self.words = words = first.split()
        self.starts = starts = list[int]()
        self.ends = ends = [0] * len(links)
        self.labelled: set[int] = set()  # links whose words are not their text but stand for it
        self.main: list[int] = []
        opened: list[int] = []  # links may be nested: a table in a link, a link in its cell
        for piece in pieces:
            mark = piece[0]
            if mark == "a":
                opened.append(len(starts))
                starts.append(len(words))
            elif mark == "b":
                link = opened.pop()
                if starts[link] == len(words):
                    words += _label(links[link][0])
                    self.labelled.add(link)
                ends[link] = len(words)
            else:
                self.main.append(len(words))
            words += piece[2:].split()


def _label(node: LexborNode) -> list[str]:
    """The words that stand for the anchor of a link without text."""
    attributes = [image.attributes.get(name) for image in node.css("img") for name in ("alt", "title")]
    attributes += [node.attributes.get(name) for name in ("alt", "title", "aria-label")]
    label = next((value for value in attributes if value and not value.isspace()), "")
    return apart(label[: _MAX_LABEL * 40]).split()[:_MAX_LABEL]


class DomPaths:
    """Paths of elements, like /html/body/div[2]/ul/li[4]/a: an index only among siblings of the same tag."""

    def __init__(self) -> None:
        self._families: dict[int, _Family] = {}

    def of(self, node: LexborNode) -> str:
        """The path, or "" of an element too deep."""
        return self._path(node, 0) or ""

    def _path(self, node: LexborNode, depth: int) -> str | None:
        parent = node.parent
        if parent is None:  # the document
            return ""
        key = parent.mem_id
        family = self._families.get(key)
        if family is None:
            family = self._families[key] = self._family(parent, depth)
        above, children, totals = family
        if above is None:
            return None
        tag, number = children[node.mem_id]
        return f"{above}/{tag}[{number}]" if totals[tag] > 1 else f"{above}/{tag}"

    def _family(self, parent: LexborNode, depth: int) -> _Family:
        children: dict[int, tuple[str, int]] = {}
        totals: dict[str, int] = {}
        for child in parent.iter():
            tag = child.tag or ""
            totals[tag] = number = totals.get(tag, 0) + 1
            children[child.mem_id] = tag, number
        above = self._path(parent, depth + 1) if depth < MAX_DEPTH else None
        return above if above is None or len(above) <= MAX_PATH else None, children, totals

"""One page of the Debian documentation web: its links, and its line with every link spelled as a URL of that web."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from debian_shelf import Place, Shelf
from selectolax.lexbor import LexborHTMLParser, LexborNode
from w3lib.encoding import html_to_unicode

CAP = 80  # pages of a site that are found from its landing page
LINKS = "a[href], area[href], frame[src], iframe[src], meta[http-equiv][content]"
REFRESH = re.compile(r"(?i)^\s*[\d.]*\s*[;,]\s*url\s*=\s*[\"']?([^\"'>]+)")


class Link(NamedTuple):
    node: LexborNode
    attribute: str
    target: Place | None


class Line(NamedTuple):
    page: dict[str, Any]
    across: int  # of its links, those to other sites
    beyond: int  # links to files of the packages that are not pages of the web, because of the cap


def parsed(body: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(html_to_unicode(None, body, auto_detect_fun=_guess)[1])


def _guess(body: bytes) -> str:
    """Of a page that does not say how it is encoded."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def links(tree: LexborHTMLParser, place: Place, shelf: Shelf) -> Iterator[Link]:
    folder = posixpath.dirname(place.path)
    for node in tree.css(LINKS):
        attribute, href = _href(node)
        if href and not href.startswith("#"):
            yield Link(node, attribute, shelf.resolve(folder, href))


def _href(node: LexborNode) -> tuple[str, str]:
    if node.tag == "meta":
        is_refresh = (node.attributes.get("http-equiv") or "").lower() == "refresh"
        found = REFRESH.match(node.attributes.get("content") or "") if is_refresh else None
        return "content", found[1].strip() if found else ""
    attribute = "href" if node.tag in ("a", "area") else "src"
    return attribute, node.attributes.get(attribute) or ""


def walk(shelf: Shelf, package: str) -> tuple[list[Place], set[Place]]:
    """The pages of a site breadth-first from its landing page, and those of other sites that they lead to."""
    start = shelf.landing(package)
    pages = [start] if start else []
    known, others = set(pages), set[Place]()
    for place in pages:  # it grows meanwhile
        for link in links(parsed(shelf.read(place)), place, shelf):
            if link.target is None:
                continue
            if link.target.package != package:
                others.add(link.target)
            elif link.target not in known and len(pages) < CAP:
                known.add(link.target)
                pages.append(link.target)
    return pages, others


def line(shelf: Shelf, place: Place, there: Container[Place]) -> Line:
    """The page as a line of the web; links that lead out of it are no links any more."""
    tree = parsed(shelf.read(place))
    found: dict[tuple[Place, str], dict[str, str]] = {}
    beyond: set[tuple[Place, str]] = set()
    for node, attribute, target in links(tree, place, shelf):
        anchor = " ".join(node.text(separator=" ").split())
        if target is None or target not in there:
            del node.attrs[attribute]
            beyond |= {(target, anchor)} if target else set()
        elif target != place:
            url = shelf.url(target)
            node.attrs[attribute] = f"0; url={url}" if attribute == "content" else url
            found[target, anchor] = {"url": url, "anchor": anchor}
    page = _page(shelf, place, tree) | {"links": list(found.values())}
    return Line(page, sum(target.package != place.package for target, _ in found), len(beyond))


def _page(shelf: Shelf, place: Place, tree: LexborHTMLParser) -> dict[str, Any]:
    site, title = shelf.sites[place.package], tree.css_first("title")
    return {
        "url": shelf.url(place),
        "host": site.base_url.split("/")[2],
        "title": " ".join(title.text().split()) if title else "",
        "html": tree.html or "",
        "labels": site.topics,
        "hub": False,
    }

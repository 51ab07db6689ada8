"""Directory pages: whole lists of example sites, as Web directories publish them (Ester et al. 2004, §5.1; W-05)."""

from __future__ import annotations

import re

from focused.examples.collection import Document, fault_of, read
from focused.page import PageReader
from focused.urls import canonical, homepage_of, site_of
from models.text import Vocabulary

MOST_LINKS = 20_000  # of a directory page: more than of a page that is crawled, because its links are what is wanted
_SAVED = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)")  # how browsers note where a page came from
_NOTED = 2048  # bytes in which they do


def sites_in(document: Document) -> list[str]:
    """The homepages of the foreign sites that a page links to, each once, in the order of the links.

    A page that does not say where it came from has no site of its own: then every link that is written out counts.

    >>> body = b'<a href="http://a.org/x">a</a> <a href="/y">y</a> <a href="https://b.org/">b</a> <a href="http://a.org">'
    >>> sites_in(Document("list.html", "http://directory.org/horses", body))
    ['http://a.org/', 'https://b.org/']
    """
    if fault_of(document.body):
        return []
    page = read(PageReader(Vocabulary(), MOST_LINKS), document)
    own = {site_of(url) for url in (document.url, page.canonical, _saved_from(document.body)) if url}
    first: dict[str, str] = {}
    for link in page.links:
        if link.kind == "a" and site_of(link.url) not in own:
            first.setdefault(site_of(link.url), homepage_of(link.url))
    return list(first.values())


def _saved_from(body: bytes) -> str | None:
    found = _SAVED.search(body[:_NOTED])
    return canonical(found[1].decode("ascii", "replace")) if found else None

"""What is taken in, what is left out, and why."""

from __future__ import annotations

import hashlib
import html
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from focused.page import Page, PageReader
from focused.urls import site_of
from focused.webs.base import is_under
from models.model import OTHER, RELEVANT, Example
from models.text import Vocabulary

MOST_BYTES = 8 * 1024 * 1024  # as of a download
PLAIN = "text/plain"
_LOOKED_AT = 4096  # bytes by which a file is known to be no text
_MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16 and UTF-32, whose zeros are no sign of a binary file
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1b"))


class Document(NamedTuple):
    """A page as bytes."""

    name: str  # what the user called it
    url: str  # empty if nobody knows where it came from
    body: bytes
    content_type: str = ""


class Skipped(NamedTuple):
    """A document that was left out."""

    name: str
    why: str


class Examples:
    """Grows by one document at a time; no text counts twice."""

    def __init__(self, reader: PageReader, good: Iterable[str] = ()) -> None:
        self.good = tuple(good)  # classes that are wanted, besides RELEVANT
        self.pages: list[Example] = []
        self.skipped: list[Skipped] = []
        self.reader = reader
        self._labels: dict[bytes, str] = {}

    @property
    def vocabulary(self) -> Vocabulary:
        return self.reader.vocabulary

    def add(self, document: Document, label: str) -> None:
        """Never raises: what cannot be used is named."""
        if why := fault_of(document.body):
            return self.skip(document.name, why)
        page = read(self.reader, document)
        self.take(page, label, document.url or page.canonical or "", document.name)

    def take(self, page: Page, label: str, url: str, name: str = "") -> None:
        """A page that was read before; `url` may be unknown, its name is not."""
        terms, name = page.judged_terms, name or url
        if not terms.any():
            return self.skip(name, "no text")
        text = hashlib.sha256(terms.tobytes()).digest()
        if known := self._labels.get(text):
            return self.skip(name, "duplicate" if known == label else f"the same text is labelled {known}")
        self._labels[text] = label
        self.pages.append(Example(terms, label, site_of(url) if url else "", url or name))

    def skip(self, name: str, why: str) -> None:
        self.skipped.append(Skipped(name, why))

    def left_out(self, most: int = 3) -> str:
        """The first of what was skipped, and why."""
        named = "; ".join(f"{name}: {why}" for name, why in self.skipped[:most])
        return named + (f"; and {len(self.skipped) - most:,} more" if len(self.skipped) > most else "")

    def is_good(self, label: str) -> bool:
        """Whether a class is wanted, or is below one that is."""
        return label == RELEVANT or any(is_under(label, good) for good in self.good)

    def two_classes(self, pages: Iterable[Example] | None = None) -> list[Example]:
        """All pages, or some of them, with no labels but RELEVANT and OTHER."""
        pages = self.pages if pages is None else pages
        return [replace(page, label=RELEVANT if self.is_good(page.label) else OTHER) for page in pages]

    def sites_of(self, label: str) -> int:
        """How many sites the pages of a label come from; a page of no known site is one of its own."""
        sites = [page.site for page in self.pages if page.label == label]
        return len(set(filter(None, sites))) + sites.count("")

    def counts(self) -> Counter[str]:
        return Counter(page.label for page in self.pages)

    def fingerprint(self) -> str:
        """Of all labels and texts: the same for the same examples in whatever order, in any process."""
        terms = self.vocabulary.terms
        texts = sorted(f"{page.label}\t{page.url}\t{' '.join(terms[i] for i in page.terms)}" for page in self.pages)
        return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()


def read(reader: PageReader, document: Document) -> Page:
    """The page of a document; plain text is no markup, whatever signs are in it."""
    body, kind = document.body, document.content_type
    if kind.startswith(PLAIN):
        body = html.escape(body.decode("utf-8", "replace"), quote=False).encode()
        kind = "text/html; charset=utf-8"
    return reader.read(document.url or "file:///", body, kind)


def fault_of(body: bytes) -> str:
    """Why a body cannot be a page; empty if it can."""
    if not body.strip():
        return "empty"
    if len(body) > MOST_BYTES:
        return f"larger than {MOST_BYTES // 1024**2} MiB"
    head = body[:_LOOKED_AT]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    is_binary = head.startswith(b"%PDF") or (controls > len(head) / 50 and not head.startswith(_MARKS))
    return "binary" if is_binary else ""

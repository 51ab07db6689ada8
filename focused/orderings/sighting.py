"""The links of a page as evidence: what each is called, where it stands, what is written in it and around it.

Names are of five kinds: host, directory (the first one), template (up to three directories with digits as #, the
ending, whether there is a query), path (of tags, without numbers, on the page's host) and the words of the anchor.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.page import AROUND, Page
from focused.urls import site_of
from models.belief import Belief
from models.model import Floats, Ids, PageModel
from models.text import NOTHING, Vocabulary, words_of

WORDS = 6  # of an anchor, the first
KINDS = ("host", "directory", "template", "path", "tokens")
# Columns of values: whether it is on the same host; words of anchor, around, URL; what pages so far say of those of the
# anchor; place among the links.
VALUES = 6
KNOWN = 1 << 13  # addresses and paths that are not taken apart again

_DIGITS = re.compile(r"\d+")
_NUMBERS = re.compile(r"\[\d+\]")
_FIRST = np.arange(WORDS, dtype=np.int32)
_NO_WORDS = np.full(1, NOTHING, np.int32)


class Sighting(NamedTuple):
    """All links of a page, a row each."""

    names: tuple[tuple[str, ...], ...]  # by kind, but words
    tokens: Ids  # the words of its anchor, NOTHING where there are no more
    values: NDArray[np.float32]


class Address(NamedTuple):
    host: str
    directory: str
    template: str
    terms: bytes  # of the words of the last part, as int32: those of many addresses are joined at once


class Addresses(dict[str, Address]):
    """Addresses taken apart, each once as long as there is room.

    >>> Addresses(Vocabulary())["http://a.org/wiki/2007/12/big_wheel.html?y=1"][:3]
    ('a.org', 'a.org/wiki', 'a.org/wiki/#/#.html?')
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def __missing__(self, url: str) -> Address:
        if len(self) >= KNOWN:
            self.clear()
        before, _, tail = url.rpartition("/")
        name, _, query = tail.partition("?")
        stem, _, ending = name.rpartition(".")
        host, directory, folders = _folders(before)
        like = f"{folders}.{ending[:5]}" if stem else folders
        terms = array("i", map(self._vocabulary.__getitem__, words_of(name))).tobytes()
        made = self[url] = Address(host, directory, f"{like}?" if query else like, terms)
        return made


@lru_cache(KNOWN)
def _folders(before: str) -> tuple[str, str, str]:
    """Host, directory and the template's beginning: many addresses have them in common."""
    _, _, host, *folders = before.split("/")
    return host, "/".join((host, *folders[:1])), f"{host}/{_DIGITS.sub('#', '/'.join(folders[:3]))}"


@lru_cache(KNOWN)
def path_of(dom_path: str) -> str:
    """A path of tags without their numbers."""
    return _NUMBERS.sub("", dom_path)


class LinkReader:
    """Reads all links of a page at once."""

    def __init__(self, belief: Belief, model: PageModel) -> None:
        self._belief, self._model = belief, model
        self._addresses = Addresses(belief.vocabulary)

    def read(self, page: Page) -> Sighting:
        own, size = site_of(page.url), len(page.links)
        values = np.empty((size, VALUES), np.float32)
        if not size:
            return Sighting(((),) * 4, np.zeros((0, WORDS), np.int32), values)
        addresses = [self._addresses[link.url] for link in page.links]
        hosts, directories, templates, terms = zip(*addresses, strict=True)
        paths = tuple([own + path_of(link.dom_path) for link in page.links])
        values[:, 0] = [host == own for host in hosts]
        values[:, 1:4] = self._likeness(page, terms).T
        values[:, 4] = self._belief.feedback.spans(page.terms, page.starts, page.ends)
        np.divide(np.arange(size), size, out=values[:, 5])
        return Sighting((hosts, directories, templates, paths), _tokens(page), values)

    def _likeness(self, page: Page, spelled: tuple[bytes, ...]) -> Floats:
        """To the topic: of the anchors, the words around them, the last parts of the addresses; a row each."""
        terms, size = page.terms, len(spelled)
        starts, ends, texts = _spans(page, spelled)
        judged = np.zeros(3 * size)  # nobody judges addresses
        judged[: 2 * size] = self._model.judge_spans(terms, starts[: 2 * size], ends[: 2 * size])
        likeness = _logged(self._belief.likeness(judged, self._belief.spans(texts, starts, ends))).reshape(3, size)
        likeness[0, page.starts >= page.ends] = 0.0
        return likeness


def _spans(page: Page, spelled: tuple[bytes, ...]) -> tuple[Ids, Ids, Ids]:
    """Where anchors, the words around them and addresses begin and end in one text, and this text."""
    size, words = len(spelled), len(page.terms)
    texts = np.concatenate((page.terms, np.frombuffer(b"".join(spelled), np.int32)))
    spans = np.empty((2, 3, size), np.int32)
    starts, ends = spans
    starts[0], ends[0] = page.starts, page.ends
    np.maximum(page.starts - AROUND, 0, out=starts[1])
    np.minimum(page.ends + AROUND, words, out=ends[1])
    bounds = np.array([*accumulate(map(len, spelled), initial=4 * words)]) // 4
    starts[2], ends[2] = bounds[:-1], bounds[1:]
    return starts.reshape(-1), ends.reshape(-1), texts


def _tokens(page: Page) -> Ids:
    """The first words of each anchor, as terms."""
    at = page.starts[:, None] + _FIRST
    words: Ids = (page.terms if len(page.terms) else _NO_WORDS).take(at, mode="clip")
    words *= at < page.ends[:, None]  # what is behind the anchor is NOTHING, which is 0
    return words


def _logged(likeness: Floats) -> Floats:
    logged = np.log((np.maximum(likeness, 0.0) + 0.02) / 0.12)
    return np.minimum(np.maximum(logged, -2.0), 2.0).round(4)

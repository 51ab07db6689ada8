"""The links of a page as evidence: what each is called, where it stands, what is written in it and around it.

Names are of five kinds: host, directory (the first one), template (up to three directories with digits as #, the
ending, whether there is a query), path (of tags, without numbers, on the page's host) and the words of the anchor.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.page import AROUND, Page
from focused.urls import site_of
from models.belief import Belief
from models.model import Floats, PageModel
from models.text import NOTHING, words_of

WORDS = 6  # of an anchor, the first
LINK = np.dtype(
    [
        *((name, "i4") for name in ("host", "directory", "template", "path")),  # which name of the page's, 0: none
        ("tokens", "i4", (WORDS,)),
        *((name, "f4") for name in ("anchor", "around", "url", "same_host", "position")),
        ("page", "u4"),  # the id of the page it leads to, once it has one
    ]
)
KINDS = ("host", "directory", "template", "path", "tokens")
Rows = NDArray[Any]  # of structured arrays

_DIGITS = re.compile(r"\d+")
_NUMBERS = re.compile(r"\[\d+\]")


class Sighting(NamedTuple):
    """All links of a page; the names of a kind begin with an empty one."""

    names: dict[str, list[str]]
    links: Rows

    def only(self, which: NDArray[np.integer], ids: NDArray[np.integer]) -> Sighting:
        """Those of the links that wait, with their page ids."""
        links = self.links[which]
        links["page"] = ids
        return Sighting(self.names, links)


class _Names(defaultdict[str, int]):
    """Numbers names as they come."""

    def __init__(self) -> None:
        super().__init__(None, {"": 0})

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


def sighted(page: Page, belief: Belief, model: PageModel) -> Sighting:
    """Read all links of a page at once."""
    names = {kind: _Names() for kind in KINDS}
    links = np.zeros(len(page.links), LINK)
    if len(links):
        own = site_of(page.url)
        tails = _name(page, own, names, links)
        links["same_host"] = links["host"] == names["host"].get(own, 0)
        links["position"] = np.arange(len(links)) / len(links)
        links["tokens"] = _tokens(page, names["tokens"], belief)
        _read(page, tails, links, belief, model)
    return Sighting({kind: list(found) for kind, found in names.items()}, links)


def _name(page: Page, own: str, names: dict[str, _Names], links: Rows) -> list[str]:
    """Host, directory, template and path of each link; returns the last parts of their addresses."""
    hosts, directories, templates, paths = (names[kind] for kind in KINDS[:4])
    folders: dict[str, tuple[int, int, str]] = {}  # links of a page share them
    rows, tails = [], []
    for link in page.links:
        before, _, tail = link.url.rpartition("/")
        folder = folders.get(before)
        if folder is None:
            host, directory, template = folder_of(before)
            folder = folders[before] = hosts[host], directories[directory], template
        tail, ending = ending_of(tail)
        rows.append((*folder[:2], templates[folder[2] + ending], paths[own + _NUMBERS.sub("", link.dom_path)]))
        tails.append(tail)
    for kind, column in zip(KINDS, zip(*rows, strict=True), strict=False):
        links[kind] = column
    return tails


def folder_of(address: str) -> tuple[str, str, str]:
    """Host, first directory and template of an address up to its last slash.

    >>> folder_of("http://a.org/wiki/2007/12")
    ('a.org', 'a.org/wiki', 'a.org/wiki/#/#')
    """
    _, _, host, *folders = address.split("/")
    return host, "/".join((host, *folders[:1])), f"{host}/{_DIGITS.sub('#', '/'.join(folders[:3]))}"


def ending_of(tail: str) -> tuple[str, str]:
    """The name in the last part of an address, and its part in the template.

    >>> ending_of("x.html?y=1")
    ('x.html', '.html?')
    """
    name, _, query = tail.partition("?")
    stem, _, ending = name.rpartition(".")
    return name, (f".{ending[:5]}" if stem else "") + "?" * bool(query)


def _tokens(page: Page, names: _Names, belief: Belief) -> NDArray[np.int32]:
    """The first words of each anchor, as terms."""
    terms, starts, ends = page.terms, page.starts, page.ends
    ids = np.zeros((len(starts), WORDS), np.int32)
    for at in range(WORDS):
        inside = starts + at < ends
        ids[inside, at] = terms[(starts + at)[inside]]
    known = belief.vocabulary.terms
    distinct, where = np.unique(ids, return_inverse=True)
    numbers = np.array([names[known[term]] for term in distinct.tolist()], np.int32)
    return numbers[where].reshape(ids.shape)


def _read(page: Page, tails: Sequence[str], links: Rows, belief: Belief, model: PageModel) -> None:
    """How like the topic are the anchor, the words around it, the last part of the address."""
    terms, starts, ends = page.terms, page.starts, page.ends
    first, last = np.maximum(starts - AROUND, 0), np.minimum(ends + AROUND, len(terms))
    words = [words_of(tail) for tail in tails]
    stops = np.cumsum([len(found) for found in words])
    begins = stops - [len(found) for found in words]
    spelled = belief.vocabulary.ids([word for found in words for word in found])
    anchor, around = belief.spans(terms, ((starts, ends), (first, last)))
    links["anchor"] = _logged(belief.likeness(model.judge_spans(terms, starts, ends), anchor))
    links["around"] = _logged(belief.likeness(model.judge_spans(terms, first, last), around))
    (of_url,) = belief.spans(spelled, ((begins, stops),))
    links["url"] = _logged(belief.likeness(np.zeros(len(links)), of_url))
    links["anchor"][starts >= ends] = NOTHING


def _logged(likeness: Floats) -> Floats:
    return np.clip(np.log((np.maximum(likeness, 0.0) + 0.02) / 0.12), -2.0, 2.0).round(4)

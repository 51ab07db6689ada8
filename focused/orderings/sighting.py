"""The links of a page as evidence: what each is called, where it stands, what is written in it and around it.

Names are of five kinds: host, directory (the first one), template (up to three directories with digits as #, the
ending, whether there is a query), path (of tags, without numbers, on the page's host) and the words of the anchor.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.page import AROUND, Page
from focused.urls import site_of
from models.belief import Belief
from models.model import Floats, Ids, PageModel
from models.text import NOTHING, words_of

WORDS = 6  # of an anchor, the first
KINDS = ("host", "directory", "template", "path", "tokens")
NUMBERED = (*KINDS[:4], *KINDS[4:] * WORDS)  # columns of numbers, by kind of name
VALUES = 5  # columns of values: whether it is on the same host; words of anchor, around, URL; place among the links
KNOWN = 1 << 13  # addresses and paths that are not taken apart again

_DIGITS = re.compile(r"\d+")
_NUMBERS = re.compile(r"\[\d+\]")


class Sighting(NamedTuple):
    """All links of a page, a row each; the names of a kind begin with an empty one."""

    names: dict[str, list[str]]
    numbers: NDArray[np.int32]  # which names of the page's, 0: none
    values: NDArray[np.float32]
    pages: NDArray[np.uint32]  # the id of the page it leads to, once it has one

    def only(self, which: NDArray[np.integer], ids: NDArray[np.integer]) -> Sighting:
        """Those of the links that wait, with their page ids."""
        return Sighting(self.names, self.numbers[which], self.values[which], ids.astype(np.uint32))


class Address(NamedTuple):
    host: str
    directory: str
    template: str
    words: list[str]  # of the last part


def sighted(page: Page, belief: Belief, model: PageModel) -> Sighting:
    """Read all links of a page at once."""
    size, own = len(page.links), site_of(page.url)
    names: dict[str, list[str]] = {kind: [""] for kind in KINDS}
    numbers = np.zeros((size, len(NUMBERED)), np.int32)
    values = np.zeros((size, VALUES), np.float32)
    if size:
        addresses = [address_of(link.url) for link in page.links]
        numbers[:, :4] = _places(page, addresses, own, names)
        numbers[:, 4:], names["tokens"] = _tokens(page, belief)
        hosts = names["host"]
        values[:, 0] = numbers[:, 0] == (hosts.index(own) if own in hosts else 0)
        values[:, 1:4] = _read(page, addresses, belief, model).T
        values[:, 4] = np.arange(size) / size
    return Sighting(names, numbers, values, np.zeros(size, np.uint32))


def _places(page: Page, addresses: list[Address], own: str, names: dict[str, list[str]]) -> NDArray[np.int32]:
    """The numbers of all names but words, given as they come."""
    known: list[dict[str, int]] = [{"": 0} for _ in range(4)]
    hosts, directories, templates, paths = known
    numbers: list[int] = []
    for link, (host, directory, template, _) in zip(page.links, addresses, strict=True):
        path = own + path_of(link.dom_path)
        numbers += (
            hosts.setdefault(host, len(hosts)),
            directories.setdefault(directory, len(directories)),
            templates.setdefault(template, len(templates)),
            paths.setdefault(path, len(paths)),
        )
    names.update(zip(KINDS, map(list, known), strict=False))
    return np.array(numbers, np.int32).reshape(-1, 4)


@lru_cache(KNOWN)
def address_of(url: str) -> Address:
    """An address taken apart.

    >>> address_of("http://a.org/wiki/2007/12/big_wheel.html?y=1")
    Address(host='a.org', directory='a.org/wiki', template='a.org/wiki/#/#.html?', words=['big', 'wheel', 'html'])
    """
    before, _, tail = url.rpartition("/")
    _, _, host, *folders = before.split("/")
    name, _, query = tail.partition("?")
    stem, _, ending = name.rpartition(".")
    like = (f".{ending[:5]}" if stem else "") + "?" * bool(query)
    template = f"{host}/{_DIGITS.sub('#', '/'.join(folders[:3]))}{like}"
    return Address(host, "/".join((host, *folders[:1])), template, words_of(name))


@lru_cache(KNOWN)
def path_of(dom_path: str) -> str:
    """A path of tags without their numbers."""
    return _NUMBERS.sub("", dom_path)


def _tokens(page: Page, belief: Belief) -> tuple[NDArray[np.int64], list[str]]:
    """The first words of each anchor, as numbers of terms, and these terms."""
    at = page.starts[:, None] + np.arange(WORDS)
    padded = np.concatenate((page.terms, (NOTHING,)))
    ids = np.where(at < page.ends[:, None], padded.take(at, mode="clip"), NOTHING)
    met = sorted({NOTHING, *ids.ravel().tolist()})
    known = belief.vocabulary.terms
    return np.array(met).searchsorted(ids), [known[term] for term in met]


def _read(page: Page, addresses: list[Address], belief: Belief, model: PageModel) -> Floats:
    """How like the topic are the anchors, the words around them, the last parts of the addresses; a row each."""
    terms, size = page.terms, len(addresses)
    starts = np.concatenate([page.starts, np.maximum(page.starts - AROUND, 0)])
    ends = np.concatenate([page.ends, np.minimum(page.ends + AROUND, len(terms))])
    spelled, begins, stops = _spelled(addresses, belief)
    cosines = belief.spans(
        np.concatenate([terms, spelled]),
        np.concatenate([starts, begins + len(terms)]),
        np.concatenate([ends, stops + len(terms)]),
    )
    judged = np.zeros(3 * size)  # nobody judges addresses
    judged[: 2 * size] = model.judge_spans(terms, starts, ends)
    likeness = _logged(belief.likeness(judged, cosines)).reshape(3, size)
    likeness[0, page.starts >= page.ends] = 0.0
    return likeness


def _spelled(addresses: list[Address], belief: Belief) -> tuple[Ids, Ids, Ids]:
    """The words of all addresses as terms, and where those of each begin and end."""
    words = [word for address in addresses for word in address.words]
    sizes = np.array([len(address.words) for address in addresses], np.int32)
    stops = np.cumsum(sizes, dtype=np.int32)
    return belief.vocabulary.ids(words), stops - sizes, stops


def _logged(likeness: Floats) -> Floats:
    logged = np.log((np.maximum(likeness, 0.0) + 0.02) / 0.12)
    return np.minimum(np.maximum(logged, -2.0), 2.0).round(4)

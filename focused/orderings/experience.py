"""What a crawl has learned of the places links come from and lead to, and the features of a link that follow from it.

Harvests are found / tried, each shrunk towards that of the level above: template to directory to host to the whole
crawl. A hub's harvest is that of the links of a page that were fetched (what HITS estimates, measured), its siblings'
harvest that of the links in the same list of it. All but the likenesses are log-odds against the whole crawl's harvest.

After each page some sixty links are looked at: what costs is the number of array operations, not their size. So all
that is counted lies in one table, and the harvests of all levels are computed side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.orderings import evidence as of
from focused.orderings.evidence import Rows
from focused.orderings.sighting import KINDS, NUMBERED, Sighting
from models.counters import NOBODY, Counters
from models.model import Floats
from models.packed import packed, unpacked

# Evidence by name: what weight it is given before anything is learned, and what it is called.
FEATURES = {
    "bias": (-1.0, "any link of this crawl"),
    "page": (0.3, "relevance of the best page that links to it"),
    "parents": (0.4, "relevance of all pages that link to it"),
    "anchor": (0.4, "words of the link"),
    "around": (0.3, "words around the link"),
    "url": (0.1, "words of the address"),
    "tokens": (0.3, "what links with these words led to"),
    "host": (0.4, "harvest of the host"),
    "directory": (0.2, "harvest of the directory"),
    "template": (0.3, "harvest of addresses like this"),
    "path": (0.2, "harvest of links at this place in pages"),
    "hub": (0.4, "harvest of the pages that link to it, as hubs"),
    "best_hub": (0.2, "harvest of the best of these hubs"),
    "siblings": (0.2, "harvest of the links beside it"),
    "ester": (0.2, "host times page (Ester)"),
    "authority": (0.2, "relevant pages that its hubs have led to (HITS)"),
    "inlinks": (0.0, "how many pages link to it"),
    "distance": (0.0, "links since a relevant page"),
    "same_host": (0.0, "on the host of the page"),
    "new_host": (0.0, "first page of a host"),
    "load": (0.0, "pages had from the host"),
    "position": (0.0, "place among the links of the page"),
    "depth": (0.6, "nearness to a seed, in links"),
}
TOGETHER = {"hub": ("best_hub",), "page": ("parents",), "balance": ("new_host", "load")}  # switched off with it
PRIOR = np.array([weight for weight, _ in FEATURES.values()])
HALF = 3.0  # tries that weigh as much as the level above; of words 2
FARTHEST = 3.9
RING, GROUPS = 1 << 14, 1 << 17  # pages and lists of links that are remembered as hubs
STRENGTHS = np.full((of.PLACES, 1), HALF)
STRENGTHS[of.TOKENS] = 2.0
ALIKE = slice(of.PATH, of.HUBS.stop)  # what is shrunk to the whole crawl's harvest
ABOVE, BELOW = slice(of.HOST, of.HUBS.stop), slice(of.DIRECTORY, of.GROUPS.stop)  # the one is shrunk to the other
NAMED = [of.HOST, of.DIRECTORY, of.TEMPLATE, of.PATH, *range(of.TOKENS.start, of.TOKENS.stop)]  # as NUMBERED
KIND = [KINDS.index(kind) for kind in NUMBERED]


class Look(NamedTuple):
    """What there is to say of some links at one time."""

    counts: Floats  # found and tried, by column of places and link
    rows: Rows
    mean: Floats  # the crawl's harvest, by link


class Origin(NamedTuple):
    """The page that links are on."""

    belief: float  # that it is relevant
    distance: float  # links since a relevant page
    depth: int  # links from a seed


class Ring:
    """Places in a table, given to the newest things."""

    def __init__(self, first: int, size: int) -> None:
        self.first, self.size, self.next = first, size, 0

    def take(self, counts: Floats, count: int) -> NDArray[np.int64]:
        """The places of that many new things, with nothing counted."""
        at = self.first + np.arange(self.next, self.next + count) % self.size
        self.next += count
        counts[:, at] = 0.0
        return at

    @property
    def used(self) -> slice:
        return slice(self.first, self.first + min(self.next, self.size))


class Experience:
    """Belongs to one crawl."""

    def __init__(self, used: NDArray[np.bool_]) -> None:
        self._off = np.flatnonzero(~used)  # the features that are switched off
        self.names = Counters(KINDS, reserved=RING + GROUPS)
        self.sources, self.groups = Ring(1, RING - 1), Ring(RING, GROUPS - 1)
        self.pages: NDArray[np.uint32] = np.zeros(RING, np.uint32)  # page id by source
        self.found, self.tried = 1.0, 10.0

    @property
    def mean(self) -> float:
        """The crawl's harvest, in bounds."""
        return min(max(self.found / self.tried, 0.02), 0.5)

    # --- learning -------------------------------------------------------------------------------------------

    def learn(self, row: Rows, relevance: float) -> None:
        """A link, as rows of one, led to a page of that relevance."""
        self.names.count(list(set(row.places[0].tolist())), relevance)
        self.found, self.tried = self.found + relevance, self.tried + 1.0

    def new_source(self, page: int) -> int:
        source = int(self.sources.take(self.names.counts, 1)[0])
        self.pages[source] = page
        return source

    def rows(self, seen: Sighting, origin: Origin, source: int = 0) -> Rows:
        """Rows of the links of one page; without a source nothing is entered."""
        rows = Rows(seen.pages, *Rows.free(len(seen.pages))[1:])
        rows.places[:, NAMED] = self._places(seen, is_new=source > 0)
        if source:
            groups = self.groups.take(self.names.counts, len(seen.names["path"]) - 1)
            rows.places[:, of.HUBS.start] = source
            rows.places[:, of.GROUPS.start] = groups.take(seen.numbers[:, KINDS.index("path")] - 1)  # each has a path
        values, likely = rows.values, min(max(origin.belief, 1e-3), 1.0 - 1e-3)
        values[:, of.LINKS], values[:, of.DISTANCE], values[:, of.BELIEF_SUM] = 1.0, origin.distance, origin.belief
        values[:, of.PAGE_MAX] = values[:, of.PAGE_SUM] = math.log(likely / (1.0 - likely))
        values[:, of.SAME_HOST : of.URL + 1] = seen.values[:, :-1]
        values[:, of.POSITION], values[:, of.DEPTH] = seen.values[:, -1], origin.depth + 1
        return rows

    def _places(self, seen: Sighting, is_new: bool) -> NDArray[np.int64]:
        """Of the names of all links."""
        find = self.names.enter if is_new else self.names.known
        found: list[int] = []
        first = []
        for kind in KINDS:
            first.append(len(found))
            found += [NOBODY, *find(kind, seen.names[kind][1:])]
        places: NDArray[np.int64] = np.array(found)[seen.numbers + np.array(first)[KIND]]
        return places

    def best_hubs(self, most: int) -> list[tuple[int, float, float]]:
        """Pages by the harvest of their links: page id, found, tried."""
        found, tried = self.names.counts[:, :RING]
        order = np.argsort(-self.names.harvest(np.arange(RING), self.mean, HALF), kind="stable")[:most]
        return [(int(self.pages[i]), float(found[i]), float(tried[i])) for i in order if tried[i]]

    # --- features -------------------------------------------------------------------------------------------

    def look(self, rows: Rows) -> Look:
        """At links, to work out their features later."""
        return Look(self.names.counts.take(rows.places.T, axis=1), rows, np.array((self.mean,)))

    def features(self, rows: Rows) -> Floats:
        """One row a link, one column a feature."""
        return self.features_of(self.look(rows))

    def features_of(self, look: Look) -> Floats:
        """The features that links had when they were looked at."""
        (found, tried), rows, mean = look
        values, whole = rows.values.T, np.log(mean / (1.0 - mean))
        columns = np.empty((len(FEATURES), len(rows.pages)))
        columns[0] = 1.0
        columns[3:6] = values[of.ANCHOR : of.URL + 1]
        _of_pages(values, whole, columns[1:3])
        _of_host(values, found, tried, columns[15:])
        shares = _shares(found, tried, mean)
        odds = np.log(shares / (1.0 - shares))
        odds[of.TEMPLATE] -= odds[of.DIRECTORY]
        odds[BELOW] -= odds[ABOVE]
        odds[ALIKE] -= whole
        _of_names(odds, columns[6:11])
        _of_hubs(odds, rows, columns[11:14])
        columns[14] = np.log(shares[of.HOST] * values[of.BELIEF_SUM] / values[of.LINKS] + 1e-3)
        columns[14] -= np.log(mean * mean + 1e-3)
        if len(self._off):
            columns[self._off] = 0.0
        return columns.T

    # --- kill and resume ------------------------------------------------------------------------------------

    def saved(self) -> dict[str, Any]:
        rings = [(ring.next, packed(self.names.counts[:, ring.used])) for ring in (self.sources, self.groups)]
        known = {"names": self.names.saved(), "rings": rings, "pages": packed(self.pages)}
        return {**known, "found": self.found, "tried": self.tried}

    def restore(self, saved: dict[str, Any]) -> None:
        self.names.restore(saved["names"])
        for ring, (taken, counts) in zip((self.sources, self.groups), saved["rings"], strict=True):
            ring.next = taken
            self.names.counts[:, ring.used] = unpacked(counts, np.float64).reshape(2, -1)
        self.pages = unpacked(saved["pages"], np.uint32)
        self.found, self.tried = saved["found"], saved["tried"]


def together(looks: Sequence[Look]) -> Look:
    """Looks at one link each, at different times."""
    counts, rows, means = zip(*looks, strict=True)
    pages, places, values = map(np.concatenate, zip(*rows, strict=True))
    return Look(np.concatenate(counts, axis=2), Rows(pages, places, values), np.concatenate(means))


def _of_pages(values: NDArray[np.float32], whole: Floats, columns: Floats) -> None:
    """Page and parents."""
    odds = np.array((values[of.PAGE_MAX], values[of.PAGE_SUM] / values[of.LINKS]))
    odds -= whole.astype(np.float32)
    columns[:] = _near(odds) / 2


def _of_host(values: NDArray[np.float32], found: Floats, tried: Floats, columns: Floats) -> None:
    """Authority, inlinks, distance, same_host, new_host, load, position, depth."""
    links = values[of.LINKS]
    np.log1p(_sum(found[of.HUBS]), out=columns[0])
    columns[1] = np.log(links)
    columns[2] = values[of.DISTANCE]
    columns[3] = values[of.SAME_HOST] / links
    columns[4] = tried[of.HOST] == 0.0
    np.log1p(tried[of.HOST], out=columns[5])
    columns[6] = values[of.POSITION]
    np.negative(np.log(values[of.DEPTH]), out=columns[7])


def _shares(found: Floats, tried: Floats, mean: Floats) -> Floats:
    """All harvests, each shrunk to the level above it; what is found and tried is used up."""
    tried += STRENGTHS
    found[ALIKE] += STRENGTHS[ALIKE] * mean
    found[ALIKE] /= tried[ALIKE]
    found[BELOW] += HALF * found[ABOVE]
    found[BELOW] /= tried[BELOW]
    found[of.TEMPLATE] += HALF * found[of.DIRECTORY]
    found[of.TEMPLATE] /= tried[of.TEMPLATE]
    return found


def _of_names(odds: Floats, columns: Floats) -> None:
    """Tokens, host, directory, template, path."""
    columns[0] = _sum(odds[of.TOKENS])
    columns[1:] = odds.take((of.HOST, of.DIRECTORY, of.TEMPLATE, of.PATH), axis=0)
    _near(columns)


def _of_hubs(odds: Floats, rows: Rows, columns: Floats) -> None:
    """Hub, best_hub, siblings. Nobody's odds are 0."""
    _near(odds[of.HUBS.start : of.GROUPS.stop])
    count, is_one = np.minimum(rows.values[:, of.LINKS], of.SOURCES), rows.places.T[of.HUBS] > 0
    np.divide(_sum(odds[of.HUBS]), count, out=columns[0])
    np.divide(_sum(odds[of.GROUPS]), count, out=columns[2])
    best = np.maximum.reduce(np.where(is_one, odds[of.HUBS], -FARTHEST))
    np.multiply(best, is_one[0], out=columns[1])  # where the first is nobody, so are the others


def _sum(rows: Floats) -> Floats:
    """Of a few rows: sum(axis=0) at half its price."""
    total: Floats = np.add.reduce(rows)
    return total


def _near(odds: NDArray[Any]) -> NDArray[Any]:
    """Brought into bounds, where they are: np.clip at half its price."""
    np.maximum(odds, -FARTHEST, out=odds)
    np.minimum(odds, FARTHEST, out=odds)
    return odds

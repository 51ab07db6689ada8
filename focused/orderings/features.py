"""The features of links: what is known of them, and what was counted of all that speaks for them.

Harvests are found / tried, each shrunk towards that of the level above: template to directory to host to the whole
crawl. A hub's harvest is that of the links of a page that were fetched (what HITS estimates, measured), its siblings'
harvest that of the links in the same list of it. All but the likenesses are log-odds against the whole crawl's harvest.

What costs is the number of array operations, not their size: the harvests of all levels are computed side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.orderings import evidence as of
from focused.orderings.evidence import Rows
from models.model import Floats

# Evidence by name: what weight it is given before anything is learned, and what it is called.
FEATURES = {
    "bias": (-1.0, "any link of this crawl"),
    "page": (0.3, "relevance of the best page that links to it"),
    "parents": (0.4, "relevance of all pages that link to it"),
    "anchor": (0.4, "words of the link"),
    "around": (0.3, "words around the link"),
    "url": (0.1, "words of the address"),
    "feedback": (0.4, "words of the link, by the pages that had them"),
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


class Shrunk(NamedTuple):
    """Where in the columns of what is counted everything stands; a link that is new has no hubs yet."""

    strengths: Floats
    alike: slice  # what is shrunk to the whole crawl's harvest
    hubs: slice
    above: slice  # what is shrunk to one of these ...
    below: slice  # ... is this
    directory: int
    groups: slice

    @classmethod
    def of(cls, sources: int) -> Shrunk:
        hubs = slice(of.HUBS.start, of.HUBS.start + sources)
        groups = slice(hubs.stop + 1, hubs.stop + 1 + sources)
        strengths = np.full((groups.stop + 1, 1), HALF)
        strengths[of.TOKENS] = 2.0
        alike, above, below = slice(0, hubs.stop), slice(of.HOST, hubs.stop), slice(hubs.stop, groups.stop)
        return cls(strengths, alike, hubs, above, below, hubs.stop, groups)


KNOWN, NEW = Shrunk.of(of.SOURCES), Shrunk.of(0)
TEMPLATE = -1  # stands last


class Look(NamedTuple):
    """What there is to say of some links at one time."""

    counts: Floats  # by column of places and link: found and tried
    rows: Rows
    mean: Floats  # the crawl's harvest, by link


def together(looks: Sequence[Look]) -> Look:
    """Looks at one link each, at different times."""
    counts, rows, means = zip(*looks, strict=True)
    table = np.concatenate([row.table for row in rows])
    return Look(np.concatenate(counts, axis=1), Rows(table), np.concatenate(means))


def features_of(look: Look) -> Floats:
    """The features that links had when they were looked at, a column a link; what was counted is used up."""
    (found, tried), rows, mean = np.ascontiguousarray(look.counts.transpose(2, 0, 1)), look.rows, look.mean
    values, whole = rows.values.T, np.log(mean / (1.0 - mean))
    at = KNOWN if len(found) == of.PLACES else NEW
    columns = np.empty((len(FEATURES), len(rows)))
    columns[0] = 1.0
    columns[3:7] = values[of.ANCHOR : of.FEEDBACK + 1]
    _of_pages(values, whole, columns[1:3])
    _of_host(values, found, tried, columns[16:])
    shares = _shares(found, tried, mean, at)
    odds = np.log(shares / (1.0 - shares))
    odds[TEMPLATE] -= odds[at.directory]
    odds[at.below] -= odds[at.above]
    odds[at.alike] -= whole
    _of_names(odds, columns[7:12], at)
    _of_hubs(odds, rows, columns[12:15], at)
    columns[15] = np.log(shares[of.HOST] * values[of.BELIEF_SUM] / values[of.LINKS] + 1e-3)
    columns[15] -= np.log(mean * mean + 1e-3)
    return columns


def _of_pages(values: NDArray[np.float32], whole: Floats, columns: Floats) -> None:
    """Page and parents."""
    odds = np.array((values[of.PAGE_MAX], values[of.PAGE_SUM] / values[of.LINKS]))
    odds -= whole.astype(np.float32)
    columns[:] = _near(odds) / 2


def _of_host(values: NDArray[np.float32], found: Floats, tried: Floats, columns: Floats) -> None:
    """Authority, inlinks, distance, same_host, new_host, load, position, depth."""
    links = values[of.LINKS]
    if len(found) == of.PLACES:
        np.log1p(_sum(found[of.HUBS]), out=columns[0])
    else:
        columns[0] = 0.0
    columns[1] = np.log(links)
    columns[2] = values[of.DISTANCE]
    columns[3] = values[of.SAME_HOST] / links
    columns[4] = tried[of.HOST] == 0.0
    np.log1p(tried[of.HOST], out=columns[5])
    columns[6] = values[of.POSITION]
    np.negative(np.log(values[of.DEPTH]), out=columns[7])


def _shares(found: Floats, tried: Floats, mean: Floats, at: Shrunk) -> Floats:
    """All harvests, each shrunk to the level above it."""
    tried += at.strengths
    found[at.alike] += at.strengths[at.alike] * mean
    found[at.alike] /= tried[at.alike]
    found[at.below] += HALF * found[at.above]
    found[at.below] /= tried[at.below]
    found[TEMPLATE] += HALF * found[at.directory]
    found[TEMPLATE] /= tried[TEMPLATE]
    return found


def _of_names(odds: Floats, columns: Floats, at: Shrunk) -> None:
    """Tokens, host, directory, template, path."""
    columns[0] = _sum(odds[of.TOKENS])
    odds.take((of.HOST, at.directory, len(odds) - 1, of.PATH), axis=0, out=columns[1:])
    _near(columns)


def _of_hubs(odds: Floats, rows: Rows, columns: Floats, at: Shrunk) -> None:
    """Hub, best_hub, siblings. Nobody's odds are 0."""
    if at is NEW:
        columns[:] = 0.0
        return
    _near(odds[at.hubs.start : at.groups.stop])
    count, is_one = np.minimum(rows.values[:, of.LINKS], of.SOURCES), rows.places.T[of.HUBS] > 0
    np.divide(_sum(odds[at.hubs]), count, out=columns[0])
    np.divide(_sum(odds[at.groups]), count, out=columns[2])
    best = np.maximum.reduce(np.where(is_one, odds[at.hubs], -FARTHEST))
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

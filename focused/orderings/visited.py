"""What a page brought to a crawl that learns, as it is learned from and as it is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focused.orderings import evidence as of
from focused.orderings.evidence import WIDTH, Rows
from focused.orderings.sighting import Sighting
from models.belief import Seen
from models.packed import packed, unpacked

_VALUES = 1 + of.PLACES  # the columns of a row that are kept; the others follow from the page, or come later
_KEPT = np.array(
    [
        *range(1 + of.HUBS.start),
        *(1 + of.DIRECTORY, 1 + of.TEMPLATE),
        *(_VALUES + column for column in (*range(of.SAME_HOST, of.FEEDBACK + 1), of.POSITION)),
    ]
)


class Visited(NamedTuple):
    """What a page brought: all that is learned from it."""

    page: int
    is_seed: bool
    depth: int  # links from a seed
    belief: float
    seen: Seen
    rows: Rows  # of its links; once they have become pages, of those that wait
    new: dict[str, list[str]]  # names that nobody bore before, by kind


def rows_of(size: int, belief: float, depth: int) -> Rows:
    """Rows of the links of a page of that depth, believed relevant so far, with what they have in common."""
    alike, likely = Rows(np.zeros((1, WIDTH), np.int32)), min(max(belief, 1e-3), 1.0 - 1e-3)
    values, odds = alike.values[0], math.log(likely / (1.0 - likely))
    values[of.LINKS], values[of.BELIEF_SUM], values[of.DEPTH] = 1.0, belief, depth + 1
    values[of.PAGE_MAX] = values[of.PAGE_SUM] = odds
    return Rows(alike.table.repeat(size, axis=0))


def fill(rows: Rows, places: NDArray[np.integer], sighting: Sighting) -> None:
    """What each of the links has for itself."""
    rows.places[:, : of.HUBS.start] = places[: of.HUBS.start].T
    rows.places[:, of.DIRECTORY], rows.places[:, of.TEMPLATE] = places[of.HUBS.start :]
    rows.values[:, of.SAME_HOST : of.FEEDBACK + 1] = sighting.values[:, :-1]
    rows.values[:, of.POSITION] = sighting.values[:, -1]


def written(visited: Visited, terms: Sequence[str]) -> dict[str, Any]:
    """As JSON; terms are named, for their numbers are those of one process."""
    seen = visited.seen
    return {
        **{"page": visited.page, "seed": visited.is_seed, "depth": visited.depth, "belief": visited.belief},
        **{"judged": seen.judged, "likeness": seen.likeness},
        **{"terms": [terms[term] for term in seen.terms.tolist()], "weights": packed(seen.weights)},
        **{"new": visited.new, "links": packed(visited.rows.table.take(_KEPT, axis=1))},
    }


def read(entry: dict[str, Any], id_of: Callable[[str], int]) -> Visited:
    ids = np.array([id_of(term) for term in entry["terms"]], np.int32)
    seen = Seen(ids, unpacked(entry["weights"], np.float64), entry["judged"], entry["likeness"])
    links = unpacked(entry["links"], np.int32).reshape(-1, len(_KEPT))
    rows = rows_of(len(links), entry["belief"], entry["depth"])
    rows.table[:, _KEPT] = links
    return Visited(entry["page"], entry["seed"], entry["depth"], entry["belief"], seen, rows, entry["new"])

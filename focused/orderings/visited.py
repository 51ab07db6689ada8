"""What a page brought to a crawl that learns, as it is learned from and as it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from focused.orderings.sighting import LINK, Sighting
from models.belief import Seen
from models.packed import packed, unpacked


class Visited(NamedTuple):
    """What a page brought: all that is learned from it."""

    page: int
    is_seed: bool
    belief: float
    seen: Seen
    sighting: Sighting


def written(visited: Visited, terms: Sequence[str]) -> dict[str, Any]:
    """As JSON; terms are named, for their numbers are those of one process."""
    seen, sighting = visited.seen, visited.sighting
    return {
        **{"page": visited.page, "seed": visited.is_seed, "belief": visited.belief, "likeness": seen.likeness},
        **{"terms": [terms[term] for term in seen.terms.tolist()], "weights": packed(seen.weights)},
        **{"names": sighting.names, "links": packed(sighting.links)},
    }


def read(entry: dict[str, Any], id_of: Callable[[str], int]) -> Visited:
    ids = np.array([id_of(term) for term in entry["terms"]], np.int32)
    seen = Seen(ids, unpacked(entry["weights"], np.float64), entry["likeness"])
    sighting = Sighting(entry["names"], unpacked(entry["links"], LINK))
    return Visited(entry["page"], entry["seed"], entry["belief"], seen, sighting)

"""What a page brought to a crawl that learns, as it is learned from and as it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from focused.orderings.sighting import NUMBERED, VALUES, Sighting
from models.belief import Seen
from models.packed import packed, unpacked


class Visited(NamedTuple):
    """What a page brought: all that is learned from it."""

    page: int
    is_seed: bool
    depth: int  # links from a seed
    belief: float
    seen: Seen
    sighting: Sighting


def written(visited: Visited, terms: Sequence[str]) -> dict[str, Any]:
    """As JSON; terms are named, for their numbers are those of one process."""
    seen, (names, numbers, values, pages) = visited.seen, visited.sighting
    return {
        **{"page": visited.page, "seed": visited.is_seed, "depth": visited.depth, "belief": visited.belief},
        **{"judged": seen.judged, "likeness": seen.likeness},
        **{"terms": [terms[term] for term in seen.terms.tolist()], "weights": packed(seen.weights)},
        **{"names": names, "numbers": packed(numbers), "values": packed(values), "pages": packed(pages)},
    }


def read(entry: dict[str, Any], id_of: Callable[[str], int]) -> Visited:
    ids = np.array([id_of(term) for term in entry["terms"]], np.int32)
    seen = Seen(ids, unpacked(entry["weights"], np.float64), entry["judged"], entry["likeness"])
    numbers = unpacked(entry["numbers"], np.int32).reshape(-1, len(NUMBERED))
    values = unpacked(entry["values"], np.float32).reshape(-1, VALUES)
    sighting = Sighting(entry["names"], numbers, values, unpacked(entry["pages"], np.uint32))
    return Visited(entry["page"], entry["seed"], entry["depth"], entry["belief"], seen, sighting)

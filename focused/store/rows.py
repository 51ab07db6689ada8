"""What goes into the store and what comes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WAITING, LEASED, DONE, GIVEN_UP, AGAIN = range(5)  # AGAIN: done, and leased for another look


_NO_IDS: NDArray[np.int64] = np.empty(0, np.int64)


class Lease(NamedTuple):
    """A waiting link, taken to be fetched."""

    id: int
    url: str
    site_id: int
    token: int
    score: float
    depth: int
    hops: int
    tries: int
    trail: str | None
    request: str | None


class Kept(NamedTuple):
    """What is known of a page that is looked at again."""

    visit: int
    fetched_at: float
    relevance: float
    relevant: bool
    hash: int
    etag: str | None
    last_modified: str | None


class Look(NamedTuple):
    """How another look at a page ended."""

    at: float
    was_answered: bool = True
    is_changed: bool = False
    outcome: str | None = None  # None: as it was


class NewPage(NamedTuple):
    """A link found for the first time; the columns of its row."""

    id: int
    url: str
    site_id: int
    score: float
    depth: int
    parent_id: int | None
    hops: int
    trail: str | None
    request: str | None


Raised = tuple[float, int | None, int, str | None, int]  # score, parent, depth, trail, page


class Abroad(NamedTuple):
    """A link to a site that is another worker's, or nobody's: its owner will see whether it is new."""

    site_id: int
    key: int
    url: str
    score: float
    depth: int
    source_id: int | None
    hops: int
    trail: str | None
    request: str | None
    anchor: str
    dom_path: str


class Found(NamedTuple):
    """All that one page brought to light: new pages, better scores of known ones, edges."""

    new: list[NewPage]
    keys: NDArray[np.int64]  # of the new ones
    raised: list[Raised]
    edges: list[tuple[int, int, str, str, float]]  # source, target, anchor, DOM path, score
    links: Sequence[Any] = ()  # what became of the links: those that are followed,
    ids: NDArray[np.int64] = _NO_IDS  # and the pages they lead to
    abroad: Sequence[Abroad] = ()  # links to sites that are not this worker's


NOTHING_FOUND = Found([], _NO_IDS, [], [])


class Fetched(NamedTuple):
    """How a visit ended; the columns that the page's row gets."""

    state: int
    outcome: str
    visit: int | None = None
    fetched_at: float | None = None
    status: int | None = None
    relevance: float | None = None
    relevant: bool | None = None
    best_class: str | None = None
    title: str | None = None
    hash: int | None = None
    warc_offset: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    not_before: float | None = None


@dataclass(slots=True)
class Site:
    """One site as the crawl sees it; written back with each of its pages."""

    id: int
    host: str
    state: str = "open"
    why: str | None = None
    pages: int = 0
    relevant: int = 0
    relevance: float = 0.0
    errors: int = 0
    delay: float | None = None
    next_ok_at: float = 0.0
    posterior: float | None = None  # of the site being relevant, where sites are judged
    mean_confidence: float | None = None
    budget: int | None = None  # pages it may still cost
    granted: int = 0  # pages had and pages in flight; not stored
    is_ours: bool = True  # this worker asks it, and no other; not stored


class Snapshot(NamedTuple):
    """What the crawl keeps in memory, as arrays: how a run begins, and how sites come to a worker later."""

    ids: NDArray[np.int64]  # of the pages, ascending
    keys: NDArray[np.int64]
    sites: NDArray[np.uint32]
    scores: NDArray[np.float64]  # NaN: not waiting
    not_before: dict[int, float]  # of the retries
    records: list[Site]
    meta: dict[str, Any]
    memory: dict[str, str]
    links: dict[int, int] = {}  # of waiting links whose scores are means over several: over how many


class Colleague(NamedTuple):
    """Another worker, and what its ordering last said of itself."""

    is_alive: bool
    said: Any

"""The external frontier — Ester, Kriegel, Schubert 2004, §4.2 (W-17, W-18): sites that were linked to, not examined.

    rank(V) = mean weight of the edges to V

The largest rank comes first, then the site that more sites link to, then the one found first.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

TIDY = 1024  # a heap of no more entries is not worth tidying


class Place(NamedTuple):
    """A site on the border, by its homepage."""

    home: int  # page id; pages are numbered in order of discovery
    total: float = 0.0  # of the weights of the edges to it
    edges: int = 0

    @property
    def rank(self) -> float:
        return self.total / self.edges if self.edges else 0.0


Entry = tuple[float, int, int, int]  # -rank, -edges, homepage, site: the smallest comes first


@dataclass
class Border:
    """Sites by number. Those without edges are known, but nobody has said yet what the link to them is worth."""

    places: dict[int, Place] = field(default_factory=dict)
    examined: set[int] = field(default_factory=set)
    _heap: list[Entry] = field(default_factory=list, repr=False, compare=False)  # may hold entries that are outdated
    _changed: set[int] = field(default_factory=set, repr=False, compare=False)

    def meet(self, site: int, home: int) -> bool:
        """A link to a site was found; whether the site is still to be examined."""
        if site in self.examined:
            return False
        if site not in self.places:
            self._put(site, Place(home))
        return True

    def publish(self, site: int, weight: float) -> Place | None:
        """One more site links to it, with this weight; None: it is examined already, or another worker's."""
        if site in self.examined or site not in self.places:
            return None
        home, total, edges = self.places[site]
        place = Place(home, total + weight, edges + 1)
        self._put(site, place)
        heappush(self._heap, _entry(site, place))
        if len(self._heap) > max(TIDY, 4 * len(self.places)):
            self._tidy()
        return place

    def pop(self) -> int | None:
        """The best site with edges; it stays known until it is examined."""
        while self._heap:
            entry = heappop(self._heap)
            place = self.places.get(entry[3])
            if place is not None and _entry(entry[3], place) == entry:
                return entry[3]
        return None

    def push_back(self, site: int) -> None:
        """A popped site could not be begun now."""
        heappush(self._heap, _entry(site, self.places[site]))

    def examine(self, site: int) -> Place | None:
        """The site is being examined from now on, and never again; what was known of it."""
        self.examined.add(site)
        self._changed.add(site)
        return self.places.pop(site, None)

    def state(self) -> dict[str, Any]:
        parts = {f"site:{site}": list(self.places.get(site, ())) for site in sorted(self._changed)}
        self._changed.clear()
        return parts

    def restore(self, parts: dict[str, Any]) -> None:
        for name, value in parts.items():
            kind, _, site = name.partition(":")
            if kind == "site" and value:
                self.places[int(site)] = Place(*value)
            elif kind == "site":
                self.examined.add(int(site))
        self._tidy()

    def leave(self, site: int) -> None:
        """It is another worker's."""
        self.places.pop(site, None)
        self.examined.discard(site)
        self._changed.discard(site)

    def _put(self, site: int, place: Place) -> None:
        self.places[site] = place
        self._changed.add(site)

    def _tidy(self) -> None:
        self._heap = [_entry(site, place) for site, place in self.places.items() if place.edges]
        heapify(self._heap)


@dataclass
class Counts:
    """Finished sites, and the efficiency of the crawl by windows of pages (W-19, W-20)."""

    screened: int = 0
    relevant: int = 0
    likely: int = 0  # whose pages alone, without the prior, spoke for the topic
    begun: int = 0
    pages: int = 0  # of the present window
    found: int = 0  # relevant sites of the present window
    best: float | None = None  # pages per relevant site in the best window
    has_collapsed: bool = False

    def add(self, pages: int, is_relevant: bool, window: int, factor: float) -> None:
        """A site is finished. A5: the paper stops when pprs falls, but it is the rise that is bad."""
        self.screened, self.relevant = self.screened + 1, self.relevant + is_relevant
        self.pages, self.found = self.pages + pages, self.found + is_relevant
        if self.pages < window:
            return
        if self.found:
            self.best = min(self.best or self.pages, self.pages / self.found)
        self.has_collapsed = bool(factor and self.best) and self.pages > factor * (self.best or 0.0) * self.found
        self.pages = self.found = 0

    def state(self) -> list[Any]:
        return list(astuple(self))


def _entry(site: int, place: Place) -> Entry:
    return (-place.rank, -place.edges, place.home, site)

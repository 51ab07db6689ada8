"""The external frontier — Ester, Kriegel, Schubert 2004, §4.2 (W-17, W-18): sites that were linked to, not examined.

    rank(V) = mean weight of the edges to V

The largest rank comes first, then the site that more sites link to, then the one found first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from focused.page import Link, Page
from focused.urls import homepage_of, site_of

UNPUBLISHED = -1.0  # score of a homepage as long as the site that links to it is under way
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

    def knows(self, site: int) -> bool:
        """Whether its place is here; else it is another worker's."""
        return site in self.places or site in self.examined

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
        """By site: its place, nothing of one that is examined."""
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


def _entry(site: int, place: Place) -> Entry:
    return (-place.rank, -place.edges, place.home, site)


def is_examined(part: Any) -> bool:
    """Whether that is what the border of another worker says of a site."""
    return isinstance(part, list) and not part


def homepages(page: Page) -> list[Link]:
    """Of the sites a page links to, each once, with the first anchor that leads there (W-03)."""
    first: dict[str, Link] = {}
    for link in page.links:
        if not link.nofollow:
            first.setdefault(site_of(link.url), link)
    first.pop(site_of(page.url), None)
    return [
        Link(homepage_of(link.url), link.words, link.start, link.end, link.dom_path, link.kind, score=UNPUBLISHED)
        for link in first.values()
    ]

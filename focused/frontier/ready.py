"""ReadySites: the sites a link may be taken from now, best link first, and those that have to rest before.

A site is ready when it is open, has fewer requests in flight than allowed, has rested, and has links waiting.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush, heapreplace
from math import inf

import numpy as np
import numpy.typing as npt

from focused.frontier.waiting import NOTHING, PAGE, Keys, Waiting

TIDY = 1024  # a heap of no more entries is not worth tidying


class Site:
    """One site: its waiting links, and whether it may be asked for one."""

    __slots__ = ("in_flight", "is_open", "listed", "number", "ready_at", "resting", "waiting")

    def __init__(self, number: int, keys: Keys) -> None:
        self.number = number
        self.waiting = Waiting(keys)
        self.is_open = True
        self.in_flight = 0
        self.ready_at = -inf
        self.resting = False  # it is in the heap of resting sites
        self.listed = NOTHING  # its first entry in the heap of ready sites: that of its best link, or a better one


class ReadySites:
    """All sites by number, a heap of the ready ones and a heap of the resting ones.

    What no longer holds is left in the heaps and found out when it comes up.
    """

    def __init__(self, keys: Keys, site_by_page: npt.NDArray[np.uint32], per_site: int) -> None:
        self.sites: dict[int, Site] = {}
        self._keys = keys
        self._site_by_page = site_by_page
        self._per_site = per_site
        self._ready: list[int] = []  # entries of waiting links, see focused/frontier/waiting.py
        self._ready_limit = TIDY
        self._resting: list[tuple[float, int]] = []  # (ready at, site number), one for a site
        self._now = -inf

    @property
    def nbytes(self) -> int:
        """Bytes, estimated."""
        sites = sum(200 + site.waiting.nbytes for site in self.sites.values())
        return sites + 56 * len(self._ready) + 100 * len(self._resting)

    def site(self, number: int) -> Site:
        """The site of this number, made when it is first asked for."""
        found = self.sites.get(number)
        if found is None:
            found = self.sites[number] = Site(number, self._keys)
        return found

    def of_page(self, page: int) -> Site:
        """The site of a page."""
        return self.sites[self._site_by_page.item(page)]

    def is_free(self, site: Site) -> bool:
        """Whether the site is open and may have one more request in flight."""
        return site.is_open and site.in_flight < self._per_site

    def ready_at(self, number: int) -> float:
        """When the site may be asked, open or closed; inf: not before one of its requests has ended."""
        site = self.site(number)
        return site.ready_at if site.in_flight < self._per_site else inf

    def offer(self, site: Site) -> None:
        """See to it that the site comes up: among the ready sites, or once it has rested."""
        if site.resting or not site.waiting.count or not self.is_free(site):
            return
        if site.ready_at > self._now:
            site.resting = True
            heappush(self._resting, (site.ready_at, site.number))
            return
        bound = site.waiting.bound()
        if bound < site.listed:
            site.listed = bound
            heappush(self._ready, bound)
            if len(self._ready) > self._ready_limit:
                self._tidy()

    def idle(self) -> list[int]:
        """Open sites with links waiting and no request in flight."""
        sites = self.sites.values()
        return [site.number for site in sites if site.is_open and site.waiting.count and not site.in_flight]

    def wake(self, now: float) -> None:
        """It is `now`: offer the sites that have rested."""
        self._now = now
        while self._resting and self._resting[0][0] <= now:
            site = self.sites[heappop(self._resting)[1]]
            site.resting = False
            self.offer(site)

    def head(self) -> int:
        """The entry of the best link of the ready sites, NOTHING if there is none."""
        while self._ready:
            entry = self._ready[0]
            site = self.of_page(entry & PAGE)
            if self.is_free(site) and site.ready_at <= self._now and site.waiting.first() == entry:
                return entry
            self.pop()
            self.offer(site)
        return NOTHING

    def pop(self) -> None:
        """Take the first entry off the heap of ready sites."""
        entry = heappop(self._ready)
        site = self.of_page(entry & PAGE)
        if site.listed == entry:
            site.listed = NOTHING

    def best(self, n: int) -> list[int]:
        """The entries of the n best links of the ready sites, best first."""
        found: list[int] = []
        front: list[tuple[int, int, int]] = []  # the next entry of each site met, the site, the entry's place there
        links: dict[int, list[int]] = {}
        while len(found) < n:
            head = self.head()
            if front and front[0][0] <= head:
                entry, number, place = heappop(front)
                found.append(entry)
                place += 1
            elif head == NOTHING:
                break
            else:
                self.pop()
                number, place = self.of_page(head & PAGE).number, 0
                if number in links:
                    continue
                links[number] = [head]
            if place == len(links[number]):
                links[number] = self.sites[number].waiting.best(2 * place)
            if place < len(links[number]):
                heappush(front, (links[number][place], number, place))
        for number in links:
            self.offer(self.sites[number])
        return found

    def near(self, pages: npt.NDArray[np.int64], keys: Keys) -> list[int]:
        """Which of these pages, with these keys, are near the front of their sites."""
        rows = zip(pages.tolist(), self._site_by_page[pages].tolist(), keys.tolist(), strict=True)
        sites = self.sites
        return [at for at, (page, site, key) in enumerate(rows) if (key << 32 | page) <= sites[site].waiting.cutoff]

    def rested_next(self) -> float:
        """When the next of the resting sites will be ready, inf if none will."""
        while self._resting:
            at, number = self._resting[0]
            site = self.sites[number]
            if not self.is_free(site) or not site.waiting.count:
                heappop(self._resting)
                site.resting = False
            elif site.ready_at > at:
                heapreplace(self._resting, (site.ready_at, number))
            else:
                return at
        return inf

    def _tidy(self) -> None:
        """The ready heap without entries that better ones of the same site have made needless."""
        self._ready = [site.listed for site in self.sites.values() if site.listed != NOTHING]
        heapify(self._ready)
        self._ready_limit = max(TIDY, 4 * len(self._ready))

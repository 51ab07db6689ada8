"""Frontier: sites, and the links waiting on each, best first among the sites that are ready.

The frontier does no I/O and has no clock: `now` and all times are seconds of one clock of the caller's.
Page ids and site numbers are below 2**32; a page never changes its site.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import Literal

import numpy as np
import numpy.typing as npt

from focused.frontier.ready import ReadySites, Site
from focused.frontier.waiting import HIGHEST, NOT_WAITING, NOTHING, PAGE, Keys, by_site, keys_of, scores_of

# Page ids there is address space for at the start. Zeros nobody wrote to cost no memory, while growing an array may
# stop the crawl: the system has to move it when something lies behind it.
PAGES = 1 << 26
BLOCK = 1 << 20  # links loaded at a time, which bounds the scratch memory

Place = Literal["waiting", "closed", "delayed", "in_flight", "away"]


class Frontier:
    """Every waiting link of the crawl. A higher score is fetched sooner; of equal scores the lower page id."""

    def __init__(self, per_site: int = 1) -> None:
        self._keys: Keys = np.zeros(PAGES, np.uint64)  # by page id, see focused/frontier/waiting.py
        self._site: npt.NDArray[np.uint32] = np.zeros(PAGES, np.uint32)  # by page id
        self._pages = 0  # page ids in use
        self._turns = ReadySites(self._keys, self._site, per_site)
        self._delayed: dict[int, tuple[float, float]] = {}  # page id → not before, score
        self._due: list[tuple[float, int]] = []  # not before, page id: the same, sorted
        self._count = self._sites_waiting = 0

    def __len__(self) -> int:
        return self._count

    @property
    def sites_waiting(self) -> int:
        """How many open sites have links waiting."""
        return self._sites_waiting

    @property
    def delayed(self) -> int:
        """How many links wait for their own time before they wait for their turn."""
        return len(self._delayed)

    @property
    def nbytes(self) -> int:
        """Bytes in use, estimated where Python objects are concerned."""
        return 12 * self._pages + 300 * len(self._due) + self._turns.nbytes

    def push(self, ids: npt.ArrayLike, sites: npt.ArrayLike, scores: npt.ArrayLike) -> None:
        """Let links wait, new ones or returned ones: page ids, their sites, their scores."""
        pages = np.asarray(ids, np.int64)
        if not len(pages):
            return
        numbers, listed = np.asarray(sites, np.int64), pages.tolist()
        self._grow(max(listed) + 1)
        self._site[pages] = numbers
        for page in self._delayed.keys() & set(listed) if self._delayed else ():
            self._undelay(page)
        self._put(listed, numbers.tolist(), keys_of(scores).tolist())

    def rescore(self, ids: npt.ArrayLike, scores: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Change the scores of waiting links; says which ones. Not of seeds: whatever is found, they come first."""
        pages, keys = np.asarray(ids, np.int64), keys_of(scores)
        old = self._keys_of_pages(pages)
        changed: npt.NDArray[np.bool_] = (old != NOT_WAITING) & (old != HIGHEST)
        pages, keys = pages[changed], keys[changed]
        near = self._turns.near(pages, np.minimum(keys, old[changed]))
        self._put(pages[near].tolist(), self._site[pages[near]].tolist(), keys[near].tolist())
        self._keys[pages] = keys  # of those that were and stay far behind it is all there is to write
        return changed

    def score_of(self, ids: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The scores of pages, NaN for one that does not wait."""
        return scores_of(self._keys_of_pages(np.asarray(ids, np.int64)))

    def pick(self, now: float) -> int | None:
        """Take the best link of the ready sites: its site has one more request in flight."""
        self._wake(now)
        entry = self._turns.head()
        if entry == NOTHING:
            return None
        self._turns.pop()
        self._start(self._turns.of_page(entry & PAGE), entry & PAGE)
        return entry & PAGE

    def best(self, now: float, n: int) -> list[int]:
        """The n best links of the ready sites, best first; they stay where they are."""
        self._wake(now)
        return [entry & PAGE for entry in self._turns.best(n)]

    def best_score(self, now: float) -> float:
        """The score of the best link of the ready sites, -inf if there is none."""
        self._wake(now)
        entry = self._turns.head()
        return -np.inf if entry == NOTHING else float(scores_of(self._keys[entry & PAGE : (entry & PAGE) + 1])[0])

    def pick_from(self, site: int, now: float) -> int | None:
        """Take the best link of this site, if the site is ready."""
        self._wake(now)
        state = self._turns.site(site)
        if state.ready_at > now or not self._turns.is_free(state) or not state.waiting.count:
            return None
        page = state.waiting.first() & PAGE
        self._start(state, page)
        return page

    def take(self, page_id: int, now: float) -> bool:
        """Take this very link, if it waits and its site is ready."""
        self._wake(now)
        if not self._waits(page_id):
            return False
        site = self._turns.of_page(page_id)
        if site.ready_at > now or not self._turns.is_free(site):
            return False
        self._start(site, page_id)
        return True

    def release(self, site: int, ready_at: float) -> None:
        """One request of the site has ended; the site rests until `ready_at`, or longer if it had to."""
        state = self._turns.site(site)
        state.in_flight = max(0, state.in_flight - 1)
        self.rest(site, ready_at)

    def rest(self, site: int, ready_at: float) -> None:
        """Ask nothing of the site before `ready_at`, or longer if it had to rest longer."""
        state = self._turns.site(site)
        state.ready_at = max(state.ready_at, ready_at)
        self._turns.offer(state)

    def ready_at(self, site: int) -> float:
        """When, by the passing of time alone, the site may be asked; inf while it has enough requests in flight."""
        return self._turns.ready_at(site)

    def start(self, site: int) -> None:
        """A request of the site begins for a page that does not wait: one that is looked at again."""
        self._turns.site(site).in_flight += 1

    def close_site(self, site: int) -> None:
        """Give nothing of the site until it is opened again; its links stay and are not counted."""
        state = self._turns.site(site)
        self._recount(state, state.waiting.count, 0)
        state.is_open = False

    def open_site(self, site: int) -> None:
        """Undo close_site."""
        state = self._turns.site(site)
        if not state.is_open:
            state.is_open = True
            self._recount(state, 0, state.waiting.count)
            self._turns.offer(state)

    def delay(self, page_id: int, site: int, score: float, not_before: float) -> None:
        """Let a link wait by itself, for a retry, and for its turn once `not_before` has come."""
        self.drop([page_id])
        self._grow(page_id + 1)
        self._site[page_id] = self._turns.site(site).number
        self._delayed[page_id] = (not_before, score)
        insort(self._due, (not_before, page_id))

    def drop(self, ids: npt.ArrayLike) -> None:
        """Forget links, waiting or delayed."""
        for page in np.asarray(ids, np.int64).tolist():
            if page in self._delayed:
                self._undelay(page)
            elif self._waits(page):
                self._remove(self._turns.of_page(page), page)

    def leave(self, site: int) -> None:
        """Forget all links of a site."""
        self.drop(self._turns.site(site).waiting.pages())
        self.drop([page for page in self._delayed if self._site.item(page) == site])

    def idle_sites(self) -> list[int]:
        """Open sites with links waiting and no request in flight."""
        return self._turns.idle()

    def next_ready(self, now: float) -> float | None:
        """When, by the passing of time alone, pick may next give a link that it cannot give now."""
        self._wake(now)
        soonest = self._turns.rested_next()
        for not_before, page in self._due:
            if not_before >= soonest:
                break
            site = self._turns.of_page(page)
            if self._turns.is_free(site):
                soonest = min(soonest, max(not_before, site.ready_at))
        return soonest if soonest < np.inf else None

    def site_of(self, page_id: int) -> int:
        """The site of a page, 0 for a page never heard of."""
        return self._site.item(page_id) if page_id < self._pages else 0

    def place_of(self, page_id: int) -> Place:
        """Where a link is; "closed": it waits on a closed site; "in_flight": if at all, for its site has requests."""
        if page_id in self._delayed:
            return "delayed"
        site = self._turns.sites.get(self.site_of(page_id))
        if site is None:
            return "away"
        if self._waits(page_id):
            return "waiting" if site.is_open else "closed"
        return "in_flight" if site.in_flight else "away"

    def waiting_on(self, site: int) -> int:
        """How many links wait on a site, open or closed."""
        return self._turns.site(site).waiting.count

    def in_flight(self, site: int) -> int:
        """How many requests of a site are in flight."""
        return self._turns.site(site).in_flight

    def know(self, ids: npt.NDArray[np.int64], sites: npt.NDArray[np.uint32]) -> None:
        """The sites of pages, whether they wait or not; the ids ascend."""
        if len(ids):
            self._grow(int(ids[-1]) + 1)
            self._site[ids] = sites

    def load(self, ids: npt.ArrayLike, sites: npt.ArrayLike, scores: npt.ArrayLike) -> None:
        """Push millions of links, each given once and none waiting already; best all in one call."""
        pages, numbers, values = np.asarray(ids, np.uint32), np.asarray(sites), np.asarray(scores)
        if not len(pages):
            return
        self._grow(int(pages.max()) + 1)
        for at in range(0, len(pages), BLOCK):
            self._keys[pages[at : at + BLOCK]] = keys_of(values[at : at + BLOCK])
        self._site[pages] = numbers
        links = numbers.astype(np.uint64)
        links <<= 32
        links |= pages
        links.sort()
        start = 0
        while start < len(links):
            last = links[min(start + BLOCK, len(links)) - 1]
            stop = int(links.searchsorted(last | np.uint64(PAGE), side="right"))
            self._load_sites(links[start:stop])
            start = stop

    def _load_sites(self, links: Keys) -> None:
        """Load all links of some sites: the site in the upper half, the page id in the lower, sorted."""
        for number, best, pages in by_site(links, self._keys):
            site = self._turns.site(number)
            before = site.waiting.count
            site.waiting.load(pages, best)
            self._recount(site, before, site.waiting.count)
            self._turns.offer(site)

    def _grow(self, pages: int) -> None:
        self._pages = max(self._pages, pages)
        if pages >= len(self._keys):  # in place: everybody has the same array, and one page is always left free
            self._keys.resize(pages + pages // 8 + 1, refcheck=False)
            self._site.resize(pages + pages // 8 + 1, refcheck=False)

    def _keys_of_pages(self, pages: npt.NDArray[np.int64]) -> Keys:
        return self._keys[np.minimum(pages, self._pages)]

    def _waits(self, page: int) -> bool:
        return page < self._pages and self._keys.item(page) != NOT_WAITING

    def _put(self, pages: list[int], numbers: list[int], keys: list[int]) -> None:
        sites, offer = self._turns.sites, self._turns.offer
        for page, number, key in zip(pages, numbers, keys, strict=True):
            site = sites.get(number) or self._turns.site(number)
            before = site.waiting.count
            site.waiting.put(page, key)
            if site.waiting.count > before:
                self._recount(site, before, before + 1)
            if not before or (key << 32 | page) < site.listed:
                offer(site)

    def _remove(self, site: Site, page: int) -> None:
        site.waiting.remove(page)
        self._recount(site, site.waiting.count + 1, site.waiting.count)

    def _recount(self, site: Site, before: int, after: int) -> None:
        if site.is_open:
            self._count += after - before
            self._sites_waiting += (after > 0) - (before > 0)

    def _start(self, site: Site, page: int) -> None:
        self._remove(site, page)
        site.in_flight += 1
        self._turns.offer(site)

    def _wake(self, now: float) -> None:
        """It is `now`: sites that have rested come up, and links whose time has come wait for their turn."""
        self._turns.wake(now)
        if self._due and self._due[0][0] <= now:
            due = [page for _, page in self._due[: bisect_right(self._due, (now, PAGE))]]
            self.push(due, self._site[due], [self._delayed[page][1] for page in due])

    def _undelay(self, page: int) -> None:
        not_before, _ = self._delayed.pop(page)
        del self._due[bisect_left(self._due, (not_before, page))]

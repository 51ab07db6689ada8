"""From the links of a page to pages of the crawl: the seen test, new ids, the sites they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from focused.frontier import Frontier, Seen
from focused.page import Link
from focused.store.interface import CrawlStore
from focused.store.rows import NOTHING_FOUND, Abroad, Found, NewPage, Raised, Site, Snapshot
from focused.urls import key_of, site_of
from models.model import Floats


class Source(NamedTuple):
    """Where links were found, and how far from a seed they are."""

    page_id: int | None
    depth: int  # of the links
    hops: int = 0


class Asked(NamedTuple):
    """A request of a spider, or a seed: one link with things of its own."""

    url: str
    key: int
    stored: str | None = None  # JSON of what a plain GET does not say
    bonus: float = 0.0  # the spider's own wish, added to the score


Combine = Callable[[Floats, Floats], Floats]  # how two scores of one link become one: the ordering's rule


class Discovery:
    """Owns the seen test and the table of sites; both begin with what the store knows."""

    def __init__(self, store: CrawlStore, frontier: Frontier) -> None:
        self.store = store
        self.frontier = frontier
        self.seen = Seen()
        self._sites: dict[int, Site] = {}
        self._site_ids: dict[str, int] = {}

    def load(self, snapshot: Snapshot) -> None:
        """Pages and sites that are in the store; a site that comes back brings pages that are known."""
        is_new = self.seen.find(snapshot.keys) < 0 if len(self._sites) else np.ones(len(snapshot.ids), np.bool_)
        self.seen.load(snapshot.keys[is_new], snapshot.ids[is_new])
        for site in snapshot.records:
            self._sites[site.id], self._site_ids[site.host] = site, site.id

    def site(self, site_id: int) -> Site:
        return self._sites[site_id]

    def site_id_of(self, url: str) -> int:
        host = site_of(url)
        known = self._site_ids.get(host)
        if known is None:
            self._meet([host])
            known = self._site_ids[host]
        return known

    def _meet(self, hosts: Sequence[str]) -> None:
        """Hosts that were never heard of here become sites."""
        for site in self.store.enter_sites(hosts):
            self._sites[site.id], self._site_ids[site.host] = site, site.id

    def of_page(self, links: Sequence[Link], scores: Floats, source: Source, combine: Combine) -> Found:
        """The links of a page that are to be followed (their score is a number), all at once."""
        if np.isnan(scores).any():
            keep = np.flatnonzero(~np.isnan(scores)).tolist()
            links, scores = [links[i] for i in keep], scores[keep]
        abroad: list[Abroad] = []
        if self.store.team is not None:
            links, scores, abroad = self._ours(links, scores, source)
        keys = np.fromiter((key_of(link.url) for link in links), np.int64, len(links))
        ids = self.seen.find(keys)
        is_new = ids < 0
        known = ~is_new
        raised = self._raised(ids[known], scores[known], source, combine)
        if raised:
            raised = _with_trails(raised, links, ids)
        ids[is_new] = self.store.reserve(int(is_new.sum()))
        rows = zip(ids.tolist(), links, scores.tolist(), is_new.tolist(), strict=True)
        new = [self._new_page(page_id, link, score, source) for page_id, link, score, fresh in rows if fresh]
        edges = self._edges(links, ids, scores, source)
        return self._entered(Found(new, keys[is_new], raised, edges, links, ids, abroad))

    def _ours(
        self, links: Sequence[Link], scores: Floats, source: Source
    ) -> tuple[Sequence[Link], Floats, list[Abroad]]:
        """Links to sites of this worker, and those to others'."""
        hosts = [site_of(link.url) for link in links]
        if unknown := [host for host in dict.fromkeys(hosts) if host not in self._site_ids]:
            self._meet(unknown)
        sites = [self._sites[self._site_ids[host]] for host in hosts]
        if all(site.is_ours for site in sites):
            return links, scores, []
        keep = [at for at, site in enumerate(sites) if site.is_ours]
        rows = zip(links, scores.tolist(), sites, strict=True)
        abroad = [
            Abroad(
                site.id, key_of(link.url), link.url, score, source.depth, source.page_id, source.hops, _trail(link),
                None, link.anchor, link.dom_path,
            )
            for link, score, site in rows if not site.is_ours
        ]  # fmt: skip
        return [links[at] for at in keep], scores[keep], abroad

    def of_others(self, link: Abroad, combine: Combine) -> Found:
        """A link to one of our sites that another worker has found."""
        source = Source(link.source_id, link.depth, link.hops)
        found = self.of_request(Asked(link.url, link.key, link.request), link.score, source, link.trail, combine)
        edges = [
            (source_id, target, link.anchor, link.dom_path, score) for source_id, target, _, _, score in found.edges
        ]
        return found._replace(edges=edges)

    def of_request(
        self, asked: Asked, score: float, source: Source, trail: str | None = None, combine: Combine = np.maximum
    ) -> Found:
        """One request of a spider, or a seed, or the target of a redirect."""
        keys = np.array([asked.key], np.int64)
        site_id = self.site_id_of(asked.url)
        if not self._sites[site_id].is_ours:
            where = (score, source.depth, source.page_id, source.hops)
            return NOTHING_FOUND._replace(
                abroad=[Abroad(site_id, asked.key, asked.url, *where, trail, asked.stored, "", "")]
            )
        known = int(self.seen.find(keys)[0])
        page_id = known if known > 0 else int(self.store.reserve(1)[0])
        edges = [(source.page_id, page_id, "", "", score)] if source.page_id else []
        if known > 0:
            raised = self._raised(np.array([known]), np.array([score]), source, combine)
            return Found([], keys[:0], raised, edges, ids=np.array([known]))
        page = NewPage(
            page_id, asked.url, site_id, score, source.depth, source.page_id, source.hops, trail, asked.stored
        )
        return self._entered(Found([page], keys, [], edges, ids=np.array([page_id])))

    def _new_page(self, page_id: int, link: Link, score: float, source: Source) -> NewPage:
        trail = _trail(link)
        site_id = self.site_id_of(link.url)
        return NewPage(page_id, link.url, site_id, score, source.depth, source.page_id, source.hops, trail, None)

    def _raised(self, ids: NDArray[np.int64], scores: Floats, source: Source, combine: Combine) -> list[Raised]:
        old = self.frontier.score_of(ids)
        waiting = ~np.isnan(old)
        if not waiting.any():
            return []
        ids, old = ids[waiting], old[waiting]
        combined = combine(old, scores[waiting])
        changed = combined != old
        if not changed.any():
            return []
        ids, combined = ids[changed], combined[changed]
        rescored = self.frontier.rescore(ids, combined)
        pairs = zip(combined[rescored].tolist(), ids[rescored].tolist(), strict=True)
        return [(score, source.page_id, source.depth, None, page_id) for score, page_id in pairs]

    @staticmethod
    def _edges(
        links: Sequence[Link], ids: NDArray[np.int64], scores: Floats, source: Source
    ) -> list[tuple[int, int, str, str, float]]:
        if source.page_id is None:
            return []
        page_id = source.page_id
        return [
            (page_id, target, link.anchor, link.dom_path, score)
            for link, target, score in zip(links, ids.tolist(), scores.tolist(), strict=True)
        ]

    def _entered(self, found: Found) -> Found:
        """New pages are seen from now on and wait in the frontier."""
        if found.new:
            ids = np.fromiter((page.id for page in found.new), np.int64, len(found.new))
            self.seen.add(found.keys, ids)
            self.frontier.push(ids, [page.site_id for page in found.new], [page.score for page in found.new])
        return found


def _trail(link: Link) -> str | None:
    return orjson.dumps(link.trail).decode() if link.trail else None


def _with_trails(raised: list[Raised], links: Sequence[Link], ids: NDArray[np.int64]) -> list[Raised]:
    """A link that got a new score is reached by another path: it takes over what that path remembers."""
    trails = {page_id: _trail(link) for page_id, link in zip(ids.tolist(), links, strict=True) if link.trail}
    if not trails:
        return raised
    return [(*row[:3], trails.get(row[4]), row[4]) for row in raised]

"""What a run keeps in memory: waiting links in order, the seen test, sites, counters. Rebuilt from the store."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from focused.budget import SiteBudget, made
from focused.discovery import Discovery
from focused.frontier import Frontier
from focused.options import Options
from focused.orderings.base import Ordering, Revision
from focused.outcomes import LONGEST_WAIT
from focused.page import Page
from focused.progress import Progress
from focused.renders import Renders
from focused.store.interface import CrawlStore
from focused.store.rows import Found, Kept, Site, Snapshot
from focused.visit import Visit

logger = logging.getLogger(__name__)


class State:
    """Follows the store, page by page; the store is the truth."""

    def __init__(self, options: Options, store: CrawlStore, ordering: Ordering) -> None:
        self.options = options
        self.store = store
        self.ordering = ordering
        self.budget = ordering.budget() or made(options.site_budget, ordering.around.model)
        self.renders = Renders(options.render_budget)
        self.frontier = Frontier(options.per_site)
        self.progress = Progress(*store.counts(), max_pages=options.max_pages)
        self.in_flight: dict[int, Visit] = {}
        self.discovery = Discovery(store, self.frontier)
        snapshot = store.load()
        self._draw_again(snapshot)
        parts = self._parts_of(snapshot)
        for name, owner in self._owners.items():
            owner.restore(parts[name])
        self.answers: dict[str, Any] = parts["search"]  # of search engines
        self.accepted: Callable[[Page], None] | None = None  # told of every new relevant page before it is committed
        self._load(snapshot)
        topic = ordering.around.topic
        self.progress.alarms.good = topic.taxonomy.get("good") or [topic.sim.get("topic", "")]
        self.progress.alarms.load(store.verdicts(), self.progress.counts)

    def adopt(self, snapshot: Snapshot) -> None:
        """Sites that come from another worker."""
        if self.ordering.needs_graph:
            self.ordering.around.graph.enter(snapshot.ids, snapshot.sites)
        parts = self._parts_of(snapshot)
        for name, owner in self._owners.items():
            owner.adopt(parts[name])
        self._load(snapshot)
        waiting = snapshot.ids[~np.isnan(snapshot.scores)]
        links = np.ones(len(waiting), np.int64)
        links[np.searchsorted(waiting, [*snapshot.links])] = [*snapshot.links.values()]
        self.ordering.counted(waiting, links)

    def leave(self, site_id: int) -> None:
        """A site that goes to another worker."""
        site = self.site(site_id)
        site.is_ours = False
        self.progress.sites -= site.pages > 0
        self.progress.relevant_sites -= site.relevant > 0
        self.frontier.leave(site_id)
        for owner in self._owners.values():
            owner.leave(site_id)
        self._count_waiting()

    def _load(self, snapshot: Snapshot) -> None:
        self.discovery.load(snapshot)
        self._load_links(snapshot)
        self._load_sites(snapshot)
        self._count_waiting()

    def _draw_again(self, snapshot: Snapshot) -> None:
        """The graph, if the ordering looks at it."""
        if self.ordering.needs_graph and len(snapshot.sites):
            self._draw(*(self.store.team.pages() if self.store.team else (snapshot.ids, snapshot.sites)))

    def _draw(self, ids: NDArray[np.int64], sites: NDArray[Any]) -> None:
        graph = self.ordering.around.graph
        graph.enter(ids, sites)
        for sources, targets in self.store.links():
            graph.extend(sources, targets)
        for page_id, relevance in self.store.relevances():
            graph.judge(page_id, relevance)

    def _parts_of(self, snapshot: Snapshot) -> dict[str, dict[str, Any]]:
        """What everybody said they must not forget."""
        parts: dict[str, dict[str, Any]] = {owner: {} for owner in (*self._owners, "search")}
        for name, value in snapshot.memory.items():
            owner, _, part = name.partition(".")
            parts[owner][part] = orjson.loads(value)
        return parts

    @property
    def _owners(self) -> dict[str, Ordering | SiteBudget | Renders]:
        """Who remembers, under which name."""
        return {"ordering": self.ordering, "budget": self.budget, "render": self.renders}

    def keep_answer(self, name: str, value: Any) -> None:
        """What a search engine said, or how far the search is, becomes part of the commit."""
        self.answers[name] = value
        self.store.remember({f"search.{name}": _json(value)})

    def sown(self, seeds: list[str]) -> list[str]:
        """Those that no earlier run has asked for: a seed that was tried then is not put first again."""
        known = set(orjson.loads(self.store.meta().get("seeds") or "[]"))
        self.store.note(seeds=orjson.dumps(sorted(known.union(seeds))).decode())
        return [url for url in seeds if url not in known]

    def remember(self) -> None:
        """What must not be forgotten becomes part of the commit."""
        for name, owner in self._owners.items():
            if parts := owner.state():
                self.store.remember({f"{name}.{part}": _json(value) for part, value in parts.items()})

        if team := self.store.team:  # what the others are told of this worker
            self._count_waiting()
            team.me.busy = self.progress.waiting + self.progress.in_flight
            team.me.waiting = self.frontier.sites_waiting

    def follow(self) -> None:
        """After a commit: pages of other workers count, too."""
        if self.store.team and (totals := self.store.team.totals):
            self.progress.pages, self.progress.relevant, self.progress.failed = totals

    def draw(self, found: Found, is_again: bool) -> None:
        """New pages and links enter the graph, if anybody looks at it; those of a page seen before if it lacks them."""
        if self.ordering.needs_graph:
            graph = self.ordering.around.graph
            graph.enter([page.id for page in found.new], [page.site_id for page in found.new])
            if found.edges:
                source, targets = found.edges[0][0], [edge[1] for edge in found.edges]
                known = graph.targets[graph.sources == source] if is_again else ()
                graph.add(source, np.setdiff1d(targets, known) if is_again else targets)

    def keep(self, revision: Revision) -> None:
        """What a revision found out, besides new scores."""
        if hubs := revision.hubs:
            rows = zip(hubs.ids.tolist(), hubs.hub.tolist(), hubs.authority.tolist(), strict=True)
            self.store.save_hubs(rows, self.progress.pages, hubs.is_whole)
        for kind, detail in revision.events:
            self.store.log(time.time(), kind, detail)

    def _load_links(self, snapshot: Snapshot) -> None:
        self.frontier.know(snapshot.ids, snapshot.sites)
        at = np.flatnonzero(~np.isnan(snapshot.scores))
        self.frontier.load(snapshot.ids[at], snapshot.sites[at], snapshot.scores[at])
        now, wall = time.monotonic(), time.time()
        for page_id, not_before in snapshot.not_before.items():
            self.frontier.drop([page_id])
            place = int(np.searchsorted(snapshot.ids, page_id))
            score, site_id = float(snapshot.scores[place]), int(snapshot.sites[place])
            self.frontier.delay(page_id, site_id, score, now + min(max(0.0, not_before - wall), LONGEST_WAIT))

    def _load_sites(self, snapshot: Snapshot) -> None:
        now, wall = time.monotonic(), time.time()
        for site in snapshot.records:
            site.granted = site.pages
            if site.next_ok_at > wall:
                self.frontier.rest(site.id, now + min(site.next_ok_at - wall, LONGEST_WAIT))
            self._open_or_close(site)
            self.progress.sites += site.pages > 0
            self.progress.relevant_sites += site.relevant > 0

    def site(self, site_id: int) -> Site:
        return self.discovery.site(site_id)

    def delay_of(self, site_id: int) -> float:
        """Seconds between two requests to a site."""
        return max(self.options.delay, self.site(site_id).delay or 0.0)

    # --- a visit begins and ends ----------------------------------------------------------------------

    def begin(self, visit: Visit) -> None:
        self.in_flight[visit.id] = visit
        site = self.site(visit.site_id)
        if visit.kept is None:  # a page costs its site once, however often it is looked at
            self.budget.spend(site)
            if self.budget.is_spent(site):
                self.frontier.close_site(site.id)
        self._count_waiting()

    def is_open(self, visit: Visit) -> bool:
        """A visit ends once, whoever says so first."""
        return self.in_flight.get(visit.id) is visit

    def end(self, visit: Visit, had_page: bool, rest: float = 0.0) -> None:
        """The site rests; whether it may be asked again is settled; its row is written."""
        del self.in_flight[visit.id]
        visit.exchange = None
        site = self.site(visit.site_id)
        if had_page:
            if visit.kept is None:
                self._count_page(site, visit.page)
            else:
                self._recount_page(site, visit.kept, visit.page)
            if self.ordering.needs_graph:  # what is no page counts as one of relevance 0, as in the store
                self.ordering.around.graph.judge(visit.id, visit.page.relevance if visit.page else 0.0)
        elif visit.kept is None:
            self.budget.refund(site)
        now = time.monotonic()
        answered = visit.answered or now
        ready_at = max(now, answered + rest, (visit.heard or answered) + self.delay_of(site.id))
        site.next_ok_at = time.time() + ready_at - now
        self.frontier.release(site.id, ready_at)
        self._open_or_close(site)
        site.budget = self.budget.left(site)
        self.store.save_site(site)
        self._count_waiting()
        for kind, meaning in self.progress.alarms.begun(self.progress.counts):
            self.store.log(time.time(), kind, meaning)

    def _open_or_close(self, site: Site) -> None:
        why = self.budget.why_closed(site)
        if why and site.state == "open":
            self.store.log(time.time(), "site_closed", f"{site.host}: {why}")
        site.state, site.why = ("closed", why) if why else ("open", None)
        if why or self.budget.is_spent(site):
            self.frontier.close_site(site.id)
        else:
            self.frontier.open_site(site.id)

    def _count_page(self, site: Site, page: Page | None) -> None:
        progress, relevant = self.progress, page is not None and page.relevant
        site.pages, site.errors = site.pages + 1, 0
        progress.sites += site.pages == 1
        progress.pages += 1
        progress.recent.append(int(relevant))
        progress.alarms.see(relevant, page.best_class if page is not None else None)
        if page is not None:
            site.relevance += page.relevance
            self.budget.learn(site, page)
            self._count_fault(page)
        if page is not None and relevant:
            site.relevant += 1
            progress.relevant += 1
            progress.relevant_sites += site.relevant == 1
            progress.last_titles.append(page.title)
            if self.accepted is not None:
                self.accepted(page)

    def _count_fault(self, page: Page) -> None:
        """A model that fails is told of once in a run: a validator of one's own may fail on every page."""
        if page.fault and not self.progress.not_judged:
            self.store.log(time.time(), "not_judged", f"{page.url}: {page.fault}")
            logger.warning("%s could not be judged and counts as not relevant: %s", page.url, page.fault)
        self.progress.not_judged += bool(page.fault)

    def _recount_page(self, site: Site, kept: Kept, page: Page | None) -> None:
        """A page that changed takes its own place; it is not one more."""
        relevance, relevant = (page.relevance, page.relevant) if page is not None else (0.0, False)
        gained = int(relevant) - int(kept.relevant)
        site.errors = 0
        site.relevance += relevance - kept.relevance
        self.progress.relevant_sites += int(site.relevant + gained > 0) - int(site.relevant > 0)
        site.relevant += gained
        self.progress.relevant += gained

    def _count_waiting(self) -> None:
        self.progress.waiting = len(self.frontier) + self.frontier.delayed
        self.progress.in_flight = len(self.in_flight)


def _json(value: object) -> str | None:
    return None if value is None else orjson.dumps(value).decode()

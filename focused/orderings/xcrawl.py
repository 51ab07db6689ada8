"""xCrawl — Shchekotykhin, Jannach, Friedrich: all pages of some sites that a validator accepts.

    authorities = seeds, or what a search engine has, as far as the validator accepts them     (focused/search)
    for each site of an authority:
        walk from authority to authority along the heaviest links, and look for hubs on the way
        until no new hub was found for so many walks; then fetch all that the hubs list        (sitewalk.py)

The validator says yes or no and nothing else: `page.relevant` is all that is looked at. Several sites are searched at
the same time, each with one request; the one that has cost least comes next.

Differs: sites begin as soon as they have an authority, the first ones found and not those with most. Where the topic
names its seeds, a site begins even if its seed was rejected. Links to other sites are not followed. The target of a
redirect to another site is fetched and judged, but its site is not searched. Tokens of the search stay as they were
unless the topic says `update_tokens` (X-01). The other baseline, a context focused crawler, is left out, as in the
paper: nobody answers which pages link to a page (X-17).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from focused.budget import MOST_ERRORS, SiteBudget
from focused.errors import SettingError
from focused.orderings.base import SEED_SCORE, Hubs, Ids, Ordering, Revision, Waiting
from focused.orderings.sitegraph import Rules
from focused.orderings.sitewalks import SiteWalks
from focused.page import Link, Page
from focused.store.rows import Site
from focused.urls import site_of
from models.model import Floats

AT_ONCE = 200  # waiting links that are looked through for one on a site that is not searched


@dataclass
class XCrawl(Ordering):
    """Walk, hubs, harvest. One number of the paper serves four loops (X-A6); here are three, search has the fourth."""

    restart: float = 0.15  # probability that a walk starts again after a step
    max_iterations: int = 50  # walks without a new hub after which a site is harvested
    weight_rounds: int = 50
    hub_rounds: int = 50
    damping: float = 0.85  # the paper's c, which it does not give
    hub_min_authorities: int = 2  # accepted pages a hub links to
    pin_rejected: bool = True  # rejected pages are no authorities while hubs are looked for
    refresh_hubs: bool = False  # hubs get a new score whenever hubs are looked for
    literal_steps: int = 0  # so many steps of the propagation as it is printed, instead of all
    sample: bool = False  # draw links in proportion to their weights instead of taking the heaviest
    sites: int = 0  # sites that are searched; 0: all
    active: int = 16  # sites that are searched at the same time
    _walks: SiteWalks = field(default_factory=SiteWalks, init=False, repr=False)
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.restart <= 1:
            raise SettingError(f"ordering_args: restart={self.restart} is no probability above 0: give 0.05 to 0.3.")
        for name in ("max_iterations", "weight_rounds", "hub_rounds", "hub_min_authorities", "active"):
            if getattr(self, name) < 1:
                raise SettingError(f"ordering_args: {name}={getattr(self, name)} is below 1: give at least 1.")
        self._walks.rules = Rules(*(getattr(self, name) for name in Rules._fields))

    # --- the next page ----------------------------------------------------------------------------------------

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting = waiting
        if waiting.best_score(now) == SEED_SCORE:
            return waiting.pick(now)
        for site in self._walks.in_turn(self.active):
            page = None if waiting.in_flight(site) else self._next(site, now)
            if page is not None:
                return page
        return self._stray(waiting, now)

    def _next(self, site: int, now: float) -> int | None:
        """What was chosen when the site's last page was had; if that waits no more, another."""
        for choice in (self._walks.chosen, partial(self._walks.want, waits=self._waits)):
            page = choice(site)
            if page is not None and self._waiting is not None and self._waiting.take(page, now):
                return page
        return None

    def _stray(self, waiting: Waiting, now: float) -> int | None:
        """What waits on a site that is not searched: the target of a redirect, a request of the spider."""
        for page in waiting.best(now, AT_ONCE):
            if not self._walks.is_under_way(waiting.site_of(page)) and waiting.take(page, now):
                return page
        return None

    def _waits(self, pages: Sequence[int]) -> list[bool]:
        if self._waiting is None:
            return [False] * len(pages)
        scores = self._waiting.score_of(pages)
        waits: list[bool] = (~np.isnan(scores)).tolist()
        return waits

    # --- a page was had, or not -------------------------------------------------------------------------------

    def observe(self, page: Page) -> None:
        """A site begins with a seed: with one that was accepted, if they come from a search engine."""
        is_wanted = page.relevant or not self.around.topic.search
        if page.depth == 0 and is_wanted and (not self.sites or len(self._walks) < self.sites):
            self._walks.begin(page.site_id, f"{self.around.seed} {site_of(page.url)}")

    def score(self, page: Page) -> Floats:
        """What a link of the site gets of the page's weight (X-07); others are not followed."""
        host = site_of(page.url)
        share = self._walks.weight_of(page.site_id, page.id, page.relevant) / max(1, len(page.links))
        is_searched = self._walks.is_under_way(page.site_id)
        inner = [is_searched and site_of(link.url) == host for link in page.links]
        return np.where(inner, share, np.nan).astype(np.float64)

    def score_again(self, page: Page) -> Floats:
        """A site is searched once, by the links it had then."""
        return np.full(len(page.links), np.nan)

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        pairs = [(target, link) for target, link in zip(ids.tolist(), links, strict=True) if target != page.id]
        targets, paths = [target for target, _ in pairs], [link.dom_path for _, link in pairs]
        self._walks.read(page.site_id, page, targets, paths)
        self._go_on(page.site_id)

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        self._walks.lost(self._site_of(page_id), page_id)
        self._go_on(self._site_of(page_id))

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        site = self._site_of(page_id)
        if site == self._site_of(target_id):
            self._walks.moved(site, page_id, target_id)
        else:
            self._walks.lost(site, page_id)
        self._go_on(site)

    def _go_on(self, site: int) -> None:
        """Choose the next page at once: if there is none, the site is closed with this visit."""
        if self._waiting is not None:
            self._walks.want(site, self._waits)

    def _site_of(self, page_id: int) -> int:
        return self._waiting.site_of(page_id) if self._waiting is not None else 0

    # --- what follows from it ---------------------------------------------------------------------------------

    def budget(self) -> SiteBudget:
        return _UntilDone(crawler=self)

    def why_over(self, site: int, errors: int) -> str | None:
        """Asked when a visit has ended: why its site is left, if it is."""
        if errors >= MOST_ERRORS:
            self._walks.give_up(site)
        return self._walks.why_over(site)

    def revise(self) -> Any:
        rows = [(page, score) for walk in self._walks.all() for page, score in walk.graph.hubs.items()]
        ids, scores = np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], np.float64)
        return lambda: Revision(hubs=Hubs(ids, scores, np.zeros(len(ids)), is_whole=False))

    # --- kill and resume, explain -----------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return self._walks.state()

    def restore(self, parts: dict[str, Any]) -> None:
        self._walks.restore(parts)

    def adopt(self, parts: dict[str, Any]) -> None:
        """The search of a site goes on where its last worker left it."""
        self._walks.restore(parts)

    def leave(self, site: int) -> None:
        self._walks.leave(site)

    def terms(self, page: Page, index: int) -> dict[str, float]:
        weight = self._walks.weight_of(page.site_id, page.id, page.relevant)
        return {"weight": weight, "links": float(len(page.links))}


@dataclass
class _UntilDone(SiteBudget):
    """A site may cost what it costs, until its search is over."""

    crawler: XCrawl = field(default_factory=XCrawl, repr=False)

    def why_closed(self, site: Site) -> str | None:
        return self.crawler.why_over(site.id, site.errors) or super().why_closed(site) or site.why

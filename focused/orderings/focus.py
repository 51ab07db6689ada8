"""What hard and soft focus have in common — Chakrabarti 1999, §4.1, §3.2 and §5.7 (F-12, F-15, F-17, F-18).

The frontier's order is that of the paper: tries, relevance, pages had of the server, a random number. All of it is in
the one score of a link, so that the frontier needs to know none of it:

    R             the estimated relevance, to 9 significant digits, however small (a page of relevance 0 counts as
                  e**-700); the digits behind them hold the pages its server had given when the link was found, up to
                  2,047, and a hash of the URL from 0 to 1,023
    R - 2 tries   after so many tries in vain: behind all links that were tried less often

Naive Bayes is sure of itself: of most relevant pages R is 1 to the last digit of a number, and if all of them were
equal, not R but the load would order the crawl: 0.24 instead of 0.47 of 2,000 pages were on the topic (cycling,
sim:medium,seed=1). The paper stores ln R, of which the last digits are the doubt 1 - R, however small. So where a model
knows that doubt, the last thousandth of the scores is for it, in equal steps of its logarithm.

Every FOCUSED_REVISE_EVERY pages hubs and authorities are distilled, beginning with those of the last time. Every
`promote_every` pages, what the best hubs of the last distillation link to on other servers, was never tried and waits
with a poor score, is raised to the maximum. The query that the paper prints has no bound: that is poor = 1. It matters,
because a hub's score has its relevance as a factor: the best hubs are relevant, and so are their links estimated to be.

Differs: the load is that of the moment when the link was found or last raised; the paper updates it lazily, too. What
waits with less than `poor`, if that is below 1, is promoted only if that is too little for the model's threshold as
well: a cosine of 0.3 may be a good page, a probability of 0.3 is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from focused.errors import SettingError
from focused.graph import LinkGraph
from focused.hubs import Distilled, bar_of, distil
from focused.orderings.base import Hubs, Ids, Ordering, Rescored, Revision, Waiting
from focused.page import Link, Page
from focused.urls import site_of
from models.model import Floats

FLOOR = exp(-700.0)
MOST_LOAD, MOST_RANDOM = (1 << 11) - 1, (1 << 10) - 1
_LOWER = np.uint64((1 << 21) - 1)  # bits of a float that hold load and random number
SURE = 1e-3  # a page with less doubt than this is told from others by the logarithm of its doubt
COLD = 0.01  # of the weight that a distillation begins with is spread evenly, the rest is that of the last one
KEPT = 1_000  # best hubs, and best authorities, that go to the store
DIGITS = 12

Leads = tuple[tuple[int, int], ...]  # (hub, page it links to), the best hub's first
Warm = tuple[list[int], list[float]]  # hubs, and their scores


def packed(relevance: float, loads: NDArray[np.integer], randoms: NDArray[np.integer]) -> Floats:
    """Scores of untried links: relevance first, then the lower load, then the lower random number."""
    lower = (MOST_LOAD - np.minimum(loads, MOST_LOAD).astype(np.uint64)) << np.uint64(10)
    lower |= MOST_RANDOM - randoms.astype(np.uint64)
    lower |= np.array([max(relevance, FLOOR)]).view(np.uint64) & ~_LOWER
    scores: Floats = lower.view(np.float64)
    return scores


def estimate(relevance: float, doubt: float) -> float:
    """The relevance or, close to 1, one that falls with the logarithm of the doubt; e**-700 and less is none.

    >>> estimate(0.9, 0.1), estimate(1.0, 0.0), estimate(1.0, 1e-20) > estimate(1.0, 1e-19)
    (0.9, 1.0, True)
    """
    if doubt >= SURE:
        return relevance
    return 1 - SURE * log(max(doubt, FLOOR) / FLOOR) / log(SURE / FLOOR)


MAXIMUM = float(packed(1.0, np.zeros(1, np.int64), np.zeros(1, np.int64))[0])


def tries_of(scores: Floats) -> Floats:
    """How often the links of these scores were tried in vain."""
    return -np.floor(np.minimum(scores, MAXIMUM) / 2)


@dataclass
class Focus(Ordering):
    """Links are as good as the page they are on; `score` of a strategy says which are followed."""

    needs_graph = True
    distil: bool = True
    hubs: int = 20  # the best of them promote what they link to
    rho: float = 0.15  # share of the pages that may be authorities
    target_relevance: bool = False
    promote_every: int = 1_000  # pages
    poor: float = 0.5  # what waits with less is likely to be ignored (§5.7); 1: all that waits, as in the paper's query
    estimate: str = field(default="max", metadata={"choices": ("max", "first")})  # of the pages that link to it
    relevance_quantum: float = 0.0  # width in ln R within which relevances count as equal
    _load: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # pages had, by site
    _loaded: set[str] = field(default_factory=set, init=False, repr=False, compare=False)  # sites since the last state
    _leads: Leads = field(default=(), init=False, repr=False)
    _promoted_at: int = field(default=0, init=False, repr=False)  # pages
    _kept: tuple[Leads, int] = field(default=((), 0), init=False, repr=False, compare=False)  # both, at the last state
    _hubs: Warm | None = field(default=None, init=False, repr=False)  # of the last distillation
    _hubs_told: Warm | None = field(default=None, init=False, repr=False, compare=False)  # at the last state
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 < self.rho <= 1:
            raise SettingError(f"ordering_args: rho={self.rho}: give a share of the pages, above 0 and up to 1.")
        if not 0 < self.poor <= 1:
            raise SettingError(f"ordering_args: poor={self.poor}: give an estimate of relevance, above 0 and up to 1.")
        for name in ("relevance_quantum", "hubs"):
            if getattr(self, name) < 0:
                raise SettingError(f"ordering_args: {name}={getattr(self, name)}: give 0 or more.")
        if self.promote_every < 1:
            raise SettingError(f"ordering_args: promote_every={self.promote_every} is below 1: give at least 1.")

    # --- scores -----------------------------------------------------------------------------------------------

    def inherited(self, page: Page) -> Floats:
        """The scores of its links, if a page hands its relevance on to all of them."""
        own, seed, size = site_of(page.url), self.around.seed, len(page.links)
        sites = (site_of(link.url) for link in page.links)
        loads = np.fromiter((self._load.get(site, 0) + (site == own) for site in sites), np.int64, size)
        hashes = (xxhash.xxh3_64_intdigest(link.url.encode(), seed) >> 54 for link in page.links)
        return packed(self._estimate(page), loads, np.fromiter(hashes, np.int64, size))

    def _estimate(self, page: Page) -> float:
        if not self.relevance_quantum:
            return estimate(page.relevance, self._doubt(page))
        bins = np.floor(np.log(max(page.relevance, FLOOR)) / self.relevance_quantum)
        return float(np.exp(bins * self.relevance_quantum))

    def _doubt(self, page: Page) -> float:
        """1 - R, which a number close to 1 does not hold: where the model has classes, what the others have."""
        doubt = getattr(self.around.model, "doubt", None)
        return float(doubt(page.classes)) if doubt and page.classes else 1 - page.relevance

    def combine(self, old: Floats, new: Floats) -> Floats:
        """A link stays among those that were tried as often."""
        return old if self.estimate == "first" else np.maximum(old, new - 2 * tries_of(old))

    def again(self, score: float, tries: int) -> float:
        return min(score, MAXIMUM) - 2

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        site = site_of(page.url)
        self._load[site] = self._load.get(site, 0) + 1
        self._loaded.add(site)

    def terms(self, page: Page, index: int) -> dict[str, float]:
        return {"page": page.relevance, "load": float(self._load.get(site_of(page.links[index].url), 0))}

    # --- hubs -------------------------------------------------------------------------------------------------

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting = waiting
        return waiting.pick(now)

    def revise(self) -> Callable[[], Revision] | None:
        if not self.distil:
            return None
        leads, graph = self._promoted(), self.around.graph.copy()
        start = _warm(graph, self._hubs) if self._hubs else None
        ids = np.array([page for _, page in leads], np.int64)
        rescored = Rescored(ids, np.full(len(ids), MAXIMUM)) if leads else None
        events = [("promoted", f"page {page}: hub {hub} links to it") for hub, page in leads]

        def work() -> Revision:
            found = distil(graph, bar_of(graph.relevance, self.rho), self.target_relevance, start)
            self._leads = leads_of(graph, _best(found.ids, found.hub, self.hubs))
            kept = _kept(found)
            self._hubs = kept.ids.tolist(), kept.hub.tolist()
            return Revision(rescored, kept, events)

        return work

    def _promoted(self) -> Leads:
        """The leads to be raised now: due, never tried, waiting with a poor score.

        Pages are counted in the graph, which has those without links as well: a promotion that is due every thousand
        pages must not wait for the next revision because two of them were no HTML.
        """
        pages = int(np.count_nonzero(~np.isnan(self.around.graph.relevance)))
        if self._waiting is None or not self._leads or pages - self._promoted_at < self.promote_every:
            return ()
        self._promoted_at = pages
        bound = MAXIMUM if self.poor == 1 else min(self.poor, self.around.model.threshold)
        scores = self._waiting.score_of([page for _, page in self._leads])
        return tuple(lead for lead, score in zip(self._leads, scores, strict=True) if 0 < score < bound)

    # --- kill and resume ----------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        parts: dict[str, Any] = {f"load.{site}": self._load[site] for site in self._loaded}
        self._loaded.clear()
        kept, self._kept = self._kept, (self._leads, self._promoted_at)
        if self._kept != kept:
            parts["leads"], parts["promoted_at"] = self._kept
        if self._hubs is not self._hubs_told:
            parts["hubs"] = self._hubs_told = self._hubs
        return parts

    def restore(self, parts: dict[str, Any]) -> None:
        self._load = {name[5:]: load for name, load in parts.items() if name.startswith("load.")}
        self._leads = tuple((hub, page) for hub, page in parts.get("leads", ()))
        self._promoted_at = parts.get("promoted_at", 0)
        self._kept = self._leads, self._promoted_at
        ids, scores = parts.get("hubs") or ([], [])
        self._hubs = self._hubs_told = (ids, scores) if ids else None


def leads_of(graph: LinkGraph, hubs: Ids) -> Leads:
    """What these hubs, best first, link to on other servers and was not had (F-18); each page once."""
    place = np.zeros(graph.pages + 1, np.int64)
    place[hubs] = np.arange(len(hubs), 0, -1)
    at = np.flatnonzero(place[graph.sources])
    sources, targets = graph.sources[at], graph.targets[at]
    is_lead = (graph.site[sources] != graph.site[targets]) & np.isnan(graph.relevance[targets])
    sources, targets = sources[is_lead], targets[is_lead]
    order = np.lexsort((targets, -place[sources]))
    pairs = zip(targets[order].tolist(), sources[order].tolist(), strict=True)
    first: dict[int, int] = {}
    for page, hub in pairs:
        first.setdefault(page, hub)
    return tuple((hub, page) for page, hub in first.items())


def _best(ids: Ids, scores: Floats, most: int) -> Ids:
    """The pages of the highest scores above 0, best first; of equal ones those found first."""
    scores = scores.round(DIGITS)
    order = np.lexsort((ids, -scores))[:most]
    return ids[order[scores[order] > 0]]


def _warm(graph: LinkGraph, hubs: Warm) -> Floats:
    """Where a distillation begins: at the last one, and all others so low that they can still rise."""
    start = np.full(graph.pages + 1, COLD / max(1, graph.pages))
    start[hubs[0]] += hubs[1]
    return start


def _kept(found: Distilled) -> Hubs:
    """What of a distillation goes to the store."""
    best = np.union1d(_best(found.ids, found.hub, KEPT), _best(found.ids, found.authority, KEPT))
    at = np.searchsorted(found.ids, best)
    return Hubs(best, found.hub[at], found.authority[at])

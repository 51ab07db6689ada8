"""The focused website crawler — Ester, Kriegel, Schubert 2004: what is looked for is a whole site, not a page.

    internal   pages of the sites under way, until a site is classified and has given its links         (§4.3)
    external   the next site is the one the best sites and pages link to; start sites come before all   (§4.2)

Several sites are under way at the same time, each with one request; in strict order one site at a time, to its end.
Links to other sites lead to their homepages; what they are worth is published when the crawl of a site ends.
Differs: a seed that is no homepage is where its site is entered; redirects count as downloads; the class `other` is
whatever the page model calls irrelevant; a homepage that moves to another site is examined there; for the prior a
site counts if its pages alone speak for it, because verdicts that lean on the prior would feed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from focused.budget import MOST_ERRORS, SiteBudget, confidence_of
from focused.errors import SettingError
from focused.orderings.base import SEED_SCORE, Ids, Ordering, Rescored, Surroundings, Waiting
from focused.orderings.counts import Counts, counts_of
from focused.orderings.external import UNPUBLISHED, Border, homepages, is_examined
from focused.orderings.internal import Begun, Internal, Rules, weight
from focused.orderings.onebyone import OneByOne
from focused.orderings.underway import UnderWay
from focused.page import Link, Page
from focused.store.rows import Abroad, Colleague
from focused.urls import site_of
from models.model import Floats
from models.website import P_ERR, P_THRESHOLD, prior


@dataclass
class WebsiteCrawler(Ordering):
    """Two levels: sites, and the pages of the sites under way."""

    looks_abroad: ClassVar[bool] = True
    tells: ClassVar[str] = "counts"
    edge: str = field(default="combined", metadata={"choices": ("combined", "local", "global")})
    p_threshold: float = P_THRESHOLD
    l_threshold: float = 20.0
    cap: int = 50
    c: float = 1.0
    active: int = 16  # sites under way at the same time
    prior: float = 0.0  # that a site is relevant; 0: the share among those screened so far (W-11)
    p_err: float = 0.0  # 0: what the page model knows of itself, else that of most topics in Table 2
    wanted: int = 0  # relevant sites after which to stop; 0: no limit (W-19 a)
    collapse: float = 3.0  # stop when pprs is so many times the best; 0: never (W-19 b)
    window: int = 5000  # pages over which pprs is taken (Fig. 7)
    _rules: Rules = field(default=Rules(), init=False, repr=False)
    _counts: Counts = field(default_factory=Counts, init=False, repr=False)
    _border: Border = field(default_factory=Border, init=False, repr=False)
    _under_way: UnderWay = field(default_factory=UnderWay, init=False, repr=False)
    _ended: dict[int, Internal] = field(default_factory=dict, init=False, repr=False, compare=False)
    _rescored: dict[int, float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _elsewhere: list[int] = field(default_factory=list, init=False, repr=False, compare=False)  # see `abroad`
    _letters: list[tuple[int, float]] = field(default_factory=list, init=False, repr=False, compare=False)
    _rests: bool = field(default=False, init=False, repr=False, compare=False)  # a site to begin must wait
    _websites: list[dict[str, Any]] = field(default_factory=list, init=False, repr=False, compare=False)
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)  # knows the site of a page

    def __post_init__(self) -> None:
        for name in ("c", "active", "cap", "window"):
            if getattr(self, name) < 1:
                raise SettingError(f"ordering_args: {name}={getattr(self, name)} is below 1: give at least 1.")
        if not 0 <= self.prior < 1:
            raise SettingError(f"ordering_args: prior={self.prior} is no probability: give 0 to 1, 0 for the harvest.")
        if not 0.5 < self.p_threshold <= 1:
            raise SettingError(f"ordering_args: p_threshold={self.p_threshold} must be above 0.5, and not above 1.")

    def bind(self, around: Surroundings) -> None:
        super().bind(around)
        p_err = self.p_err or getattr(around.model, "p_err", P_ERR)
        self._rules = Rules(p_err, self.p_threshold, self.l_threshold, self.cap, self.c)

    # --- the next page ----------------------------------------------------------------------------------

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting = waiting
        for site in self._under_way:
            page = waiting.pick_from(site, now)
            if page is not None:
                return page
        self._give_up_dead(waiting)
        if len(self._under_way) >= self._room():
            return None
        page = self._seed(waiting, now) or self._best_site(waiting, now) or self._stray(waiting, now)
        if page is not None:
            self._begin(waiting.site_of(page), page)
        self._counts.is_working(bool(self._under_way) or self._rests)
        return page

    def _room(self) -> int:
        """Sites that may be under way; never more than are still wanted, so that their number is exact."""
        room = 1 if self.around.strict else self.active
        return min(room, self.wanted - self._counts.of_all("relevant")) if self.wanted else room

    def _seed(self, waiting: Waiting, now: float) -> int | None:
        best = waiting.best(now, 1)
        return best[0] if best and waiting.score_of(best)[0] == SEED_SCORE and waiting.take(best[0], now) else None

    def _best_site(self, waiting: Waiting, now: float) -> int | None:
        """The homepage of the best site on the border that is ready."""
        resting: list[int] = []
        home = None
        while home is None and (site := self._border.pop()) is not None:
            candidate = self._border.places[site].home
            if waiting.take(candidate, now):
                home = candidate
            elif waiting.delayed or not np.isnan(waiting.score_of([candidate])[0]):
                resting.append(site)
        for site in resting:
            self._border.push_back(site)
        self._rests = bool(resting)
        return home

    def _stray(self, waiting: Waiting, now: float) -> int | None:
        """What came by no published link: the target of a redirect between sites, a request of the spider."""
        best = waiting.best(now, 1)
        may_be_published = self._under_way or any(other.at_work for other in self._counts.others)
        if not best or (may_be_published and waiting.score_of(best)[0] == UNPUBLISHED):
            return None
        return best[0] if waiting.take(best[0], now) else None

    def _begin(self, site: int, entry: int) -> None:
        place, counts = self._border.examine(site), self._counts
        counts.begun += 1
        known = (place.edges, place.rank) if place and place.edges else ()
        chance = self.prior or prior(counts.of_all("likely"), counts.of_all("screened"))
        self._under_way.begin(site, Begun(entry, chance, counts.begun, *known), self._rules)

    def _give_up_dead(self, waiting: Waiting) -> None:
        """A page may vanish without a word: one that kills the process is set aside when the crawl resumes."""
        for site in self._under_way:
            if not (waiting.in_flight(site) or waiting.waiting_on(site) or waiting.delayed):
                self._end(site)

    # --- a page was had, or not -------------------------------------------------------------------------

    def score(self, page: Page) -> Floats:
        """Links within the site by the clarity of the page (W-13); `also` leads to other sites."""
        host, clarity = site_of(page.url), weight(self._confidence(page))
        return np.array([clarity if site_of(link.url) == host else np.nan for link in page.links], np.float64)

    def score_again(self, page: Page) -> Floats:
        """A site is screened once, by the pages it had then; what is new leads to other sites at most."""
        return np.full(len(page.links), np.nan)

    def also(self, page: Page) -> list[Link]:
        """The homepages of the sites the page links to, each once, with the first anchor that leads there (W-03)."""
        return homepages(page)

    def combine(self, old: Floats, new: Floats) -> Floats:
        """Two scores do not make a mean: `found` counts the links, and `rescored` says what changed."""
        return old

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        elsewhere, self._elsewhere = self._elsewhere, []
        if page.site_id not in self._under_way:
            return
        inner: list[int] = []
        homes: dict[int, int] = {}
        for target in ids.tolist():
            site = self._site_of(target)
            if site == page.site_id:
                inner.append(target)
            else:
                homes.setdefault(site, target)
        other = [*(site for site, home in homes.items() if self._border.meet(site, home)), *elsewhere]
        self._happens(page.site_id, "read", page.id, page.url, self._confidence(page), inner, other)
        self._rank_again(page.site_id, inner)

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        self._happens(self._site_of(page_id), "lost", page_id, outcome)

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        site, other = self._site_of(page_id), self._site_of(target_id)
        if site == other:
            self._happens(site, "moved", page_id, target_id)
            return self._rank_again(site, [target_id])
        self._happens(site, "lost", page_id, "moved to another site")
        ended = self._ended.get(site)
        if ended is not None and not ended.was_reached and other not in self._border.examined:
            self._begin(other, target_id)

    def _happens(self, site: int, event: str, *values: Any) -> None:
        if site not in self._under_way:
            return
        if self._under_way.happens(site, event, *values).is_over:
            self._end(site)

    def _rank_again(self, site: int, pages: list[int]) -> None:
        """Links seen again have another mean now; one that waits for a retry keeps its score."""
        crawl = self._under_way.get(site)
        if crawl is None or self._waiting is None:
            return
        for page, old in zip(pages, self._waiting.score_of(pages).tolist(), strict=True):
            if page in crawl.waiting and old == old and old not in (SEED_SCORE, crawl.rank(page)):
                self._rescored[page] = crawl.rank(page)

    def _confidence(self, page: Page) -> float:
        return confidence_of(page, self.around.model.threshold)

    def _site_of(self, page_id: int) -> int:
        return self._waiting.site_of(page_id) if self._waiting is not None else 0

    # --- a site is done -----------------------------------------------------------------------------------

    def _end(self, site: int) -> None:
        """The verdict stands; the sites it links to learn what its links are worth (W-18)."""
        crawl = self._ended[site] = self._under_way.end(site)
        if not crawl.was_reached:
            return
        self._counts.likely += crawl.speaks_for
        self._counts.add(crawl.downloads, crawl.site.verdict, self.window, self.collapse)
        self._websites.append(crawl.described())
        for other in crawl.linked:
            weight = crawl.edge(other, self.edge)
            if not self._border.knows(other):
                self._letters.append((other, weight))
            elif place := self._border.publish(other, weight):
                self._rescored[place.home] = place.rank

    def rescored(self) -> Rescored | None:
        changed, self._rescored = self._rescored, {}
        return Rescored(np.array([*changed], np.int64), np.array([*changed.values()], np.float64)) if changed else None

    def websites(self) -> list[dict[str, Any]]:
        done, self._websites = self._websites, []
        return done

    def enough(self) -> str | None:
        if self.wanted and self._counts.of_all("relevant") >= self.wanted:
            return "wanted_sites"
        return "pprs_collapse" if self._counts.anybody_collapsed else None

    def budget(self) -> SiteBudget:
        return OneByOne(crawler=self)

    def known_of(self, site: int) -> Internal | None:
        """The internal crawl of a site, under way or just ended."""
        return self._under_way.get(site) or self._ended.get(site)

    def why_over(self, site: int, errors: int) -> str | None:
        """Asked when a visit has ended: why its site is left, if it is."""
        if errors >= MOST_ERRORS and site in self._under_way:
            self._end(site)
        ended = self._ended.pop(site, None)
        return ended.why if ended else None

    # --- kill and resume, explain -------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        parts = {**self._border.state(), **self._under_way.state()}
        return {**parts, "counts": self._counts.state()} if parts or self._counts.is_untold else {}

    def restore(self, parts: dict[str, Any]) -> None:
        self._counts = Counts(*parts.get("counts", ()))
        self._border.restore(parts)
        self._under_way.restore(parts, self._rules)

    # --- several workers --------------------------------------------------------------------------------

    def adopt(self, parts: dict[str, Any]) -> None:
        """The internal crawl of a site goes on where its last worker left it. The counts stay."""
        self._border.restore(parts)
        self._under_way.restore(parts, self._rules)

    def leave(self, site: int) -> None:
        self._border.leave(site)
        self._under_way.leave(site)

    def abroad(self, links: Sequence[Abroad], known: dict[int, Any]) -> None:
        """Their sites count as those here do, if nobody has examined them."""
        homes = dict.fromkeys(link.site_id for link in links if link.score == UNPUBLISHED)
        self._elsewhere = [site for site in homes if not is_examined(known.get(site))]

    def linked(self, page_id: int, link: Abroad, waiting: Waiting) -> Rescored | None:
        if link.score == UNPUBLISHED:
            self._border.meet(link.site_id, page_id)
        return None

    def letters(self) -> list[tuple[int, float]]:
        """What sites here say of sites there, once they are known (W-18)."""
        written, self._letters = self._letters, []
        return written

    def receive(self, site: int, value: float) -> Rescored | None:
        place = self._border.publish(site, value)
        return Rescored(np.array([place.home]), np.array([place.rank])) if place else None

    def hear(self, colleagues: Sequence[Colleague]) -> None:
        self._counts.hear([counts_of(*one) for one in colleagues], self.window, self.collapse)

    def terms(self, page: Page, index: int) -> dict[str, float]:
        return {"confidence": self._confidence(page), "clarity": weight(self._confidence(page))}

"""How many pages a site may still cost, and why it may cost no more.

    a number   so many pages
    verdict    Ester 2004, §4.3: a site judged irrelevant is closed, a relevant one earns pages by its links
    yield      a site pays for itself: relevant pages bring credit, all others use it up

Whatever the budget, a site that does not answer is left after a few failures in a row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import xxhash

from focused.page import Page
from focused.store.rows import Site
from focused.urls import site_of
from models.model import PageModel
from models.website import P_ERR, Website, confidences

MOST_ERRORS = 5  # failures in a row after which a site counts as unreachable


@dataclass
class SiteBudget:
    """A fixed number of pages a site; 0: no limit."""

    pages: int = 0
    _known: dict[int, Any] = field(default_factory=dict, init=False, repr=False)  # what was learned of a site; JSON
    _changed: set[int] = field(default_factory=set, init=False, repr=False, compare=False)

    def spend(self, site: Site) -> None:
        """A request to the site begins."""
        site.granted += 1

    def refund(self, site: Site) -> None:
        """It did not bring a page."""
        site.granted -= 1

    def learn(self, site: Site, page: Page) -> None:
        """A page of the site was had and judged."""

    def left(self, site: Site) -> int | None:
        """Pages it may still cost; None: no limit."""
        return max(0, self.pages - site.pages) if self.pages else None

    def is_spent(self, site: Site) -> bool:
        """No further request may begin, counting those under way."""
        left = self.left(site)
        return left is not None and site.granted - site.pages >= left

    def why_closed(self, site: Site) -> str | None:
        """The reason to close the site for good, if there is one."""
        if self.left(site) == 0:
            return self.why_spent(site)
        if site.errors >= MOST_ERRORS:
            return f"unreachable: {site.errors} failures in a row"
        return None

    def why_spent(self, site: Site) -> str:
        return f"budget of {self.pages} pages spent"

    def state(self) -> dict[str, Any]:
        """Parts that changed since the last call, as of an ordering."""
        parts = {f"site:{site}": self._known[site] for site in sorted(self._changed)}
        self._changed.clear()
        return parts

    def restore(self, parts: dict[str, Any]) -> None:
        """Take back what `state` gave."""
        self._known = {int(name.partition(":")[2]): part for name, part in parts.items() if name.startswith("site:")}

    def adopt(self, parts: dict[str, Any]) -> None:
        """What another worker's `state` said of sites that come from it."""
        self._known |= {int(name.partition(":")[2]): part for name, part in parts.items() if name.startswith("site:")}

    def leave(self, site: int) -> None:
        """A site goes to another worker."""
        self._known.pop(site, None)
        self._changed.discard(site)

    def keep(self, site: Site, known: Any) -> None:
        """What is known of a site from now on."""
        self._known[site.id] = known
        self._changed.add(site.id)


@dataclass
class VerdictBudget(SiteBudget):
    """Ester 2004, W-09 to W-12: the pages of a site decide what it is worth.

    Decided irrelevant: closed. Undecided: at most `pages`. Decided relevant: one page more for each link to another
    site, counted once a page and site and weighted by the page's confidence (W-15 without c).
    Differs: the prior is even, for a crawl of pages has no finished sites to take it from.
    """

    pages: int = 50
    threshold: float = 0.5
    p_err: float = P_ERR

    def learn(self, site: Site, page: Page) -> None:
        website, earned = self._of(site)
        confidence = confidence_of(page, self.threshold)
        website.add((confidence, 1 - confidence))
        others = {site_of(link.url) for link in page.links} - {site.host}
        self.keep(site, [website.state(), earned + confidence * len(others)])
        site.posterior, site.mean_confidence = website.confidence, website.mean_confidence

    def left(self, site: Site) -> int | None:
        website, earned = self._of(site)
        if website.decided and not website.verdict:
            return 0
        return max(0, self.pages + int(earned if website.decided else 0) - site.pages)

    def why_spent(self, site: Site) -> str:
        website, _ = self._of(site)
        if website.decided and not website.verdict:
            return f"irrelevant: posterior {website.confidence:.3f} after {website.pages} pages"
        what = "relevant, but its links earned no more" if website.decided else "undecided"
        return f"{what}: posterior {website.confidence:.3f} after {website.pages} pages"

    def _of(self, site: Site) -> tuple[Website, float]:
        known = self._known.get(site.id)
        return (Website.restored(known[0]), known[1]) if known else (Website.begun(p_err=self.p_err), 0.0)


@dataclass
class YieldBudget(SiteBudget):
    """A site begins with `pages` of credit. A relevant page that is no copy pays, any other page costs one.

    A copy has the words of one of the last relevant pages of its site: traps and mirrors give such.
    """

    pages: int = 20
    pays: int = 2  # so a site stays open while more than a third of its pages are worth having
    most: int = 100  # credit of a site, so that even the best is left after a hundred misses in a row
    remembered: int = 32  # relevant pages a new one is compared with

    def learn(self, site: Site, page: Page) -> None:
        credit, seen = self._known.get(site.id) or (self.pages, [])
        digest = xxhash.xxh3_64_hexdigest(" ".join(page.words).encode()) if page.relevant else ""
        if page.relevant and digest not in seen:
            self.keep(site, [min(self.most, credit + self.pays), [*seen, digest][-self.remembered :]])
        else:
            self.keep(site, [max(0, credit - 1), seen])

    def left(self, site: Site) -> int | None:
        known = self._known.get(site.id)
        return int(known[0]) if known else self.pages

    def why_spent(self, site: Site) -> str:
        return f"no credit left: {site.relevant} of {site.pages} pages were relevant"


def confidence_of(page: Page, threshold: float) -> float:
    """Of the wanted class; a page without words, such as a frameset, says nothing either way (W-06)."""
    return confidences(page.relevance, threshold)[0] if page.judged_terms.any() else 0.5


def made(given: int | str, model: PageModel) -> SiteBudget:
    """The budget that FOCUSED_SITE_BUDGET asks for; 0: none."""
    if given == "verdict":
        return VerdictBudget(threshold=model.threshold, p_err=getattr(model, "p_err", P_ERR))
    return YieldBudget() if given == "yield" else SiteBudget(int(given))

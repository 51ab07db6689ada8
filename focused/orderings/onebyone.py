"""What a website may cost while it is screened: one request at a time, until its internal crawl has ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from focused.budget import SiteBudget
from focused.orderings.internal import Internal
from focused.page import Page
from focused.store.rows import Site


class Screening(Protocol):
    """The website crawler, as far as the budget asks it."""

    def known_of(self, site: int) -> Internal | None: ...
    def why_over(self, site: int, errors: int) -> str | None: ...


@dataclass(kw_only=True)
class OneByOne(SiteBudget):
    """The crawler knows when a site is done."""

    crawler: Screening = field(repr=False)

    def learn(self, site: Site, page: Page) -> None:
        if crawl := self.crawler.known_of(site.id):
            site.posterior, site.mean_confidence = crawl.site.confidence, crawl.site.mean_confidence

    def is_spent(self, site: Site) -> bool:
        return site.granted > site.pages

    def why_closed(self, site: Site) -> str | None:
        return self.crawler.why_over(site.id, site.errors) or site.why

"""How many pages a site may still cost, and why it may cost no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from focused.page import Page
from focused.store.rows import Site

MOST_ERRORS = 5  # failures in a row after which a site counts as unreachable


@dataclass(slots=True, frozen=True)
class SiteBudget:
    """A fixed number of pages a site; 0: no limit."""

    pages: int = 0

    def spend(self, site: Site) -> None:
        """A request to the site begins."""
        site.granted += 1

    def refund(self, site: Site) -> None:
        """It did not bring a page."""
        site.granted -= 1

    def learn(self, site: Site, page: Page) -> None:
        """A page of the site was had and judged."""

    def state(self) -> dict[str, Any]:
        """Parts that changed since the last call, as of an ordering."""
        return {}

    def restore(self, parts: dict[str, Any]) -> None:
        """Take back what `state` gave."""

    def is_spent(self, site: Site) -> bool:
        """No further request may begin, counting those under way."""
        return bool(self.pages) and site.granted >= self.pages

    def why_closed(self, site: Site) -> str | None:
        """The reason to close the site for good, if there is one."""
        if self.pages and site.pages >= self.pages:
            return f"budget of {self.pages} pages spent"
        if site.errors >= MOST_ERRORS:
            return f"unreachable: {site.errors} failures in a row"
        return None

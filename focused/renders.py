"""Where a browser pays: which pages are worth rendering, learned for each site and each kind of its pages.

a kind       pages of one URL template that look alike as they were sent:
    shell        little text and few links, but scripts
    promising    a script or a handler in the page speaks of links or of going elsewhere
    plain        there are scripts, but none says so
is rendered  the first two of each kind but the plain ones; then while its renders bring links nobody knew;
             of the others the 4th, 16th, 64th ... page, to see whether that has changed
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from focused.page import Page

FEW_WORDS, FEW_LINKS = 60, 5  # a shell has fewer of both
TRIALS = 2  # renders before a kind is judged
PAYS = 0.5  # links that nobody knew, a render
LATELY = 0.5  # weight of the last render in what a kind is said to give
MUCH = 4  # what one render counts for at most: a menu is new only once
AGAIN = frozenset(4**power for power in range(1, 16))
PATIENCE = 12  # renders of a site of which most gave nothing, after which new kinds are not tried at once
MOST_KINDS = 100  # of one site; all others count as one
OTHERS = "other"

# What may make a link without being one: a script, or a handler in a tag.
_ACTIVE = re.compile(rb"<script\b|\son(?:click|mouse\w+|pointer\w+|focus|change)\s*=|javascript:", re.IGNORECASE)
_PROMISES = re.compile(
    rb"\blocation\s*(?:\.\s*href\s*)?=|\blocation\.(?:assign|replace)\b|\bpushState\b|\bwindow\.open\b|\.href\s*="
    rb"|\binnerHTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b|\bcreateElement\(\s*[\"'`]a[\"'`]|\bfetch\("
    rb"|\bXMLHttpRequest\b"
)
_NUMBER = re.compile(r"\d+")


def is_active(body: bytes) -> bool:
    """Whether a browser could show more than the page says."""
    return _ACTIVE.search(body) is not None


def is_shell(page: Page) -> bool:
    return len(page.words) < FEW_WORDS and len(page.links) < FEW_LINKS


def look_of(page: Page, body: bytes) -> str:
    """How an active page looks as it was sent."""
    if is_shell(page):
        return "shell"
    return "promising" if _PROMISES.search(body) else "plain"


def template_of(url: str) -> str:
    """What the URLs of pages made by one program have in common.

    >>> template_of("http://a.example/shop/canon-eos.html?page=2"), template_of("http://a.example/p7/12")
    ('/shop/*.html?page', '/p0/*')
    """
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    folders = [_NUMBER.sub("0", folder) for folder in folders]
    ending = last[last.rindex(".") :] if "." in last else ""
    names = sorted({pair.partition("=")[0] for pair in parts.query.split("&")}) if parts.query else []
    return "/".join([*folders, f"*{ending}" if last else ""]) + (f"?{'&'.join(names)}" if names else "")


@dataclass(slots=True)
class Kind:
    """What rendering pages of one kind has brought."""

    pages: int = 0  # that could have been rendered
    renders: int = 0
    gives: float = 0.0  # a render, the last ones counting most

    def learn(self, gave: int) -> None:
        much = min(gave, MUCH)
        self.gives = (1 - LATELY) * self.gives + LATELY * much if self.renders else much
        self.renders += 1


@dataclass(slots=True)
class SiteYield:
    """What rendering has brought on one site."""

    renders: int = 0
    paid: int = 0  # renders that brought something
    links: int = 0  # that neither the page as sent nor the crawl knew
    failed: int = 0  # renders that ended without a page
    kinds: dict[str, Kind] = field(default_factory=dict)

    def kind(self, name: str) -> Kind:
        if name not in self.kinds and len(self.kinds) >= MOST_KINDS:
            name = OTHERS
        return self.kinds.setdefault(name, Kind())

    def state(self) -> dict[str, Any]:
        kinds = {name: [kind.pages, kind.renders, kind.gives] for name, kind in self.kinds.items()}
        return {"renders": self.renders, "paid": self.paid, "links": self.links, "failed": self.failed, "kinds": kinds}

    @classmethod
    def restored(cls, state: dict[str, Any]) -> SiteYield:
        kinds = {name: Kind(*kind) for name, kind in state["kinds"].items()}
        return cls(state["renders"], state["paid"], state["links"], state["failed"], kinds)


class Renders:
    """Decides what is rendered, and remembers what it was worth. Part of the crawl's state."""

    def __init__(self, budget: int = 0) -> None:
        self.budget = budget  # renders a site may cost; 0: no limit
        self.sites: dict[int, SiteYield] = {}
        self._changed: set[int] = set()

    def may_render(self, site_id: int) -> bool:
        """Whether the site's budget has something left."""
        return not self.budget or self._site(site_id).renders < self.budget

    def is_worth_it(self, site_id: int, url: str, look: str) -> bool:
        """For an active page: whether it is to be shown in a browser."""
        site, kind = self._site(site_id), self._kind(site_id, url, look)
        kind.pages += 1
        self._changed.add(site_id)
        if kind.pages in AGAIN:
            return True
        if kind.renders >= TRIALS:
            return kind.gives >= PAYS
        return look != "plain" and (site.renders < PATIENCE or 2 * site.paid >= site.renders)

    def spend(self, site_id: int) -> None:
        """A render begins."""
        self._site(site_id).renders += 1
        self._changed.add(site_id)

    def learn(self, site_id: int, url: str, look: str, links: int, is_filled: bool = False) -> None:
        """It brought so many links that nobody knew; `is_filled`: and a shell became a page."""
        site = self._site(site_id)
        self._kind(site_id, url, look).learn(links + is_filled)
        site.links += links
        site.paid += links + is_filled > 0
        self._changed.add(site_id)

    def fail(self, site_id: int, url: str, look: str) -> None:
        """It brought nothing: the page hung, or the browser died."""
        self._site(site_id).failed += 1
        self.learn(site_id, url, look, 0)

    def _site(self, site_id: int) -> SiteYield:
        return self.sites.setdefault(site_id, SiteYield())

    def _kind(self, site_id: int, url: str, look: str) -> Kind:
        return self._site(site_id).kind(f"{template_of(url)} {look}")

    def state(self) -> dict[str, Any]:
        """Parts that changed since the last call."""
        parts = {f"site:{site_id}": self.sites[site_id].state() for site_id in sorted(self._changed)}
        self._changed.clear()
        return parts

    def restore(self, parts: dict[str, Any]) -> None:
        """Take back what `state` gave."""
        self.sites = {int(name.partition(":")[2]): SiteYield.restored(part) for name, part in parts.items()}

    def adopt(self, parts: dict[str, Any]) -> None:
        """What another worker's `state` said of sites that come from it."""
        self.sites |= {int(name.partition(":")[2]): SiteYield.restored(part) for name, part in parts.items()}

    def leave(self, site_id: int) -> None:
        """A site goes to another worker."""
        self.sites.pop(site_id, None)
        self._changed.discard(site_id)

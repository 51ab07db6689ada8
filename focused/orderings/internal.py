"""One internal crawl — Ester, Kriegel, Schubert 2004, §4.3 (W-12 to W-16): a single site, read until it is known.

    weight(q)   = (confidence - 1/2)^2                         a page that speaks clearly, for or against     (W-13)
    rank(p)     = mean of weight(q) over the pages read that link to p                                        (W-13)
    LinkRank(W) = sum of (confidence * new sites linked + c), divided by the posterior                        (W-16)

Differs: the paper prints the variance of a single number (A4); meant are the confidences of the two classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from focused.urls import site_of
from models.website import P_ERR, P_THRESHOLD, Website

EVIDENCE = 3  # pages named for a verdict
_LEAST = 1e-6


class Rules(NamedTuple):
    """The constants of all internal crawls of a run."""

    p_err: float = P_ERR
    p_threshold: float = P_THRESHOLD
    l_threshold: float = 20.0  # not printed in the paper; 0: classify only (§5.2)
    cap: int = 50  # downloads a site, the guard against traps; not printed either
    c: float = 1.0


class Begun(NamedTuple):
    """With what an internal crawl begins."""

    entry: int  # the page it starts from
    prior: float  # frozen, so that crawls at the same time do not change each other (W-11)
    turn: int  # the how manieth it is
    edges: int = 0  # sites that had linked to it
    rank: float = 1.0  # the mean weight of those links; a start site has none and comes first


def weight(confidence: float) -> float:
    """The population variance of the confidences of two classes (W-13)."""
    return (confidence - 0.5) ** 2


@dataclass
class Internal:
    """What is known of a site while its pages are read. Everything follows from what `read`, `lost` and `moved` say."""

    begun: Begun
    rules: Rules
    url: str = ""  # of the first page read
    site: Website = field(init=False)
    waiting: dict[int, tuple[float, int]] = field(init=False)  # page → sum of weights, links
    settled: set[int] = field(default_factory=set)  # pages that need not be asked for again
    linked: dict[int, tuple[float, int]] = field(default_factory=dict)  # other site → sum of confidences, pages
    link_weight: float = 0.0
    downloads: int = 0
    trouble: str = ""  # how the last page was lost
    evidence: list[tuple[float, float, str]] = field(default_factory=list)  # clearest pages: weight, confidence, URL

    def __post_init__(self) -> None:
        self.site = Website.begun(self.begun.prior, self.rules.p_err, self.rules.p_threshold)
        self.waiting = {self.begun.entry: (0.0, 0)}

    # --- what happens ---------------------------------------------------------------------------------------

    def read(self, page: int, url: str, confidence: float, inner: list[int], other: list[int]) -> None:
        """A page was read: it links to these pages of the site and to these sites that nobody has examined yet."""
        self._settle(page)
        self.url = self.url or url
        self.site.add((confidence, 1 - confidence))
        self.link_weight += confidence * len(other) + self.rules.c  # W-15
        for target in inner:
            if target not in self.settled:
                total, links = self.waiting.get(target, (0.0, 0))
                self.waiting[target] = (total + weight(confidence), links + 1)
        for site in other:  # W-14: once a page, however many links it has
            total, pages = self.linked.get(site, (0.0, 0))
            self.linked[site] = (total + confidence, pages + 1)
        told = [*self.evidence, (weight(confidence), confidence, url)]
        self.evidence = sorted(told, key=lambda page: -page[0])[:EVIDENCE]

    def lost(self, page: int, outcome: str) -> None:
        """A page could not be had: a download, but no evidence."""
        self._settle(page)
        self.trouble = outcome

    def moved(self, page: int, target: int) -> None:
        """A redirect within the site: the links to the page are links to its target."""
        total, links = self.waiting.get(page, (0.0, 0))
        self._settle(page)
        if target not in self.settled:
            known, more = self.waiting.get(target, (0.0, 0))
            self.waiting[target] = (known + total, more + links)

    def _settle(self, page: int) -> None:
        self.downloads += 1
        self.waiting.pop(page, None)
        self.settled.add(page)

    # --- what follows from it -------------------------------------------------------------------------------

    def rank(self, page: int) -> float:
        """Mean weight of the links to a page (W-13); 0 before the first."""
        total, links = self.waiting[page]
        return total / links if links else 0.0

    @property
    def link_rank(self) -> float:
        """W-16, with the running posterior: a small one lets an irrelevant site pass at once."""
        return self.link_weight / max(self.site.posterior, _LEAST)

    @property
    def is_over(self) -> bool:
        """Known well enough, nothing left to read, or too dear (W-16)."""
        is_known = self.site.decided and self.link_rank >= self.rules.l_threshold
        return is_known or not self.waiting or self.downloads >= self.rules.cap

    @property
    def speaks_for(self) -> bool:
        """Whether the pages alone, without the prior, speak for the wanted class."""
        return self.site.posterior > self.begun.prior

    @property
    def was_reached(self) -> bool:
        return self.site.pages > 0

    @property
    def why(self) -> str:
        """Why it ended, for the site's row."""
        if not self.was_reached:
            return f"unreachable: {self.trouble or 'no page'}"
        found = ("relevant" if self.site.verdict else "irrelevant") if self.site.decided else "undecided"
        return f"{found}: posterior {self.site.confidence:.3f} after {self.site.pages} pages"

    def edge(self, site: int, kind: str) -> float:
        """The weight of the edge to another site (W-17)."""
        total, pages = self.linked[site]
        local, overall = total / pages, self.site.confidence
        return {"local": local, "global": overall, "combined": (local + overall) / 2}[kind]

    def described(self) -> dict[str, Any]:
        """The website as a result."""
        return {
            "host": site_of(self.url),
            "url": self.url,
            "relevant": self.site.verdict,
            "decided": self.site.decided,
            "posterior": round(self.site.confidence, 6),
            "mean_confidence": round(self.site.mean_confidence, 6),
            "pages": self.site.pages,
            "downloads": self.downloads,
            "linked_from": self.begun.edges,
            "rank": round(self.begun.rank, 6),
            "links_to": len(self.linked),
            "evidence": [{"url": url, "confidence": round(confidence, 6)} for _, confidence, url in self.evidence],
        }

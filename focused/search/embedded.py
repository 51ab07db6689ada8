"""The engines that need no engine: a full-text index of pages that are here already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from focused.errors import StoreError
from focused.search.engine import DOWN, Answers, SearchFault
from focused.store.fulltext import SearchIndex
from focused.store.pageindex import PageIndex
from focused.urls import site_of

OF_A_SITE = 2  # answers that come before those of other sites, as engines do lest one site fills the page
_LOOKED_AT = 50  # answers looked through for each that is wanted


@dataclass
class Embedded:
    """All words must be on a page; the best by BM25 come first, two of a site, then the others."""

    index: PageIndex
    is_local: bool = True

    def ask(self, query: str, most: int) -> Answers:
        try:
            urls, hits = self.index.find(query, _LOOKED_AT * most)
            return Answers(spread(urls)[:most], hits)
        except StoreError as error:
            raise SearchFault(DOWN, str(error)) from None


@dataclass
class OfCrawl:
    """The same over the pages of a crawl."""

    index: SearchIndex
    is_local: bool = True

    def ask(self, query: str, most: int) -> Answers:
        try:
            return Answers([hit.url for hit in self.index.search(query, most)], self.index.count(query))
        except StoreError as error:
            raise SearchFault(DOWN, str(error)) from None


def spread(urls: Iterable[str]) -> list[str]:
    """The first two of every site before all others; otherwise in their order."""
    seen: Counter[str] = Counter()
    ranked = []
    for url in urls:
        seen[site_of(url)] += 1
        ranked.append((seen[site_of(url)] > OF_A_SITE, url))
    return [url for _, url in sorted(ranked, key=lambda pair: pair[0])]

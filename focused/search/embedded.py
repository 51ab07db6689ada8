"""The engines that need no engine: a full-text index of pages that are here already."""

from __future__ import annotations

from dataclasses import dataclass

from focused.errors import StoreError
from focused.search.engine import DOWN, Answers, SearchFault
from focused.store.fulltext import SearchIndex
from focused.store.pageindex import PageIndex


@dataclass
class Embedded:
    """All words must be on a page; the best by BM25 come first."""

    index: PageIndex
    is_local: bool = True

    def ask(self, query: str, most: int) -> Answers:
        try:
            return Answers(*self.index.find(query, most))
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

"""The parts of a link's score, computed anew from the page as it was recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
from warcio.archiveiterator import ArchiveIterator

from focused.orderings.base import Ordering
from focused.page import Page, PageReader
from focused.store.answers import PageRow
from models.model import PageModel


@dataclass(slots=True)
class ScoreTerms:
    """Asks the ordering about one link of a page; what it has learned since then shows in the answer."""

    warc: Callable[[str], Path]  # by segment
    reader: PageReader
    model: PageModel
    ordering: Ordering

    def __call__(self, source: PageRow, target: PageRow) -> Mapping[str, float]:
        page = self._page(source)
        for index, link in enumerate(page.links if page else ()):
            if page and link.url == target.url:
                return self.ordering.terms(page, index)
        return {}

    def _page(self, row: PageRow) -> Page | None:
        warc = self.warc(row.segment)
        if row.warc_offset is None or not warc.is_file():
            return None
        with warc.open("rb") as file:
            file.seek(row.warc_offset)
            record = next(ArchiveIterator(file))
            content_type = record.http_headers.get_header("Content-Type", "")
            page = self.reader.read(row.url, record.content_stream().read(), content_type)
        page.id, page.site_id, page.depth = row.id, row.site_id, row.depth
        page.trail = orjson.loads(row.trail) if row.trail else None
        page.take(self.model.judge(page))
        return page

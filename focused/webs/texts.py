"""The text of pages as they were recorded."""

from __future__ import annotations

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from focused.page import PageReader
from focused.store.fulltext import NewPage
from focused.store.queries import Reading
from models.text import Vocabulary


class Texts:
    """Called with a page; a page that was not recorded, or cannot be read any more, has no text."""

    def __init__(self, reading: Reading) -> None:
        self._warc = reading.warc
        self._reader = PageReader(Vocabulary())

    def __call__(self, page: NewPage) -> str:
        if page.warc_offset is None:
            return ""
        try:
            with self._warc(page.segment).open("rb") as file:
                file.seek(page.warc_offset)
                record = next(ArchiveIterator(file))
                kind = record.http_headers.get_header("Content-Type", "")
                return self._reader.read(page.url, record.content_stream().read(), kind).text
        except (OSError, StopIteration, ArchiveLoadFailed, AttributeError):
            return ""

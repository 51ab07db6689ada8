"""Finished websites on their way to the spider: lines of sites.jsonl that its pipelines have not had yet.

A website is known when a page of it is committed, or lost: too late to be an item of that page. So it is taken out of
what is committed, and how far that has come is part of a later commit: each is given once, and once more only after a
kill between the two.
"""

from __future__ import annotations

from focused.crawl import Crawl
from focused.outputs import Output


class Outbox:
    """In the order the websites were finished."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._given = {name: int(value) for name, value in crawl.store.meta().items() if name.startswith("given_")}

    @property
    def is_empty(self) -> bool:
        return self._file is None or self._begin >= self._file.size

    def lines(self) -> list[bytes]:
        """Those there are; only to be asked right after a commit, when all that was written is committed."""
        if self._file is None or self.is_empty:
            return []
        with self._file.path.open("rb") as file:
            file.seek(self._begin)
            return file.read(self._file.size - self._begin).splitlines(keepends=True)

    def given(self, line: bytes) -> None:
        """The next one was given."""
        self._given[self._name] = self._begin + len(line)
        self._crawl.store.note(**{self._name: self._begin})

    @property
    def _file(self) -> Output | None:
        """Another one after a worker was shut out and has begun again."""
        return self._crawl.outputs.sites

    @property
    def _begin(self) -> int:
        return self._given.get(self._name, 0)

    @property
    def _name(self) -> str:
        """Each worker has a file of its own."""
        return f"given_{self._file.path.name}" if self._file else ""

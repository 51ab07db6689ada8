"""A crawl database opened for reading. A crawl that is running may be read at the same time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import orjson

from focused.errors import StoreError
from focused.store.sqlite import VERSION


class ReadOnly:
    """One connection that cannot write; use it as a context manager."""

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        if not path.is_file():
            raise StoreError(f"There is no crawl database {path}: run the crawl first.")
        self.path = path
        self.folder = folder or path.parent  # where the crawl's other files are
        try:
            # isolation_level=None: a snapshot is taken only where snapshot() asks for one, so that a reader that
            # stays open never keeps a running crawl's write-ahead log from being folded in.
            self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=10, isolation_level=None)
            self._db.execute("PRAGMA query_only = 1")
            self._check_schema(self.meta().get("schema_version", "0"))
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} cannot be read as a crawl database: {error}.") from error

    def _check_schema(self, version: str) -> None:
        if int(version) > VERSION:
            self.close()
            raise StoreError(
                f"{self.path} has schema {version}, but this focused reads at most {VERSION}: upgrade focused."
            )

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything asked inside sees the same moment of a running crawl."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def _all(self, sql: str, *values: Any) -> list[Any]:
        return self._db.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: Any) -> Any:
        return self._db.execute(sql, values).fetchone()

    def meta(self) -> dict[str, str]:
        return {name: str(value) for name, value in self._all("SELECT name, value FROM meta ORDER BY name")}

    def memory(self, owner: str) -> dict[str, Any]:
        """What the ordering (or the budget) remembers, by part."""
        rows = self._all("SELECT name, value FROM memory WHERE name GLOB ?", f"{owner}.*")
        return {name.partition(".")[2]: orjson.loads(value) for name, value in rows}

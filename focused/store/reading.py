"""A crawl database opened for reading. A crawl that is running may be read at the same time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import orjson

from focused.errors import StoreError
from focused.store.dialect import POSTGRES, SQLITE
from focused.store.place import DATABASE
from focused.store.sqlite import VERSION


class ReadOnly:
    """One connection that cannot write; use it as a context manager."""

    def __init__(self, place: Path | str, folder: Path | None = None) -> None:
        """`place`: a file, or the URL of a PostgreSQL database with the crawl in a schema of the folder's name."""
        if isinstance(place, str):
            assert folder is not None
            self.path, self.folder, self.sql = folder / DATABASE, folder, POSTGRES
            from focused.store.shared_reading import SharedDatabase  # its driver is loaded only where it is asked for

            self._db: Any = SharedDatabase(place, folder.name)
        else:
            self.path, self.folder, self.sql = place, folder or place.parent, SQLITE
            self._open_file(place)

    def _open_file(self, path: Path) -> None:
        if not path.is_file():
            raise StoreError(f"There is no crawl database {path}: run the crawl first.")
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

    def warc(self, segment: str) -> Path:
        """The file with the records of a worker's pages."""
        return self.folder / f"pages{segment}.warc.gz"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything asked inside sees the same moment of a running crawl."""
        self._db.execute(self.sql.begin)
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def _all(self, sql: str, *values: Any) -> list[Any]:
        return list(self._db.execute(sql, values).fetchall())

    def _one(self, sql: str, *values: Any) -> Any:
        return self._db.execute(sql, values).fetchone()

    def meta(self) -> dict[str, str]:
        return {name: str(value) for name, value in self._all("SELECT name, value FROM meta ORDER BY name")}

    def memory(self, owner: str) -> dict[str, Any]:
        """What the ordering (or the budget) remembers, by part; of several workers that with most commits."""
        sql = f"SELECT name, value FROM memory WHERE name LIKE ? AND {self.sql.of_one}"
        rows = self._all(sql, f"{owner}.%")
        return {name.partition(".")[2]: orjson.loads(value) for name, value in rows}

"""Where a test keeps its crawl: a SQLite file or a PostgreSQL database, both real."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from focused.store.interface import CrawlStore
from focused.store.postgres import PostgresStore
from focused.store.sqlite import SqliteStore
from tests.rig.postgres import server

KINDS = ("sqlite", "postgres")
_numbers = count(1)
# What version 4 of the schema on PostgreSQL has made of version 3, taken back.
TO_VERSION_3 = """DROP TABLE letter; ALTER TABLE page DROP COLUMN links;
    CREATE TABLE rescored (page_id BIGINT NOT NULL, site_id BIGINT NOT NULL, score DOUBLE PRECISION NOT NULL);
    UPDATE meta SET value = '3' WHERE name = 'schema_version'"""


class Place:
    """One crawl, opened again and again."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.folder = folder
        self.url = server().url() if kind == "postgres" else ""
        self.schema = f"crawl_{next(_numbers)}"
        self._open: list[CrawlStore] = []

    def reopen(self) -> Any:
        """As a new process would: what was not committed is gone."""
        self.close()
        self._open.append(self.opened())
        return self._open[0]

    def opened(self) -> CrawlStore:
        return PostgresStore(self.url, self.schema, self.folder) if self.url else SqliteStore(self.folder / "crawl.db")

    def close(self) -> None:
        while self._open:
            self._open.pop().close()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        if not self.url:
            with closing(sqlite3.connect(self.folder / "crawl.db")) as db:
                return db.execute(sql).fetchall()
        with psycopg.connect(self.url, options=f"-c search_path={self.schema}") as shared:
            return shared.execute(sql).fetchall()


class Two(Place):
    """Two workers, each with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__("postgres", folder)
        self.first, self.second = (self._worker(name) for name in ("first", "second"))

    def _worker(self, name: str) -> PostgresStore:
        folder = self.folder / name
        folder.mkdir()
        store = PostgresStore(self.url, self.schema, folder)
        self._open.append(store)
        return store

    def is_silent(self, store: PostgresStore) -> None:
        """Its lease has run out."""
        self.do(f"UPDATE worker SET alive_until = now() - interval '1 s' WHERE id = {store.team.me.id}")
        store_start = "SELECT pg_postmaster_start_time() < now() - interval '0.2 s'"
        while not self.rows(store_start)[0][0]:
            pass
        self.first.team.lease = self.second.team.lease = 0.1

    def do(self, sql: str) -> None:
        with psycopg.connect(self.url, autocommit=True, options=f"-c search_path={self.schema}") as db:
            db.execute(sql)

"""A shared crawl opened for reading: PostgreSQL behind the calls of sqlite3 that readers use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from focused.errors import StoreError
from focused.store.crawl_schema import MIGRATIONS, VERSION
from focused.store.session import Session

_MARK = re.compile(r"\?|:(\w+)|%")


class SharedDatabase:
    """One connection that cannot write."""

    def __init__(self, url: str, schema: str) -> None:
        self._session = Session(url, schema, read_only=True)
        self._check(schema)

    def _check(self, schema: str) -> None:
        (known,) = self._session.one("SELECT to_regclass(%s)", f'"{schema}".meta')
        if known is None:
            self.close()
            raise StoreError(f"There is no crawl '{schema}' in {self._session.name}: run the crawl first.")
        (found,) = self._session.one("SELECT value FROM meta WHERE name = 'schema_version'")
        if int(found) not in {*MIGRATIONS, VERSION}:
            self.close()
            raise StoreError(
                f"Crawl '{schema}' in {self._session.name} has schema version {found}, but this program reads "
                f"{min(MIGRATIONS)} to {VERSION}: use its program."
            )

    def execute(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        translated = _translated(query)
        return self._session.run(lambda db: db.execute(translated, values))

    def close(self) -> None:
        self._session.close()


def crawls_in(url: str) -> list[str]:
    """The names of the crawls in a database."""
    session = Session(url, "public", read_only=True)
    sql = """SELECT nspname FROM pg_namespace WHERE to_regclass(format('%%I.meta', nspname)) IS NOT NULL
        AND to_regclass(format('%%I.inbox', nspname)) IS NOT NULL ORDER BY 1"""
    try:
        return [name for (name,) in session.run(lambda db: db.execute(sql, ()).fetchall())]
    finally:
        session.close()


def _translated(query: str) -> str:
    """Marks for values as psycopg writes them.

    >>> _translated("SELECT ? WHERE why LIKE 'un%' AND step = :step")
    "SELECT %s WHERE why LIKE 'un%%' AND step = %(step)s"
    """

    def mark(found: re.Match[str]) -> str:
        return {"?": "%s", "%": "%%"}.get(found[0]) or f"%({found[1]})s"

    return _MARK.sub(mark, query)

"""The schema of a crawl on PostgreSQL: made when it is missing, checked when it is there."""

from __future__ import annotations

from importlib import resources

import psycopg
from psycopg import sql

from focused.errors import StoreError
from focused.store.session import Connection, Session, reason

VERSION = 1
MIGRATIONS: dict[int, str] = {}  # from a version to the next: SQL
_LOCK = 0x666F6375  # "focu": one worker at a time makes a schema


def prepare(session: Session) -> None:
    """Raises StoreError if the crawl cannot be kept there."""
    try:
        session.run(lambda db: _prepare(db, session))
    except psycopg.errors.InsufficientPrivilege as error:
        raise StoreError(
            f"FOCUSED_STORE: this user may not keep crawl '{session.schema}' in {session.name} ({reason(error)}): "
            "ask for GRANT CREATE ON DATABASE, or for the rights on that schema."
        ) from None


def _prepare(db: Connection, session: Session) -> None:
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCK, session.schema))
        found = _version(db, session)
        if found is None:
            db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(session.schema)))
            db.execute(resources.files("focused.store").joinpath("postgres.sql").read_text())
            db.execute("INSERT INTO meta VALUES ('schema_version', %s)", (str(VERSION),))
            found = VERSION
        while found in MIGRATIONS:
            db.execute(MIGRATIONS[found])
            found += 1
            db.execute("UPDATE meta SET value = %s WHERE name = 'schema_version'", (str(found),))
        if found != VERSION:
            raise StoreError(
                f"Crawl '{session.schema}' in {session.name} has schema version {found} and this program writes "
                f"{VERSION}: use its program."
            )


def _version(db: Connection, session: Session) -> int | None:
    """None: there is no crawl of this name yet."""
    known = db.execute("SELECT to_regclass(%s)", (f'"{session.schema}".meta',)).fetchone()
    if known is None or known[0] is None:
        return None
    row = db.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchone()
    if row is None:
        raise StoreError(
            f"Schema '{session.schema}' in {session.name} is no crawl's: give another FOCUSED_CRAWL or database."
        )
    return int(row[0])

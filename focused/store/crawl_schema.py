"""The schema of a crawl on PostgreSQL: made when it is missing, checked when it is there."""

from __future__ import annotations

from importlib import resources

from psycopg import sql

from focused.errors import StoreError
from focused.store.session import Connection, Session

VERSION = 4
_WORDS = "regexp_replace(lower({}), '[^[:alnum:]]+', ' ', 'g')"  # of pages whose texts no worker has told


def _file(name: str) -> str:
    return resources.files("focused.store").joinpath(name).read_text()


MIGRATIONS = {  # from a version to the next: SQL
    1: """CREATE TABLE bundle (part TEXT NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL,
        content BYTEA NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (part, version))""",
    2: f"""SET LOCAL statement_timeout = 0; {_file("texts.sql")}
        INSERT INTO page_text SELECT id, '', setweight(to_tsvector('words', {_WORDS.format("coalesce(title, '')")}),
            'A') || setweight(to_tsvector('words', {_WORDS.format("url")}), 'B') FROM page WHERE visit IS NOT NULL""",
    3: """CREATE TABLE letter (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, site_id BIGINT NOT NULL,
        page_id BIGINT, value DOUBLE PRECISION NOT NULL);
        CREATE INDEX letter_site ON letter (site_id);
        INSERT INTO letter (site_id, page_id, value) SELECT site_id, page_id, score FROM rescored;
        DROP TABLE rescored;
        ALTER TABLE page ADD COLUMN links INTEGER""",
}
_LOCK = 0x666F6375  # "focu": one worker at a time makes a schema


def prepare(session: Session) -> None:
    """Raises StoreError if the crawl cannot be kept there."""
    session.run(lambda db: _prepare(db, session))


def _prepare(db: Connection, session: Session) -> None:
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCK, session.schema))
        found = _version(db, session)
        if found is None:
            db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(session.schema)))
            db.execute(_file("postgres.sql"))
            db.execute(_file("texts.sql"))
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

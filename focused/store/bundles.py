"""What a shared crawl goes by, kept in its database: packed files with their digest, a new version for each change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from focused.store.crawl_schema import prepare
from focused.store.session import Connection, Session, shown

_LATEST = "SELECT DISTINCT ON (part) part, digest, content FROM bundle ORDER BY part, version DESC"
_PUT = """INSERT INTO bundle (part, version, digest, content)
    SELECT %s, coalesce(max(version), 0) + 1, %s, %s FROM bundle WHERE part = %s RETURNING version"""
_TELL = "INSERT INTO event (at, kind, detail) VALUES (extract(epoch FROM clock_timestamp()), 'changed', %s)"
_LOCK = 0x62756E64  # "bund": one worker at a time changes what the crawl goes by


class Packed(NamedTuple):
    """One part: the topic, its examples or its model."""

    digest: str
    content: bytes


class Bundles:
    """Of one crawl; a connection lasts as long as a question, for between two of them a model may be trained."""

    def __init__(self, url: str, schema: str) -> None:
        self.url, self.schema = url, schema
        self.name = shown(url)

    def latest(self) -> dict[str, Packed]:
        """By part; nothing if there is no crawl of this name yet."""
        with self._session() as session:
            (known,) = session.one("SELECT to_regclass(%s)", f'"{self.schema}".bundle')
            rows = session.all(_LATEST) if known is not None else []
        return {part: Packed(digest, bytes(content)) for part, digest, content in rows}

    def put(self, parts: Mapping[str, Packed], over: Mapping[str, str]) -> bool:
        """All or nothing. `over` are the digests these parts are to follow; False: another one was quicker."""
        with self._session() as session:
            prepare(session)
            return session.run(lambda db: self._put(db, parts, over))

    def _put(self, db: Connection, parts: Mapping[str, Packed], over: Mapping[str, str]) -> bool:
        with db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCK, self.schema))
            known = {part: digest for part, digest, _ in db.execute(_LATEST)}
            wanted = {part: packed.digest for part, packed in parts.items()}
            if any(known.get(part) not in (over.get(part), digest) for part, digest in wanted.items()):
                return False
            for part in (part for part, digest in wanted.items() if known.get(part) != digest):
                row = db.execute(_PUT, (part, *parts[part], part)).fetchone()
                if row and row[0] > 1:
                    db.execute(_TELL, (f"{part}, version {row[0]}",))
        return True

    def workers(self) -> int:
        """How many are at work, or may be: their lease has not run out."""
        with self._session() as session:
            return int(session.one("SELECT count(*) FROM worker WHERE alive_until > now()")[0])

    @contextmanager
    def _session(self) -> Iterator[Session]:
        session = Session(self.url, self.schema)
        try:
            yield session
        finally:
            session.close()

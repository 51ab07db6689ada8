"""A connection to PostgreSQL that comes back: after a restart of the server the same work is done again."""

from __future__ import annotations

import errno
import logging
import os
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import FloatLoader

from focused.errors import StoreError
from focused.stop import Stopped

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]
PATIENCE = 120.0  # seconds that the server may be away before the crawl ends
OPTIONS = (
    "-c statement_timeout=60s -c lock_timeout=5s -c idle_in_transaction_session_timeout=30s "
    "-c jit=off -c timezone=UTC -c client_min_messages=warning"
)
# Who writes and waits for its client that long is asleep: no timeout of the server ends a pipeline without its end.
_END_SLEEPERS = """SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name = 'focused'
    AND backend_xid IS NOT NULL AND wait_event = 'ClientRead' AND xact_start < clock_timestamp() - interval '5 s'"""
_AWAY = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.IdleInTransactionSessionTimeout)
_FULL = tuple(map(os.strerror, (errno.EDQUOT, errno.EFBIG)))
logger = logging.getLogger(__name__)
logging.getLogger("psycopg").setLevel(logging.ERROR)  # a lost connection is no news: what it carried is sent again


class Unreachable(StoreError):
    """Nobody answers there, or nobody is let in."""


class Whole(FloatLoader):
    """A sum of integers is an integer, whatever PostgreSQL calls its type."""

    def load(self, data: Any) -> Any:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


class Session:
    """`schema` is that of the crawl; every statement outside a transaction is one of its own."""

    def __init__(self, url: str, schema: str, read_only: bool = False) -> None:
        self.url, self.schema, self.read_only = url, schema, read_only
        self.name = shown(url)
        self.patience = PATIENCE
        try:
            self.db = self._connected()
        except psycopg.Error as error:
            raise Unreachable(
                f"FOCUSED_STORE: {self.name} cannot be reached ({reason(error)}): is the server running, "
                "and are user, password and database right?"
            ) from None

    def _connected(self) -> Connection:
        """The first connection: a server that is about to start is waited for, one that is not there is not."""
        for _ in range(60):
            try:
                return self._connect()
            except psycopg.OperationalError as error:
                if "starting up" not in str(error) and "shutting down" not in str(error):
                    raise
                time.sleep(0.5)
        return self._connect()

    def _connect(self) -> Connection:
        db = psycopg.connect(
            self.url, autocommit=True, connect_timeout=10, keepalives_idle=10, keepalives_interval=5,
            keepalives_count=3, options=OPTIONS, application_name="focused",
        )  # fmt: skip
        db.adapters.register_loader("numeric", Whole)
        db.prepare_threshold = 1
        db.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(self.schema)))
        if self.read_only:
            db.execute("SET default_transaction_read_only = on")
        return db

    def run(self, work: Callable[[Connection], T]) -> T:
        """Do the work; if the server goes away in the middle, again. The work must bear that."""
        deadline, tries = time.monotonic() + self.patience, 0
        while True:
            try:
                if self.db.closed:
                    self.db = self._connect()
                return work(self.db)
            except psycopg.errors.InsufficientPrivilege as error:
                raise StoreError(
                    f"FOCUSED_STORE: this user may not keep or read crawl '{self.schema}' in {self.name} "
                    f"({reason(error)}): ask for GRANT CREATE ON DATABASE, or for the rights on that schema."
                ) from None
            except (psycopg.errors.DiskFull, psycopg.errors.InternalError_) as error:
                if not _is_full(error):
                    raise
                raise OSError(errno.ENOSPC, f"the disk of {self.name} is full: {reason(error)}") from error
            except _AWAY as error:
                if time.monotonic() > deadline:
                    self.patience = 0.0  # nothing more is waited for
                    logger.error("%s has been away for %.0f s: %s", self.name, PATIENCE, reason(error))
                    raise Stopped("database_gone") from error
                tries += 1
                self._pause(error, tries)

    def _pause(self, error: psycopg.Error, tries: int) -> None:
        """Before the next try, with a better connection or with fewer locks in the way."""
        logger.info("%s: %s; try %d", self.name, reason(error), tries)
        if isinstance(error, psycopg.InterfaceError) or self.db.broken:
            self.db.close()
        elif isinstance(error, psycopg.errors.LockNotAvailable):
            with suppress(psycopg.Error):
                end_sleepers(self.db)
        time.sleep(min(1.0, 0.05 * 2 ** min(tries, 5)) * random.uniform(0.5, 1.0))

    def one(self, query: str, *values: Any) -> Any:
        return self.run(lambda db: db.execute(query, values).fetchone())

    def all(self, query: str, *values: Any) -> list[Any]:
        return self.run(lambda db: db.execute(query, values).fetchall())

    def close(self) -> None:
        self.db.close()


def end_sleepers(db: Connection) -> None:
    """A worker that fell asleep in the middle of a commit must not keep locked what all need. It commits again."""
    db.execute(_END_SLEEPERS)


def _is_full(error: psycopg.Error) -> bool:
    """PostgreSQL has a name for a full disk, and none for a quota or a limit of a file's size that is reached."""
    return isinstance(error, psycopg.errors.DiskFull) or str(error).rstrip(".").endswith(_FULL)


def reason(error: BaseException) -> str:
    """The first line of what PostgreSQL says, without the password it may repeat."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r"password=\S+|://[^@/ ]*@", "…", lines[0].strip().rstrip("."))


def shown(url: str) -> str:
    """Where a database is, without user and password."""
    try:
        known = conninfo_to_dict(url)
    except psycopg.Error as error:
        raise StoreError(
            f"FOCUSED_STORE is no address of a database ({reason(error)}): give postgresql://USER@HOST/DATABASE."
        ) from None
    return f"postgresql://{known.get('host') or 'localhost'}/{known.get('dbname') or ''}"

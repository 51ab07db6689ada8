"""The disk of PostgreSQL is full: the crawl ends with that sentence; with room again it goes on and nothing is lost."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from focused.store.postgres import PostgresStore
from tests.faults.test_disk_full import tiny_disk
from tests.focused.store.test_store import pages
from tests.rig.check import jsonl_is_whole, warc_is_whole
from tests.rig.plan import Shape
from tests.rig.postgres import PostgresServer
from tests.rig.run import Command
from tests.rig.web import LoopbackWeb

SHAPE = Shape(pages=120, sites=4)
GROUP = 2000
ROOM = 16 * 1024  # bytes left on the full disk
LIMIT = 1_200_000  # bytes a file may have: more than one of the write-ahead log, whose loss would end the server


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    server = PostgresServer(segment=1)
    yield server
    server.remove()


def restart(server: PostgresServer, file_limit: int = 0) -> None:
    server.stop(signal.SIGINT)
    server.file_limit = file_limit
    server.start()


def test_files_of_the_server_that_may_not_grow_end_the_crawl_and_lose_nothing(
    server: PostgresServer, tmp_path: Path
) -> None:
    """The server's own writes fail. Needs no disk to fill, so it can be done everywhere."""
    restart(server, LIMIT)
    with closing(PostgresStore(server.url(), "limited", tmp_path)) as store:
        (site,) = store.enter_sites(["a.example"])
        committed = 0
        with pytest.raises(OSError, match=r"the disk of postgresql://.* is full: could not extend file"):
            for first in range(1, 40 * GROUP, GROUP):
                store.add(pages(first, GROUP, site.id))
                store.commit({})
                committed += GROUP
        assert committed > 0
        restart(server)
        store.roll_back()
        assert store.session.one("SELECT count(*) FROM page") == (committed,), "all of a commit or nothing of it"
        store.add(pages(committed + 1, GROUP, site.id))
        store.commit({})
        assert store.session.one("SELECT count(*) FROM page") == (committed + GROUP,)


def test_a_full_disk_of_the_server_is_told_and_survived(server: PostgresServer, tmp_path: Path) -> None:
    # Not in pytest's folder, which each of its runs closes to the server's user again.
    with LoopbackWeb(SHAPE) as web, TemporaryDirectory() as place, tiny_disk(Path(place, "disk"), "64m") as disk:
        store = database_on(server, disk)
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {"FOCUSED_STORE": store})
        assert command.but(FOCUSED_MAX_PAGES=20).run().code == 0
        filler = filled(disk)
        for _ in range(2):  # the second time it is still full
            ended = command.run()
            assert ended.code != 0, str(ended)
            assert "the disk is full" in ended.out + ended.err, str(ended)
            assert "Traceback" not in ended.out + ended.err, str(ended)
        assert 20 <= len(had(store)) < len(web.urls("ok"))
        filler.unlink()
        ended = command.run()
        assert ended.code == 0, str(ended)
        assert had(store) == web.urls("ok")
        assert {*warc_is_whole(command.data / "pages.warc.gz")} >= web.urls("ok")
        listed = [item["url"] for item in jsonl_is_whole(command.data / "pages.jsonl")]
        assert sorted(listed) == sorted(web.urls("ok"))
        server.ask("DROP DATABASE tiny")
        server.ask("DROP TABLESPACE tiny")


def filled(disk: Path) -> Path:
    """But for a little room."""
    filler, free = disk / "filler", os.statvfs(disk)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize - ROOM)
    return filler


def database_on(server: PostgresServer, disk: Path) -> str:
    """All its tables are on that disk; the write-ahead log is elsewhere."""
    for folder in (disk, disk.parent):
        folder.chmod(0o755)
    place = disk / "tables"
    place.mkdir()
    if server.user:
        shutil.chown(place, server.user, pwd.getpwnam(server.user).pw_gid)
    server.ask(f"CREATE TABLESPACE tiny LOCATION '{place}'")
    server.ask("CREATE DATABASE tiny TABLESPACE tiny")
    return server.url("tiny")


def had(store: str) -> set[str]:
    with psycopg.connect(store, options="-c search_path=crawl") as db:
        return {url for (url,) in db.execute("SELECT url FROM page WHERE visit IS NOT NULL")}

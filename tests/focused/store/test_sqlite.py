"""What is the SQLite store's own: one file, one writer. What it shares with PostgreSQL is in test_store.py."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focused.errors import StoreError
from focused.store.place import reachable
from focused.store.sqlite import SqliteStore
from tests.focused.store.test_store import pages

Open = Callable[[], SqliteStore]


@pytest.fixture
def reopen(tmp_path: Path) -> Iterator[Open]:
    """Opens the store again, as a new process would: what was not committed is gone."""
    stores: list[SqliteStore] = []

    def again() -> SqliteStore:
        while stores:
            stores.pop().close()
        stores[:] = [SqliteStore(tmp_path / "crawl.db")]
        return stores[0]

    yield again
    for store in stores:
        store.close()


def filled(reopen: Open, count: int = 5) -> SqliteStore:
    store = reopen()
    store.enter_sites(["a.example"])
    store.add(pages(1, count))
    store.commit({})
    return store


def test_a_second_crawler_is_refused(reopen: Open) -> None:
    store = filled(reopen)
    with pytest.raises(StoreError, match="Another crawl is running"):
        SqliteStore(store.path)


def test_a_newer_store_is_refused_and_left_alone(reopen: Open) -> None:
    store = filled(reopen)
    store.note(schema_version=999)
    store.commit({})
    with pytest.raises(StoreError, match="999"):
        reopen()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(b"not a database, but somebody's file" * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        SqliteStore(path)
    assert path.read_bytes().startswith(b"not a database")


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "crawl.db").mkdir()
    with pytest.raises(StoreError, match=r"crawl\.db cannot be used"):
        SqliteStore(tmp_path / "crawl.db")


def test_a_folder_behind_a_closed_door_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", closed)
    with pytest.raises(StoreError, match=r"closed cannot be read \(Permission denied\); give another one"):
        reachable(tmp_path / "closed")


def test_the_file_is_sound_after_all_this(reopen: Open) -> None:
    store = filled(reopen, 1000)
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)

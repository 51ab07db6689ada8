"""After a step that broke in the middle nothing is committed any more, whoever asks for it."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.errors import StoreError
from focused.stop import Stopped
from focused.urls import key_of
from focused.visit import Visit
from tests.focused.test_crawl_hooks import opened


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    made, _ = opened(tmp_path / "c", FOCUSED_STRICT_ORDER=0)
    for number in range(3):
        url = f"http://s{number}.example/"
        made.ask(Asked(url, key_of(url)))
    made.commit()
    return made


def under_way(crawl: Crawl) -> Visit:
    visit = crawl.next()
    assert visit is not None
    return visit


def states(crawl: Crawl) -> list[tuple[Any, ...]]:
    """As another process sees them."""
    with closing(sqlite3.connect(crawl.store.path)) as db:
        return db.execute("SELECT state, outcome FROM page ORDER BY id").fetchall()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, "no room"), "disk_full"),
        (ValueError("a bug"), "error"),
        (Stopped("database_gone"), "database_gone"),
        (StoreError("Not allowed any more."), "error"),
    ],
)
def test_no_step_is_taken_after_one_that_broke(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    broken, sound = under_way(crawl), under_way(crawl)
    crawl.commit()
    before = states(crawl)

    def breaks(*_: object) -> None:
        raise error

    monkeypatch.setattr(crawl.ordering, "failed", breaks)
    with pytest.raises(Stopped, match=reason):
        crawl.failed(broken, "not_found")  # its row says so already; its site does not
    monkeypatch.undo()
    for step in (crawl.commit, lambda: crawl.finish(sound), lambda: crawl.failed(sound, "not_found"), crawl.next):
        with pytest.raises(Stopped, match=reason):
            step()
    assert states(crawl) == before
    crawl.close(reason)
    assert states(crawl) == before
    assert crawl.store.meta()["stop_reason"] == reason


def test_what_others_do_to_its_store_is_a_step_like_its_own(crawl: Crawl) -> None:
    def breaks(number: int) -> None:
        crawl.store.note(half=number)
        raise OSError(errno.ENOSPC, "no room")

    with pytest.raises(Stopped, match="disk_full"):
        crawl.do(breaks, 7)
    with pytest.raises(Stopped, match="disk_full"):
        crawl.commit()
    crawl.abandon()

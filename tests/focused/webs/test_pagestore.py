"""A corpus is made ready once, safely, and takes little memory."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from pathlib import Path

import pytest

from focused.webs import pagestore
from focused.webs.pages import PagesWeb
from tests.focused.webs.collected import A, jsonl, page, web_of


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made ready goes to .cache of the working folder."""
    monkeypatch.chdir(tmp_path)


def stores() -> list[str]:
    return sorted(path.name for path in pagestore.CACHE.iterdir())


def test_a_file_is_made_ready_once_and_again_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    web_of(page(A, "old"))
    before = stores()
    making = pagestore._Making.run
    monkeypatch.setattr(pagestore._Making, "run", None)
    assert b"old" in PagesWeb("web.jsonl.gz").fetch(A).body and stores() == before
    monkeypatch.setattr(pagestore._Making, "run", making)
    assert b"newer" in web_of(page(A, "newer")).fetch(A).body
    assert len(stores()) == 1 and stores() != before


def test_a_web_that_is_open_survives_the_store_being_made_anew() -> None:
    first = web_of(page(A, "old"))
    second = web_of(page(A, "newer"))
    assert b"old" in first.fetch(A).body and b"newer" in second.fetch(A).body


def test_two_that_make_it_at_once_both_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    making = pagestore._Making.run
    quicker: list[int] = []

    def overtaken(self: pagestore._Making) -> None:
        making(self)
        monkeypatch.setattr(pagestore._Making, "run", making)
        assert PagesWeb("web.jsonl.gz").fetch(A).status == 200
        quicker.extend(folder.stat().st_ino for folder in pagestore.CACHE.glob("web-*"))

    monkeypatch.setattr(pagestore._Making, "run", overtaken)
    assert b"twice" in web_of(page(A, "twice")).fetch(A).body
    assert [folder.stat().st_ino for folder in pagestore.CACHE.iterdir()] == quicker  # nobody's is taken away


def test_what_a_dead_process_left_is_cleared_away() -> None:
    left = pagestore.CACHE / "draft-dead"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))
    web_of(page(A))
    assert len(stores()) == 1 and not left.exists()


def test_where_nothing_can_be_kept_the_web_works_all_the_same() -> None:
    Path(".cache").write_text("a file where a folder should be")
    web = web_of(page(A, "words"))
    assert b"words" in web.fetch(A).body


def test_a_damaged_store_is_a_fault_and_no_crash() -> None:
    web = web_of(page(A, "words"))
    next(pagestore.CACHE.glob("*/bodies")).write_bytes(b"x")
    assert web.fetch(A).status == 404 and web.faults == {"unreadable": 1}


def test_memory_stays_small_however_large_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.webs.warcfile.IN_MEMORY", 1_000_000)  # what is inflated beyond it goes to disk
    with gzip.open("large.jsonl.gz", "wb", 1) as out:
        for n in range(100):
            out.write(jsonl(page(f"http://a.example/{n}", os.urandom(50_000).hex(), [A])))
    tracemalloc.start()
    web = PagesWeb("large.jsonl.gz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(web) == 100 and peak < 4_000_000, peak

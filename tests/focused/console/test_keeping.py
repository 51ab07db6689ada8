"""What is slow to count is counted once for all."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from focused.console import keeping
from focused.console.keeping import Kept


def test_an_answer_holds_the_longer_the_longer_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    now, counted = [1000.0], []

    def count() -> int:
        now[0] += 3  # seconds
        counted.append(1)
        return len(counted)

    monkeypatch.setattr(keeping.time, "time", lambda: now[0])
    kept = Kept[int]()
    assert (kept.old("a"), kept.fresh("a"), kept.get("a", count), kept.get("a", count)) == (None, None, 1, 1)
    now[0] += 59
    assert (kept.fresh("a"), kept.get("a", count)) == (1, 1)
    now[0] += 2
    assert (kept.old("a"), kept.fresh("a"), kept.get("a", count), kept.get("b", count)) == (1, None, 2, 3)


def test_who_asks_while_another_counts_gets_the_answer_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "LEAST", 0.0)
    kept, begun, go_on = Kept[str](), threading.Event(), threading.Event()
    kept.get("a", lambda: "before")

    def slow() -> str:
        begun.set()
        assert go_on.wait(10)
        return "after"

    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(kept.get, "a", slow)
        assert begun.wait(10)
        assert kept.get("a", lambda: "twice") == "before"
        go_on.set()
        assert counting.result(10) == "after"


def test_a_count_that_fails_is_tried_again() -> None:
    kept = Kept[int]()
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0)
    assert kept.get("a", lambda: 1) == 1

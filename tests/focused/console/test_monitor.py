"""What a watcher of a crawl is told."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from focused.console import monitor
from focused.console.keeping import LARGE, Kept
from focused.console.monitor import Panel, Pulse, pages_per_second
from focused.store.live import Dot
from focused.store.queries import Reading
from tests.focused.made_crawl import MadeCrawl, small_crawl


def told(pulse: Pulse, reading: Reading) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pulse.beat(reading) or b"{}")
    return found


def test_the_first_beat_is_the_whole_picture(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        first = told(Pulse(), reading)
    assert (first["last"], first["dots"]["visit"], first["dots"]["relevance"]) == (
        4,
        [1, 2, 3, 4],
        [0.2, 0.6, 0.9, 0.8],
    )
    assert first["dots"]["title"] == ["Start", "List", "One", "Two"]
    assert first["average"]["relevance"] == [0.2, 0.4, 0.5667, 0.625]
    assert "b.example" in first["panel"] and "site_closed" in first["panel"] and "Not running" in first["panel"]


def test_nothing_new_is_not_told(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.db.commit()
    with Reading(tmp_path / "crawl.db") as reading:
        pulse = Pulse()
        told(pulse, reading)
        assert pulse.beat(reading) is None
        crawl.fetched("http://b.example/three", 0.7, fetched_at=time.time())
        crawl.db.commit()
        assert told(pulse, reading)["dots"]["visit"] == [1, 2, 3, 4, 5]
        crawl.insert("event", at=1.0, kind="diffusion", detail="ever less")
        crawl.db.commit()
        assert told(pulse, reading)["last"] == 5
        assert pulse.beat(reading) is None


def test_numbers_that_are_slow_to_count_are_counted_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = small_crawl(tmp_path)
    crawl.db.commit()
    count, now = [], [1000.0]

    def slow(reading: Reading, real: Any = monitor.panel_of) -> Any:
        count.append(1)
        now[0] += 3  # seconds that it takes
        return real(reading)

    monkeypatch.setattr(monitor, "panel_of", slow)
    monkeypatch.setattr("focused.console.monitor.time.time", lambda: now[0])
    with Reading(tmp_path / "crawl.db") as reading:
        pulse = Pulse()
        for second in range(50):
            now[0] += 1
            crawl.fetched(f"http://b.example/{second}", 0.7)
            crawl.db.commit()
            assert told(pulse, reading)["last"] == 5 + second
    assert len(count) == 1  # again after a minute
    crawl.db.close()


def test_the_plot_of_a_large_crawl_does_not_wait_for_its_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl, count = small_crawl(tmp_path), []
    crawl.fetched("http://b.example/far", visit=LARGE + 1)
    monkeypatch.setattr(monitor, "panel_of", lambda reading, real=monitor.panel_of: count.append(1) or real(reading))
    with crawl.read() as reading:
        panels = Kept[Panel]()
        pulse = Pulse(panels)
        assert "panel" not in (first := told(pulse, reading)) and first["dots"]["visit"][-1] == LARGE + 1
        assert "URLs known" in (second := told(pulse, reading))["panel"] and "dots" not in second
        assert "panel" in told(Pulse(panels), reading)  # another watcher
    assert len(count) == 1


def test_only_a_crawl_that_runs_has_a_speed(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.db.commit()
    with Reading(tmp_path / "crawl.db") as reading:
        assert "<b>–</b><span>pages/s</span>" in told(Pulse(), reading)["panel"]
        crawl.fetched("http://b.example/three", fetched_at=time.time())  # it was begun again
        crawl.db.commit()
        panel = told(Pulse(), reading)["panel"]
    assert "<b>1.0</b><span>pages/s</span>" in panel
    today = time.strftime("%Y-%m-%d %H:%M")
    assert f"to {today}" in panel and "stopped" not in panel  # what is noted of its end is of the run before


def test_a_crawl_without_pages_is_told_as_well(tmp_path: Path) -> None:
    with MadeCrawl(tmp_path).read() as reading:
        first = told(Pulse(), reading)
    assert (first["last"], first["dots"]) == (0, {})
    assert "No page yet." in first["panel"]


def test_speed_is_that_of_the_last_half_minute() -> None:
    dots = [Dot(n, n, 0.5, 1, 1000.0 + n / 2, "") for n in range(100)]
    assert pages_per_second(dots, 1049.5) == pytest.approx(2.0, rel=0.05)
    assert pages_per_second(dots, 1200.0) == 0.0
    assert pages_per_second([], 1200.0) == 0.0

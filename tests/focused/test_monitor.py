"""focused.monitor: live numbers, alarms, last words."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from rich.live import Live
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager

from focused import monitor
from focused.monitor import Monitor, Watch, line, summary_lines, view
from focused.progress import Progress
from models.similarity import Similarity
from models.text import Vocabulary
from tests.focused.made_crawl import small_crawl


def running(**values: Any) -> Progress:
    return Progress(started=100.0, **values)


def shown(watch: Watch, now: float) -> str:
    file = io.StringIO()
    Console(file=file, width=100).print(view(watch, now))
    return file.getvalue()


def test_speed_is_that_of_the_last_seconds() -> None:
    progress = running(pages=1000)  # of an earlier run
    watch = Watch(progress, 100.0)
    for second in range(1, 21):
        progress.pages += 5 if second <= 10 else 50
        watch.look(100.0 + second)
    assert watch.rate == 50.0


def test_crawl_that_has_just_begun_has_no_speed() -> None:
    assert Watch(running(), 100.0).rate == 0.0


def test_silence_is_an_alarm_until_a_page_comes() -> None:
    progress = running()
    watch = Watch(progress, 100.0)
    watch.look(170.0)
    assert watch.alarms(170.0) == ["silence: no page for 1 min 10 s"]
    progress.pages = 1
    watch.look(171.0)
    assert watch.alarms(171.0) == []


def test_alarms_of_the_crawl_are_shown() -> None:
    progress = running(pages=500)
    progress.alarms.begun(progress.counts)
    watch = Watch(progress, 100.0)
    assert watch.alarms(101.0) == ["stagnation: hardly any links are left to follow"]
    assert "alarm: stagnation" in line(watch, 101.0) and "alarm: stagnation" in shown(watch, 101.0)


def test_line_for_a_log_says_everything() -> None:
    progress = running(pages=1200, relevant=300, sites=40, relevant_sites=10, waiting=5000, failed=3)
    progress.recent.extend([1, 0])
    assert line(Watch(progress, 100.0), 190.0).startswith(
        "1 min 30 s: 1,200 pages, 300 relevant, harvest 25.0 % (last 100: 50.0 %), "
        "10 of 40 sites relevant, 5,000 waiting, 3 failed, 0.0 pages/s"
    )


def test_live_view_shows_titles_without_their_commands() -> None:
    progress = running(pages=50, max_pages=200, relevant=1)
    progress.last_titles.extend(["Bikes \x1b[2J[bold]x[/bold]"])
    text = shown(Watch(progress, 100.0), 101.0)
    assert "50 of 200" in text
    assert "Bikes [2J[bold]x[/bold]" in text and "\x1b" not in text


def test_live_view_has_no_bar_without_a_limit() -> None:
    watch = Watch(running(pages=5), 100.0)
    assert "━" not in shown(watch, 101.0)
    watch.progress.max_pages = 10
    assert shown(watch, 101.0).splitlines()[-1].strip().startswith("━")  # on a line of its own


def test_last_words_say_why_what_where_and_what_next() -> None:
    progress = running(pages=1000, relevant=250, sites=30, relevant_sites=12, waiting=700, failed=9)
    assert summary_lines(progress, Path("crawls/cycling"), "max_pages") == [
        "Stopped: FOCUSED_MAX_PAGES was reached.",
        "Pages: 1,000, relevant: 250, harvest: 25.0 %, sites: 30, relevant sites: 12, waiting: 700, given up: 9",
        "Results: crawls/cycling/ (crawl.db, pages.jsonl, pages.warc.gz)",
        "To go on: raise FOCUSED_MAX_PAGES and run the same command again.",
        "Next: scrapy report cycling",
    ]


def test_last_words_of_a_crawl_without_a_page_name_the_command_that_says_why() -> None:
    words = summary_lines(running(failed=2), Path("/data/my crawl"), "finished")
    assert words[-1].startswith("Next: scrapy explain 'my crawl' SEED -s FOCUSED_DATA_DIR=/data (no page was had")


@pytest.mark.parametrize("given", ["ann:secret@db.example/focused", "ann@db.example/focused?password=secret"])
def test_last_words_of_a_shared_crawl_name_its_store_and_no_password(given: str) -> None:
    words = summary_lines(running(pages=3), Path("crawls/cycling"), "finished", f"postgresql://{given}")
    store = "postgresql://ann@db.example/focused"
    assert words[2] == f"Results: crawls/cycling/ ({store}, pages.jsonl, pages.warc.gz)"
    assert words[-1] == f"Next: scrapy report cycling -s FOCUSED_STORE={store}"


def test_last_words_of_a_stored_crawl_are_the_same(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        words = summary_lines(reading, Path("/data/my crawl"), "finished")
    assert words[1].startswith("Pages: 4, relevant: 3, harvest: 75.0 %")
    assert words[3] == "To go on: add seeds to the topic and run the same command again."
    assert words[4] == "Next: scrapy report 'my crawl' -s FOCUSED_DATA_DIR=/data"


def test_log_lines_go_through_the_live_display(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    handler = logging.StreamHandler()
    monkeypatch.setattr(logging.root, "handlers", [handler])
    live = Live(console=Console(file=screen, force_terminal=True), auto_refresh=False)
    monitor._start(live)
    assert handler.stream is sys.stderr is not screen
    monitor._stop(live)
    assert handler.stream is sys.stderr is screen


@pytest.fixture
def crawler(tmp_path: Path) -> Iterator[Any]:
    """As much of a Crawler as the monitor uses."""
    crawl = SimpleNamespace(progress=running(pages=7), options=SimpleNamespace(folder=tmp_path / "cycling"))
    crawl.outputs, crawl.model = SimpleNamespace(sites=None), Similarity(Vocabulary(), "bicycle")
    stats = SimpleNamespace(get_value=lambda name, default: "max_seconds")
    settings = Settings({"FOCUSED_PROGRESS": True})
    yield SimpleNamespace(focused_crawl=crawl, stats=stats, settings=settings, signals=SignalManager())


def test_monitor_prints_lines_while_it_runs_and_words_at_the_end(
    crawler: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitor, "LINE_EVERY", 0.02)

    async def run() -> None:
        watched = Monitor.from_crawler(crawler)
        watched._opened(SimpleNamespace(name="topic"))  # type: ignore[arg-type]
        while "".join(lines).count("7 pages") < 2:
            await asyncio.sleep(0.02)
            lines.append(capsys.readouterr().err)
        watched._closed(SimpleNamespace(name="topic"), "shutdown")  # type: ignore[arg-type]

    lines: list[str] = []
    asyncio.run(run())
    out = capsys.readouterr().out
    assert "\x1b" not in "".join(lines)
    assert out.startswith("Stopped: FOCUSED_MAX_SECONDS have passed.\nPages: 7")


def test_the_log_file_of_a_job_has_the_last_words_whatever_its_level(
    crawler: Any, caplog: pytest.LogCaptureFixture
) -> None:
    crawler.settings = Settings({"FOCUSED_PROGRESS": False, "LOG_FILE": "job.log", "LOG_LEVEL": "WARNING"})
    crawler.focused_crawl.progress.relevant = 3
    watched = Monitor.from_crawler(crawler)
    with caplog.at_level("WARNING"):
        watched._opened(SimpleNamespace(name="topic"))  # type: ignore[arg-type]
        watched._closed(SimpleNamespace(name="topic"), "shutdown")  # type: ignore[arg-type]
    assert "Stopped: FOCUSED_MAX_SECONDS have passed.\nPages: 7" in caplog.text
    assert "Judged by likeness alone: scrapy train cycling --bootstrap proposes examples." in caplog.text


def test_a_timer_that_fires_early_and_again_prints_one_line(
    crawler: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched, now = Monitor.from_crawler(crawler), 100.0
    watched.watch = Watch(crawler.focused_crawl.progress, now)
    monkeypatch.setattr(monitor, "time", SimpleNamespace(monotonic=lambda: now))
    for now in (104.9996, 104.9998, 105.0001, 109.9999, 110.0):  # noqa: B007, the lambda reads it
        watched._show()
    assert capsys.readouterr().err.count("7 pages") == 2


def test_monitor_draws_on_a_terminal(crawler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")

    async def run() -> None:
        watched = Monitor.from_crawler(crawler)
        watched._opened(SimpleNamespace(name="topic"))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        watched._closed(SimpleNamespace(name="topic"), "finished")  # type: ignore[arg-type]

    asyncio.run(run())
    text = screen.getvalue()
    assert "harvest" in text and text.count("\x1b[?25h") == 1  # the cursor is back
    assert sys.stderr is screen


def test_foreign_scheduler_is_left_alone(crawler: Any, capsys: pytest.CaptureFixture[str]) -> None:
    del crawler.focused_crawl
    watched = Monitor.from_crawler(crawler)
    watched._opened(SimpleNamespace(name="other"))  # type: ignore[arg-type]
    watched._closed(SimpleNamespace(name="other"), "finished")  # type: ignore[arg-type]
    assert capsys.readouterr() == ("", "")

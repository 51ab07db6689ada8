"""A browser that dies, or a page that never ends, costs no URL and leaves nothing behind."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.faults.browsers import DataWeb
from tests.rig.check import outputs_agree, pages_done, rows
from tests.rig.processes import descendants, kill, left_of
from tests.rig.run import Command, Run


def crawl_of(web: DataWeb, folder: Path, **settings: object) -> Command:
    given = {"FOCUSED_RENDER": "always", "FOCUSED_RENDER_SECONDS": 120, **settings}
    return Command(folder / "data", {"topic": web.topic(folder)}, given)


def failed(command: Command) -> int:
    values = rows(command.db, "SELECT value FROM memory WHERE name LIKE 'render.%'")
    return sum(int(json.loads(value)["failed"]) for (value,) in values)


@pytest.mark.parametrize("victim", ["browser", "driver"])
def test_a_killed_browser_costs_no_url_and_leaves_no_process(tmp_path: Path, victim: str) -> None:
    with DataWeb(pages=7) as web:
        web.held = 2
        command = crawl_of(web, tmp_path)
        with Run(command) as run:
            assert web.is_asked.wait(120)  # page 2 is in the browser now
            started = descendants(run.pid)
            assert kill(run.pid, victim)
            web.is_free.set()
            ended = run.wait(240)
        assert ended.code == 0, str(ended)
        assert pages_done(command.db) == web.urls()
        outputs_agree(command.data)
        assert web.shown.count(2) == 2
        assert rows(command.db, "SELECT tries FROM page WHERE url LIKE '%/2'") == [(2,)]
        assert failed(command) >= 1
        assert left_of(started) == []


def test_a_page_that_never_ends_is_read_as_it_was_sent(tmp_path: Path) -> None:
    with DataWeb(pages=0, endless=1) as web:
        command = crawl_of(web, tmp_path, FOCUSED_RENDER_SECONDS=2)
        ended = command.run(240)
        assert ended.code == 0, str(ended)
        assert rows(command.db, "SELECT title, tries FROM page") == [("endless", 1)]
        assert failed(command) == 1


def test_a_killed_crawl_takes_its_browser_along(tmp_path: Path) -> None:
    with DataWeb(pages=1) as web:
        web.held = 0
        with Run(crawl_of(web, tmp_path)) as run:
            assert web.is_asked.wait(120)
            started = descendants(run.pid)
            assert any(process.is_browser for process in started)
            run.kill()
        web.is_free.set()
        assert left_of(started) == []


def test_a_crawl_that_is_stopped_closes_its_browser_and_gives_the_page_back(tmp_path: Path) -> None:
    with DataWeb(pages=1) as web:
        web.held = 0
        command = crawl_of(web, tmp_path)
        with Run(command) as run:
            assert web.is_asked.wait(120)
            started = descendants(run.pid)
            run.send(signal.SIGINT)
            ended = run.wait(120)
        web.is_free.set()
        assert "Stopped: it was interrupted" in ended.out, str(ended)
        assert left_of(started) == []
        assert rows(command.db, "SELECT state, tries FROM page") == [(0, 0)]

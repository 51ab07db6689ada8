"""What a crawl has done lately."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focused.store import live
from focused.store.live import averages, dots, glance, last_events, last_page_at, last_visit
from focused.store.queries import Reading
from tests.focused.made_crawl import BEGIN, MadeCrawl, small_crawl

PAGES = 100_000
# F-19
SERIES = [0.9, 0.8, 0.95, 0.1, 0.7, 0.05, 0.02, 0.01, 0.01, 0.0]
AVERAGE = [0.9, 0.85, 0.883333, 0.6875, 0.6375, 0.45, 0.2175, 0.195, 0.0225, 0.01]


def test_a_glance_counts_as_the_summary_does(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        seen, summary = glance(reading), reading.summary()
    assert seen == (4, 3, 2, False, BEGIN, BEGIN + 60, "max_pages")
    assert (seen.pages, seen.relevant, seen.harvest) == (summary.pages, summary.relevant, summary.harvest)


def test_a_glance_at_a_crawl_that_runs_again(tmp_path: Path) -> None:
    crawl, now = small_crawl(tmp_path), time.time()
    crawl.fetched("http://a.example/new", fetched_at=now)
    with crawl.read() as reading:
        assert glance(reading)[3:] == (True, BEGIN, now, "")


def long_crawl(folder: Path, pages: int) -> Reading:
    """Relevance falls from 1 to 0 again and again; row by row would take too long."""
    crawl = MadeCrawl(folder)
    site = crawl.site("a.example")
    rows = (
        (
            f"http://a.example/{n}",
            site,
            2,
            0.5,
            1,
            n,
            BEGIN + n,
            relevance_of(n),
            int(relevance_of(n) > 0.5),
            f"Page {n}",
        )
        for n in range(1, pages + 1)
    )
    names = "url, site_id, state, score, depth, visit, fetched_at, relevance, relevant, title"
    crawl.db.executemany(f"INSERT INTO page ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return crawl.read()


def relevance_of(visit: int) -> float:
    return (visit * 7919 % 1000) / 1000


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    with long_crawl(tmp_path_factory.mktemp("long"), PAGES) as found:
        yield found


def test_a_long_crawl_is_two_thousand_dots_the_newest_dense(reading: Reading) -> None:
    found = dots(reading, last_visit(reading))
    visits = np.array([dot.visit for dot in found])
    assert len(found) == live.DENSE + live.SPARSE
    assert visits[-live.DENSE :].tolist() == list(range(PAGES - live.DENSE + 1, PAGES + 1))
    assert set(np.diff(visits[: live.SPARSE]).tolist()) == {99}
    assert found[-1] == (PAGES, PAGES, relevance_of(PAGES), 0, BEGIN + PAGES, f"Page {PAGES}")


def test_the_average_is_that_of_the_pages_before(reading: Reading) -> None:
    relevance = np.array([relevance_of(visit) for visit in range(1, PAGES + 1)])
    found = averages(reading, PAGES)
    assert len(found) == live.DENSE + live.AVERAGES
    for point in (found[0], found[live.AVERAGES - 1], found[live.AVERAGES], found[-1]):
        wanted = relevance[max(0, point.visit - live.WINDOW) : point.visit].mean()
        assert point.relevance == pytest.approx(wanted)
        assert point.at == BEGIN + point.visit


def test_only_what_is_shown_is_looked_up(reading: Reading) -> None:
    """Whatever the planner does, it must not read the pages in between."""
    steps: list[int] = []
    reading._db.set_progress_handler(lambda: steps.append(1), 1000)
    assert last_visit(reading) == PAGES and last_page_at(reading) == BEGIN + PAGES
    dots(reading, PAGES)
    averages(reading, PAGES)
    reading._db.set_progress_handler(None, 0)
    assert len(steps) < 350  # thousands of instructions: a pass over all visits alone takes 400


def test_the_worked_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "WINDOW", 4)
    crawl = MadeCrawl(tmp_path)
    for number, relevance in enumerate(SERIES):
        crawl.fetched(f"http://a.example/{number}", relevance)
    with crawl.read() as reading:
        found = averages(reading, last_visit(reading))
    assert [point.relevance for point in found] == pytest.approx(AVERAGE, abs=1e-6)


def test_a_page_that_could_not_be_judged_is_a_dot_at_zero(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.fetched("http://a.example/picture", None)
    with crawl.read() as reading:
        assert [dot.relevance for dot in dots(reading, 5)] == [0.2, 0.6, 0.9, 0.8, 0.0]
        assert (last_visit(reading), last_page_at(reading), last_events(reading)) == (5, BEGIN + 5, 1)


def test_a_crawl_without_pages_has_nothing_to_show(tmp_path: Path) -> None:
    with MadeCrawl(tmp_path).read() as reading:
        assert (last_visit(reading), last_page_at(reading), last_events(reading)) == (0, 0.0, 0)
        assert (dots(reading, 0), averages(reading, 0)) == ([], [])

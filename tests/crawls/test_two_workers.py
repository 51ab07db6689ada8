"""Orderings that look further than one page, with two workers in turn: sites are shared, nothing is had twice."""

from __future__ import annotations

import errno
from pathlib import Path
from threading import Thread, current_thread

import pytest

from focused.assemble import Assembly
from focused.revision import Reviser
from focused.shared_crawl import SharedCrawl
from focused.urls import site_of
from tests.crawls.test_shared_order import TOPIC, fetch, opened
from tests.rig.postgres import server

ROUNDS = 30
Worker = tuple[Assembly, SharedCrawl]
Workers = list[Worker]


@pytest.fixture(scope="module")
def database() -> str:
    return server().fresh()


def two(folder: Path, database: str, ordering: str, **given: object) -> Workers:
    """Each in a place of its own, with the same topic."""
    workers = []
    for name in ("first", "second"):
        place = folder / name / "topic"
        place.mkdir(parents=True)
        (place / "topic.toml").write_text(TOPIC)
        parts, crawl = opened(place, ordering, database, **given)
        assert isinstance(crawl, SharedCrawl)
        workers.append((parts, crawl))
    return workers


def step(parts: Assembly, crawl: SharedCrawl) -> list[str]:
    """One visit, if there is one; what was asked for."""
    crawl.share(at_once=True)
    visit = crawl.next()
    if visit is None:
        return []
    crawl.commit()
    assert crawl.may_fetch(visit)
    fetch(crawl, visit, parts)
    return [visit.url]


def leave(workers: Workers) -> None:
    for _, crawl in workers:
        crawl.close("stopped")
        crawl.abandon()


def killed(folder: Path, database: str, ordering: str, worker: Worker) -> Worker:
    """Its process dies, and another begins in its folder; what it had told the store to remember it knows again."""
    store = worker[1].shared
    mine = store.session.all("SELECT name, value FROM memory WHERE holder = %s", -store.team.me.id)
    worker[1].outputs.close()
    store.close()
    again = opened(folder, ordering, database)
    assert isinstance(again[1], SharedCrawl)
    assert dict(mine).items() <= again[1].team.snapshot(None).memory.items()
    return again[0], again[1]


def test_a_worker_lets_go_of_its_files_though_the_disk_of_the_server_is_full(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = two(tmp_path, database, "best_first")
    crawl = workers[0][1]

    def full() -> None:
        raise OSError(errno.ENOSPC, "the disk is full")

    monkeypatch.setattr(crawl.team, "leave", full)
    crawl.abandon()
    assert crawl.shared.session.db.closed
    leave(workers[1:])


@pytest.mark.parametrize(
    "ordering", ["adaptive", "backlinks", "page_crawler", "pagerank", "soft_focus", "tunnel", "website", "xcrawl"]
)
def test_two_workers_share_the_sites_and_nothing_is_had_twice(tmp_path: Path, database: str, ordering: str) -> None:
    workers = two(tmp_path, database, ordering)
    asked: list[list[str]] = [[], []]
    for number in range(ROUNDS):
        if number == ROUNDS // 2:
            workers[1] = killed(tmp_path / "second/topic", database, ordering, workers[1])
        for (parts, crawl), urls in zip(workers, asked, strict=True):
            urls.extend(step(parts, crawl))
    leave(workers)
    assert len({*asked[0], *asked[1]}) == len(asked[0]) + len(asked[1])
    assert min(map(len, asked)) > ROUNDS // 4
    assert {site_of(url) for url in asked[0]} != {site_of(url) for url in asked[1]}


def test_a_limit_is_passed_at_most_by_what_all_workers_may_have_under_way(tmp_path: Path) -> None:
    """Both begin all they may before either hears of what the other has: as bad as it can get."""
    room, limit = 5, 40
    given = {"FOCUSED_STRICT_ORDER": 0, "CONCURRENT_REQUESTS": room, "FOCUSED_MAX_PAGES": limit, "DOWNLOAD_DELAY": 0}
    workers = two(tmp_path, server().fresh(), "best_first", **given)
    for _ in range(limit):
        begun = []
        for parts, crawl in workers:
            crawl.share(at_once=True)
            visits = list(iter(crawl.next, None))
            crawl.commit()
            begun.append((parts, crawl, [visit for visit in visits if crawl.may_fetch(visit)]))
            assert len(crawl.state.in_flight) <= room
        for parts, crawl, visits in begun:
            for visit in visits:
                fetch(crawl, visit, parts)
    ((pages,),) = workers[0][1].shared.session.all("SELECT pages FROM total")
    leave(workers)
    assert limit <= pages <= limit + len(workers) * room


def test_the_links_of_all_workers_are_drawn_beside_the_crawl(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers, threads = two(tmp_path, database, "hard_focus"), list[Thread]()
    for _, crawl in workers:
        monkeypatch.setattr(crawl, "_drawing", Reviser(at_once=False))
        monkeypatch.setattr(crawl, "_drawn", lambda draw=crawl._drawn: (threads.append(current_thread()), draw())[1])
    for _ in range(10 * ROUNDS):
        for parts, crawl in workers:
            step(parts, crawl)
            crawl._look_back(0)
            crawl.commit()
        if workers[0][1].shared.session.all("SELECT 1 FROM hub"):
            break
    leave(workers)
    assert threads
    assert current_thread() not in threads

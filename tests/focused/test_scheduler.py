"""focused.scheduler: leases of one moment share a commit, and none is fetched before it."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider

from focused import scheduler as module
from focused.crawl import Crawl
from focused.discovery import Asked
from focused.handing import Handing
from focused.scheduler import FocusedScheduler
from focused.urls import key_of
from focused.visit import KEY, Visit
from middlewares.relevance import RelevanceMiddleware
from tests.focused.test_crawl_hooks import opened


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    made, _ = opened(tmp_path / "c", FOCUSED_STRICT_ORDER=0)
    for number in range(9):
        url = f"http://s{number}.example/"
        made.ask(Asked(url, key_of(url)))
    made.commit()
    return made


def scheduler_of(crawl: Crawl) -> FocusedScheduler:
    """Without Scrapy around it: only what leasing needs."""
    made = FocusedScheduler.__new__(FocusedScheduler)
    made.crawl, made._group, made._reason = crawl, None, None
    made._websites = Handing(cast(Crawler, SimpleNamespace()), crawl, lambda: True, lambda: None)
    return made


def leased(crawl: Crawl) -> int:
    """What another process would know to be under way."""
    with closing(sqlite3.connect(crawl.store.path)) as db:
        return int(db.execute("SELECT count(*) FROM page WHERE state = 1").fetchone()[0])


def picked(scheduler: FocusedScheduler) -> Visit:
    visit = scheduler.crawl.next()
    assert visit is not None
    return visit


def taken(scheduler: FocusedScheduler) -> Visit:
    visit = picked(scheduler)
    visit.leased = scheduler._leased()
    return visit


async def fetched(visit: Visit, crawl: Crawl) -> int:
    """How many leases are known when this one may be fetched."""
    await RelevanceMiddleware.process_request(
        RelevanceMiddleware.__new__(RelevanceMiddleware), Request(visit.url, meta={KEY: visit})
    )
    return leased(crawl)


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    return asyncio.run(work())


def test_leases_that_scrapy_asks_for_in_one_go_are_committed_together_before_any_is_fetched(crawl: Crawl) -> None:
    async def work() -> list[int]:
        scheduler = scheduler_of(crawl)
        visits = [taken(scheduler) for _ in range(5)]
        assert leased(crawl) == 0
        return list(await asyncio.gather(*(fetched(visit, crawl) for visit in visits)))

    assert run(work) == [5, 5, 5, 5, 5]
    crawl.abandon()


@pytest.mark.parametrize(("busy", "together"), [(64, [1, 2]), (1, [2, 2])])
def test_only_with_much_under_way_a_lease_waits_for_the_next(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch, busy: int, together: list[int]
) -> None:
    monkeypatch.setattr(module, "BUSY", busy)
    monkeypatch.setattr(module, "MOMENT", 0.5)  # far more than a turn of the loop

    async def work() -> list[int]:
        scheduler = scheduler_of(crawl)
        first = asyncio.create_task(fetched(taken(scheduler), crawl))
        for _ in range(9):
            await asyncio.sleep(0)
        return [await later for later in (first, asyncio.create_task(fetched(taken(scheduler), crawl)))]

    assert run(work) == together
    crawl.abandon()


def test_in_strict_order_a_lease_is_committed_at_once(tmp_path: Path) -> None:
    crawl, _ = opened(tmp_path / "c", FOCUSED_STRICT_ORDER=1)
    crawl.ask(Asked("http://s.example/", key_of("http://s.example/")))
    assert taken(scheduler_of(crawl)).leased is None
    assert leased(crawl) == 1
    crawl.abandon()


def begun(scheduler: FocusedScheduler, *visits: Visit) -> float:
    """The rate of inversions when the downloads begin in this order."""
    for visit in visits:
        scheduler._download_begins(Request(visit.url, meta={KEY: visit}))
    return scheduler.crawl.progress.inversion_rate


def two_picked(scheduler: FocusedScheduler, pick: Callable[[Any, float], int | None]) -> list[Visit]:
    frontier, ids, scores = scheduler.crawl.state.frontier, [2, 3, 4], [0.9, 0.8, 0.7]
    frontier.push(ids, [frontier.site_of(page) for page in ids], scores)
    scheduler.crawl.store.rescore(ids, scores)
    frontier.drop([1, 5, 6, 7, 8, 9, 10])
    scheduler.crawl.ordering.pick = pick  # type: ignore[method-assign]
    return [picked(scheduler) for _ in range(2)]


def best(frontier: Any, now: float) -> int | None:
    return frontier.pick(now)  # type: ignore[no-any-return]


def worst(frontier: Any, now: float) -> int | None:
    page = frontier.best(now, 9)[-1]
    return page if frontier.take(page, now) else None


def test_downloads_in_the_order_of_the_scores_are_no_inversions(crawl: Crawl) -> None:
    scheduler = scheduler_of(crawl)
    assert begun(scheduler, *two_picked(scheduler, best)) == 0.0
    crawl.abandon()


def test_a_better_link_left_in_the_frontier_is_an_inversion(crawl: Crawl) -> None:
    scheduler = scheduler_of(crawl)
    assert begun(scheduler, *two_picked(scheduler, worst)) == 1.0
    crawl.abandon()


def test_a_better_link_overtaken_on_its_way_is_an_inversion(crawl: Crawl) -> None:
    scheduler = scheduler_of(crawl)
    assert begun(scheduler, *reversed(two_picked(scheduler, best))) == 0.5
    crawl.abandon()


def test_a_link_that_rises_after_the_pick_is_news_and_no_inversion(crawl: Crawl) -> None:
    scheduler = scheduler_of(crawl)
    visits = two_picked(scheduler, best)
    crawl.state.frontier.rescore([4], [0.99])
    assert begun(scheduler, *visits) == 0.0
    crawl.abandon()


def test_after_a_commit_that_broke_nothing_more_is_committed(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sizes of the outputs would become true without the pages that are in them."""
    tried: list[dict[str, int]] = []

    def full(offsets: dict[str, int]) -> None:
        tried.append(offsets)
        if len(tried) == 1:
            raise OSError(errno.ENOSPC, "the disk is full")

    ended: list[str] = []
    monkeypatch.setattr(crawl.store, "commit", full)
    monkeypatch.setattr(module, "_close", lambda crawler, reason: ended.append(reason))
    monkeypatch.setattr(module, "_is_closing", lambda crawler: False)
    scheduler = scheduler_of(crawl)
    scheduler.crawler, scheduler._searching = SimpleNamespace(), None
    for _ in range(2):
        with pytest.raises(CloseSpider) as closing_down:
            scheduler._idle()
        assert closing_down.value.reason == "disk_full"
        scheduler._tick()
        scheduler._commit_group()
    assert len(tried) == 1 and ended == ["disk_full"]
    crawl.abandon()

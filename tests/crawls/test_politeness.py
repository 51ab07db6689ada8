"""One request a site at a time, never sooner than the delay, also across restarts; and no time wasted."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

from tests.crawls.politeness import GRACE, by_site, closest, measure
from tests.rig.check import lost
from tests.rig.plan import Shape
from tests.rig.run import Command, Run
from tests.rig.web import LoopbackWeb

ONE = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}


def test_sixty_sites_are_asked_politely(tmp_path: Path) -> None:
    """What share of the time is used is shown here and asked for by `make soak`: this machine may be busy."""
    manners = measure(tmp_path, Shape(pages=60 * 10, sites=60, missing=0, moved=0, latency=0.005), delay=1.0)
    print(manners)
    assert manners.ended.code == 0, str(manners.ended)
    assert manners.most_open == 1
    assert manners.closest >= 1.0 - GRACE
    assert manners.requests == 60 * 10 + 60


def test_manners_do_not_suffer_when_the_crawler_is_out_of_breath(tmp_path: Path) -> None:
    """300 pages/s are allowed, more than most machines can do."""
    manners = measure(tmp_path, Shape(pages=60 * 20, sites=60, missing=0, moved=0, latency=0.005), delay=0.2)
    print(manners)
    assert manners.ended.code == 0, str(manners.ended)
    assert manners.most_open == 1
    assert manners.closest >= 0.2 - GRACE


def test_a_site_that_rests_is_asked_again_when_it_is_ready(tmp_path: Path) -> None:
    """Nothing else happens in a crawl of one site: Scrapy by itself would look again after 5 s, each time."""
    with LoopbackWeb(Shape(pages=12, sites=1, missing=0, moved=0)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {**ONE, "DOWNLOAD_DELAY": 0.2})
        ended = command.run()
        assert ended.code == 0, str(ended)
        waits = [later.start - entry.start for entry, later in pairwise(web.log())]
        assert len(waits) == 11
        assert sum(wait > 2.5 for wait in waits) <= 2, f"{waits}: the machine may have been busy, but not every time"


def test_a_restart_is_not_a_burst(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=100, sites=10, missing=0, moved=0)) as web:
        settings = {**ONE, "DOWNLOAD_DELAY": 4}
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path, web.homes())}, settings)
        for count in (12, 22):
            with Run(command) as run:
                web.wait(count)
                assert run.alive()
        assert closest(web.log()) >= 4 - GRACE


def test_a_server_that_says_later_is_left_alone_until_then(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=90, sites=6, busy=6, retry_after=2)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {**ONE, "DOWNLOAD_DELAY": 0.05})
        ended = command.run()
        assert ended.code == 0, str(ended)
        assert not lost(web, command.db)
        waits = [
            later.start - entry.start
            for entries in by_site(web.log()).values()
            for entry, later in pairwise(entries)
            if entry.status == 429
        ]
        assert len(waits) == 6
        assert min(waits) >= 2 - GRACE, waits


def test_later_is_remembered_across_a_kill(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=20, sites=1, busy=1, retry_after=8)) as web:
        seeds = [web.url(number) for number in web.plan.of_kind("busy")]
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path, seeds)}, ONE)
        with Run(command):
            web.wait(1)
            time.sleep(0.7)
        ended = command.run()
        assert ended.code == 0, str(ended)
        log = web.log()
        assert log[0].status == 429
        assert log[1].start - log[0].start >= 8 - GRACE

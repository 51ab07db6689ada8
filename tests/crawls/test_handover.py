"""A worker stops, and another one in another folder goes on with its sites: what is known of a site goes with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.assemble import Assembly
from focused.crawl import Crawl
from focused.shared_crawl import SharedCrawl
from tests.crawls import test_shared_order
from tests.crawls.test_shared_order import PAGES, TOPIC, fetch, opened
from tests.rig.postgres import server

SHOP = "sim:catalogue,pages=100,shops=1,seed=1"
STOP = 60  # pages of the first worker
END = 10_000  # more than there are


def begun(folder: Path, ordering: str, store: str = "") -> tuple[Assembly, Crawl]:
    place = folder / "topic"  # of one name everywhere, for it is one topic
    place.mkdir(parents=True)
    (place / "topic.toml").write_text(TOPIC)
    return opened(place, ordering, store)


def visited(parts: Assembly, crawl: Crawl, most: int) -> list[str]:
    """What is fetched, up to so many; then the worker stops."""
    asked: list[str] = []
    while len(asked) < most:
        if isinstance(crawl, SharedCrawl):
            crawl.share(at_once=True)
        if (visit := crawl.next()) is None:
            break
        crawl.commit()
        asked.append(visit.url)
        fetch(crawl, visit, parts)
    crawl.close("stopped")
    crawl.abandon()
    return asked


def test_the_site_of_a_stopped_worker_is_searched_to_its_end_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(test_shared_order.TOPICS, "xcrawl", "notebooks")
    monkeypatch.setitem(test_shared_order.WEBS, "notebooks", SHOP)
    store = server().fresh()
    alone = visited(*begun(tmp_path / "alone", "xcrawl"), END)
    first = visited(*begun(tmp_path / "first", "xcrawl", store), STOP)
    second = visited(*begun(tmp_path / "second", "xcrawl", store), END)
    assert len(first) == STOP
    assert first + second == alone


@pytest.mark.parametrize("ordering", ["adaptive", "apprentice", "page_crawler", "tunnel", "website"])
def test_what_a_stopped_worker_had_learned_goes_to_the_one_that_comes_in_its_stead(
    tmp_path: Path, ordering: str
) -> None:
    store = server().fresh()
    alone = visited(*begun(tmp_path / "alone", ordering), PAGES)
    first = visited(*begun(tmp_path / "first", ordering, store), PAGES // 2)
    second = visited(*begun(tmp_path / "second", ordering, store), PAGES - PAGES // 2)
    assert len(alone) > PAGES // 2
    assert first + second == alone

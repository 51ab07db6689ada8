"""Orderings that look further than one page, with two workers in turn: sites are shared, nothing is had twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.shared_crawl import SharedCrawl
from focused.urls import site_of
from tests.crawls.test_shared_order import TOPIC, fetch, opened
from tests.rig.postgres import server

ROUNDS = 30


@pytest.fixture(scope="module")
def database() -> str:
    return server().fresh()


@pytest.mark.parametrize("ordering", ["backlinks", "page_crawler", "pagerank", "soft_focus", "tunnel", "website"])
def test_two_workers_share_the_sites_and_nothing_is_had_twice(tmp_path: Path, database: str, ordering: str) -> None:
    workers = []
    for name in ("first", "second"):
        folder = tmp_path / name / "topic"
        folder.mkdir(parents=True)
        (folder / "topic.toml").write_text(TOPIC)
        workers.append(opened(folder, ordering, database))
    asked: list[list[str]] = [[], []]
    for _ in range(ROUNDS):
        for (parts, crawl), urls in zip(workers, asked, strict=True):
            assert isinstance(crawl, SharedCrawl)
            crawl.share(at_once=True)
            if visit := crawl.next():
                urls.append(visit.url)
                crawl.commit()
                assert crawl.may_fetch(visit)
                fetch(crawl, visit, parts)
    for _, crawl in workers:
        crawl.close("stopped")
        crawl.abandon()
    assert len({*asked[0], *asked[1]}) == len(asked[0]) + len(asked[1])
    assert min(map(len, asked)) > ROUNDS // 4
    assert {site_of(url) for url in asked[0]} != {site_of(url) for url in asked[1]}

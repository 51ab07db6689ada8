"""Finished websites on their way through the pipelines, without Scrapy's engine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from focused.handing import Handing
from focused.spider import FocusedSpider
from tests.focused.test_crawl import opened


class Fussy(FocusedSpider):
    """Two items of a website, and no patience with b."""

    name = "fussy"

    def present(self, website: dict[str, Any]) -> Any:
        if website["host"] == "b":
            raise ValueError("not this one")
        yield website
        yield {"again": website["host"]}


def given(crawl: Any, stop_after: int = 99) -> list[Any]:
    """What the pipelines get, until the crawl is told to stop."""
    items: list[Any] = []

    async def process(item: Any, response: None) -> None:
        items.append(item)

    async def hand() -> None:
        engine = SimpleNamespace(scraper=SimpleNamespace(start_itemproc_async=process))
        ended = asyncio.Event()
        crawler: Any = SimpleNamespace(engine=engine, spider=Fussy())
        handing = Handing(crawler, crawl, lambda: len(items) < stop_after, ended.set)
        handing.begin()
        handing.begin()  # it is busy: nothing is given twice
        if not handing.is_over:
            await asyncio.wait_for(ended.wait(), 10)

    asyncio.run(hand())
    return items


def test_a_spider_may_make_more_of_a_website_or_fail_with_one(tmp_path: Path) -> None:
    crawl = opened(tmp_path / "c")
    assert given(crawl) == []
    crawl.outputs.write_websites([{"host": host} for host in "abc"])
    crawl.commit()
    assert given(crawl) == [{"host": "a"}, {"again": "a"}, {"host": "c"}, {"again": "c"}]
    assert given(crawl) == []
    crawl.abandon()


def test_what_was_not_given_when_the_crawl_stopped_is_given_by_the_next_one(tmp_path: Path) -> None:
    crawl = opened(tmp_path / "c")
    crawl.outputs.write_websites([{"host": host} for host in "acd"])
    crawl.commit()
    assert given(crawl, stop_after=4)[-1] == {"again": "c"}
    crawl.close("stopped")
    crawl.abandon()
    crawl = opened(tmp_path / "c")
    crawl.outputs.write_websites([{"host": "e"}])
    crawl.commit()
    # c was being given when the crawl stopped: nobody knows what its pipelines made of it.
    assert [item["host"] for item in given(crawl) if "host" in item] == ["c", "d", "e"]
    crawl.abandon()  # before a commit: what was given is given again
    crawl = opened(tmp_path / "c")
    assert [item["host"] for item in given(crawl) if "host" in item] == ["c", "d", "e"]
    crawl.commit()
    crawl.abandon()
    crawl = opened(tmp_path / "c")
    assert given(crawl) == []
    crawl.abandon()

"""Limits are exact at any concurrency, and over several runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig.check import jsonl_is_whole, meta, outputs_agree, pages_done, rows
from tests.rig.plan import Shape
from tests.rig.run import Command
from tests.rig.web import LoopbackWeb

WIDE = {"CONCURRENT_REQUESTS": 32}


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    with LoopbackWeb(Shape(pages=400, sites=20, missing=0, moved=0, latency=0.01)) as running:
        yield running


def command_of(web: LoopbackWeb, folder: Path, **settings: object) -> Command:
    return Command(folder / "data", {"topic": web.topic(folder)}, {**WIDE, **settings})


def count(command: Command, where: str) -> int:
    return int(rows(command.db, f"SELECT count(*) FROM page WHERE {where}")[0][0])


def test_a_hundred_pages_are_a_hundred_pages_also_in_two_runs(web: LoopbackWeb, tmp_path: Path) -> None:
    command = command_of(web, tmp_path)
    since = web.count()
    for limit in (100, 100, 150):
        ended = command.but(FOCUSED_MAX_PAGES=limit).run()
        assert ended.code == 0, str(ended)
        assert "Stopped: FOCUSED_MAX_PAGES" in ended.out, str(ended)
        assert meta(command.db, "stop_reason") == "max_pages"
        assert count(command, "visit IS NOT NULL") == limit
        assert len(jsonl_is_whole(command.data / "pages.jsonl")) == limit
        assert [row[0] for row in rows(command.db, "SELECT visit FROM page WHERE visit ORDER BY visit")] == list(
            range(1, limit + 1)
        )
    outputs_agree(command.data)
    done = pages_done(command.db)
    twice = [url for url, times in web.asked(since).items() if times > 1 and url in done]
    assert len(twice) <= 2 * 32, "only what was under way when the limit was reached may be asked for again"


def test_a_thousand_pages_are_a_thousand_pages(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=1500, sites=40, missing=0, moved=0, words=10)) as large:
        command = command_of(large, tmp_path, FOCUSED_MAX_PAGES=1000)
        ended = command.run()
        assert ended.code == 0, str(ended)
        assert "Pages: 1,000," in ended.out, str(ended)
        assert count(command, "visit IS NOT NULL") == len(pages_done(command.db)) == 1000
        assert len(large.log()) <= 1000 + 32, "only what was under way when the limit was reached is asked for besides"
        outputs_agree(command.data)


def test_a_limit_lifted_lets_the_crawl_finish(web: LoopbackWeb, tmp_path: Path) -> None:
    command = command_of(web, tmp_path)
    assert command.but(FOCUSED_MAX_PAGES=37).run().code == 0
    ended = command.run()
    assert ended.code == 0, str(ended)
    assert meta(command.db, "stop_reason") == "finished"
    assert pages_done(command.db) == web.urls()


def test_twenty_relevant_pages_are_twenty(web: LoopbackWeb, tmp_path: Path) -> None:
    command = command_of(web, tmp_path, FOCUSED_MAX_RELEVANT=20)
    ended = command.run()
    assert ended.code == 0, str(ended)
    assert "Stopped: FOCUSED_MAX_RELEVANT" in ended.out, str(ended)
    assert count(command, "relevant = 1") == 20
    assert count(command, "visit IS NOT NULL") < len(web.urls())
    outputs_agree(command.data)


def test_no_site_costs_more_than_its_budget(web: LoopbackWeb, tmp_path: Path) -> None:
    command = command_of(web, tmp_path, FOCUSED_SITE_BUDGET=7)
    since = web.count()
    ended = command.run()
    assert ended.code == 0, str(ended)
    asked = Counter(entry.site for entry in web.log(since))
    assert max(asked.values()) == 7
    done = Counter(url.split("/")[2] for url in pages_done(command.db))
    known = Counter(url.split("/")[2] for (url,) in rows(command.db, "SELECT url FROM page"))
    assert {site: done[site] for site in known} == {site: min(7, links) for site, links in known.items()}


def test_the_budget_of_a_site_holds_over_two_runs(web: LoopbackWeb, tmp_path: Path) -> None:
    command = command_of(web, tmp_path, FOCUSED_SITE_BUDGET=7)
    assert command.but(FOCUSED_MAX_PAGES=70).run().code == 0
    assert command.run().code == 0
    done = Counter(url.split("/")[2] for url in pages_done(command.db))
    assert max(done.values()) == 7


@pytest.mark.parametrize("depth", [1, 3])
def test_depth_is_links_from_a_seed(web: LoopbackWeb, tmp_path: Path, depth: int) -> None:
    within = {0}
    for _ in range(depth):
        within |= {target for number in within for target in web.plan.links[number]}
    command = command_of(web, tmp_path, FOCUSED_MAX_DEPTH=depth, FOCUSED_STRICT_ORDER=1).but(
        FOCUSED_ORDERING="breadth_first"
    )
    ended = command.run()
    assert ended.code == 0, str(ended)
    assert pages_done(command.db) == {web.url(number) for number in within}


def test_seconds_are_of_one_run(web: LoopbackWeb, tmp_path: Path) -> None:
    command = command_of(web, tmp_path, DOWNLOAD_DELAY=0.3, CONCURRENT_REQUESTS_PER_DOMAIN=1)
    ended = command.but(FOCUSED_MAX_SECONDS=2).run()
    assert ended.code == 0, str(ended)
    assert "Stopped: FOCUSED_MAX_SECONDS" in ended.out, str(ended)
    first = len(pages_done(command.db))
    assert 0 < first < len(web.urls())
    assert command.but(FOCUSED_MAX_SECONDS=2).run().code == 0
    assert len(pages_done(command.db)) > first


def test_pages_are_no_larger_than_is_said(tmp_path: Path) -> None:
    """Batsakis 2007, §3.1 (B-02): pages of more than 100 KB are not had; here that is DOWNLOAD_MAXSIZE=102400."""
    words = "<p>" + "cycling bicycle " * 7_000
    sizes = {99: "ok", 101: "too_large"}  # KB
    lines = [
        {"url": f"http://a.example/{size}", "title": "a", "html": words[: size * 1024], "links": [], "labels": ["x"]}
        for size in sizes
    ]
    file, topic = tmp_path / "web.jsonl", tmp_path / "topic.toml"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    topic.write_text(f'query = "cycling"\nseeds = {json.dumps([line["url"] for line in lines])}\n')
    command = Command(tmp_path / "data", {"topic": topic, "web": f"pages:{file}"}, {"DOWNLOAD_MAXSIZE": 102_400})
    ended = command.run()
    assert ended.code == 0, str(ended)
    found = dict(rows(command.db, "SELECT url, outcome FROM page"))
    assert found == {f"http://a.example/{size}": outcome for size, outcome in sizes.items()}

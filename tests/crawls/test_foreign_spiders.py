"""A spider that knows nothing of this project runs unchanged, and is as hard to kill."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.rig.check import rows
from tests.rig.plan import Shape
from tests.rig.run import Command, Run
from tests.rig.web import LoopbackWeb

SHAPE = Shape(pages=80, sites=5, moved=0, missing=0.05, latency=0.01)


def foreign(web: LoopbackWeb, folder: Path, spider: str, **args: object) -> Command:
    settings = {"SPIDER_MODULES": "tests.spiders_for_tests", "FOCUSED_TOPIC": web.topic(folder)}
    mine = {"seeds": f"{web.url(0)} {web.url(1)}", "notes": folder / "notes.jsonl", **args}
    return Command(folder / "data", mine, settings, spider=spider)


def notes(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]


def test_a_plain_spider_runs_unchanged(tmp_path: Path) -> None:
    with LoopbackWeb(SHAPE) as web:
        command = foreign(web, tmp_path, "plain")
        ended = command.run()
        assert ended.code == 0, str(ended)
        told = notes(tmp_path)
        assert web.urls("ok") <= {note["url"] for note in told} <= web.urls("ok", "missing")
        assert set(web.asked().values()) == {1}, "pages link back to the seeds, yet each page is fetched once"
        assert {note["url"] for note in told if note["steps"] == 0} == {web.url(0), web.url(1)}
        known = {url for (url,) in rows(command.db, "SELECT url FROM page WHERE request IS NOT NULL AND state >= 2")}
        assert known == set(web.asked()), "every request goes through the frontier"


def test_method_body_headers_and_meta_arrive(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=10, sites=2, missing=0, moved=0)) as web:
        command = foreign(web, tmp_path, "plain", echo=f"{web.url(0)}echo")
        ended = command.run()
        assert ended.code == 0, str(ended)
        echoes = {note["sent"]: note for note in notes(tmp_path) if "sent" in note}
        assert set(echoes) == {"a=1&b=2", "a=3"}, "two bodies are two requests"
        for sent, note in echoes.items():
            assert note["told"]["method"] == "POST" and note["told"]["body"] == sent
            assert note["told"]["headers"]["x-mine"] == "yes"
            assert note["mine"] == [1, "two"]


def test_an_errback_is_called_once_with_its_request(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=10, sites=2, missing=0, moved=0)) as web:
        command = foreign(web, tmp_path, "plain", refused="http://127.0.0.2:1/").but(FOCUSED_MAX_TRIES=1)
        ended = command.run()
        assert ended.code == 0, str(ended)
        failures = [note for note in notes(tmp_path) if "failed" in note]
        assert failures == [{"failed": "http://127.0.0.2:1/", "steps": 7}]


def test_a_plain_spider_survives_kills(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=200, sites=5, moved=0, missing=0, latency=0.02)) as web:
        command = foreign(web, tmp_path, "plain", echo=f"{web.url(0)}echo")
        for count in (30, 80, 130):
            with Run(command) as run:
                while run.alive() and web.count() < count:
                    time.sleep(0.003)
                assert run.alive()
        ended = command.run()
        assert ended.code == 0, str(ended)
        pages = [note for note in notes(tmp_path) if "steps" in note]
        assert {note["url"] for note in pages} == web.urls()
        again = sum(times - 1 for times in web.asked().values()) - 1  # two posts go to one address
        assert again <= 3 * 2 * 16
        assert not rows(command.db, "SELECT url FROM page WHERE state < 2")
        steps = {note["url"]: note["steps"] for note in pages}
        assert steps[web.url(0)] == 0 and max(steps.values()) > 1


def test_a_crawl_spider_with_rules_runs_unchanged(tmp_path: Path) -> None:
    with LoopbackWeb(SHAPE) as web:
        command = foreign(web, tmp_path, "rules")
        ended = command.run()
        assert ended.code == 0, str(ended)
        told = Counter(note["url"] for note in notes(tmp_path))
        within: set[int] = set()
        todo = [0, 1]
        while todo:
            new = {target for target in web.plan.links[todo.pop()] if target >= SHAPE.sites} - within
            within |= new
            todo += [number for number in new if web.plan.kinds[number] == "ok"]
        expected = {web.url(number) for number in within}
        assert expected & web.urls("ok") <= set(told) <= expected
        assert set(told.values()) == {1}
        assert all(note["text"] for note in notes(tmp_path))

"""Best first means best first: the order of a crawl against a brute-force simulation of it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.rig.check import lost, meta, rows
from tests.rig.plan import Shape
from tests.rig.run import Command
from tests.rig.web import LoopbackWeb

STRICT = {"FOCUSED_STRICT_ORDER": 1, "CONCURRENT_REQUESTS": 1, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}


def inversions(web: LoopbackWeb, db: Path) -> list[str]:
    """Replays the server's log: each request must be for the best link known by then, the oldest of equals."""
    ids = dict(rows(db, "SELECT url, id FROM page"))
    links: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for source, target, score in rows(db, "SELECT source_id, target_id, score FROM link"):
        links[source].append((target, score))
    waiting = dict(rows(db, "SELECT id, score FROM page WHERE parent_id IS NULL"))
    fetched: set[int] = set()
    wrong = []
    for url in web.asked():
        best = max(waiting, key=lambda number: (waiting[number], -number))
        page = ids[url]
        if page != best:
            wrong.append(f"{url} (score {waiting.get(page)}) before page {best} (score {waiting[best]})")
        fetched.add(page)
        waiting.pop(page, None)
        for target, score in links[page]:
            if target not in fetched:
                waiting[target] = max(score, waiting.get(target, score))
    return wrong


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("args", ["on=both", "on=anchor"])
def test_strict_order_has_no_inversions(tmp_path: Path, seed: int, args: str) -> None:
    with LoopbackWeb(Shape(pages=120, sites=6, seed=seed, moved=0.05, missing=0.05)) as web:
        crawl = {"topic": web.topic(tmp_path), "ordering": "best_first", "ordering_args": args}
        command = Command(tmp_path / "data", crawl, STRICT)
        ended = command.run()
        assert ended.code == 0, str(ended)
        assert not lost(web, command.db)
        assert set(web.asked().values()) == {1}
        assert inversions(web, command.db) == []


def test_strict_order_is_strict_whatever_the_concurrency(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=120, sites=6, seed=4, latency=0.005)) as web:
        settings = {**STRICT, "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, settings)
        assert command.run().code == 0
        assert inversions(web, command.db) == []


def test_visits_are_numbered_in_the_order_of_the_fetches(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=60, sites=3)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, STRICT)
        assert command.run().code == 0
        visits = [url for (url,) in rows(command.db, "SELECT url FROM page WHERE visit IS NOT NULL ORDER BY visit")]
        assert visits == [url for url in web.asked() if url in set(visits)]


def test_many_at_once_seldom_turn_the_order_round(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=1000, sites=50, latency=0.01)) as web:
        settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path, web.homes())}, settings)
        ended = command.run()
        assert ended.code == 0, str(ended)
        rate = float(meta(command.db, "inversion_rate"))
        print(f"inversion rate {rate:.4f}")
        assert 0 <= rate < 0.02

"""`kill -9` at any moment loses nothing, doubles nothing, tears nothing."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from tests.faults.kills import Killer
from tests.rig.check import lost, meta, pages_done
from tests.rig.plan import Shape
from tests.rig.run import Command
from tests.rig.web import ROOT, LoopbackWeb

CONCURRENCY = 16


def test_ten_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=600, sites=10, latency=0.02)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {"CONCURRENT_REQUESTS": CONCURRENCY})
        killer = Killer(web, command, random.Random(7))
        costs = killer.crawl(10)
        refetched = [cost.refetched for cost in costs]
        print(f"refetched per kill: {refetched[:-1]}, mean {sum(refetched) / 10:.1f}")
        assert costs[-1].ended.code == 0, str(costs[-1].ended)
        assert meta(command.db, "stop_reason") == "finished"
        assert not lost(web, command.db)
        assert pages_done(command.db) == web.urls("ok")
        killer.check_end()
        assert max(refetched) <= 2 * CONCURRENCY, refetched


def test_a_finished_crawl_run_again_asks_for_nothing(tmp_path: Path) -> None:
    with LoopbackWeb(Shape(pages=40, sites=4)) as web:
        command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)})
        typed = subprocess.run(command.argv, cwd=ROOT, timeout=280)  # as a person does it, not through the rig
        since = web.count()
        again = command.run()
        assert (typed.returncode, again.code) == (0, 0), str(again)
        assert web.count() == since
        assert not lost(web, command.db)

"""A worker that comes later digs as far as those that were there have learned to."""

from __future__ import annotations

from pathlib import Path

from focused.exploration import WINDOW, Knobs
from focused.orderings.tunnel import Tunnel
from tests.crawls.worker_by_hand import Worker
from tests.rig.postgres import server


def made_web() -> dict[str, str]:
    """A hundred good pages one after the other, then bad ones without end; on other sites one good page each."""
    web = {
        f"http://a.example/{n or ''}": f'<title>relevance {90 if n < WINDOW else 10}</title><a href="/{n + 1}">on</a>'
        for n in range(3 * WINDOW)
    }
    return web | {f"http://{name}.example/": "<title>relevance 90</title>" for name in "bc"}


def knobs_of(worker: Worker) -> Knobs:
    assert isinstance(worker.ordering, Tunnel)
    return worker.ordering._knobs


def test_a_worker_that_joins_begins_with_the_depth_the_others_have_come_to(tmp_path: Path) -> None:
    database, web = server().fresh(), made_web()
    first = Worker(tmp_path / "first/topic", web, Tunnel(adaptive=True), database).sow(["a"])
    for _ in range(2 * WINDOW):
        assert first.step()
    assert (knobs_of(first).d, knobs_of(first).r) == (2, 1)
    second = Worker(tmp_path / "second/topic", web, Tunnel(adaptive=True), database).sow(["b"])
    fixed = Worker(tmp_path / "third/topic", web, Tunnel(d=3, r=3), database)
    for worker in (second, fixed):
        worker.share()
    assert knobs_of(second) == Knobs(2, 1, knobs_of(first).best)
    assert knobs_of(fixed) == Knobs(3, 3)
    assert second.step()
    first.step()
    second.share()
    assert knobs_of(second).pages == 1, "it goes by its own pages now"
    for worker in (first, second, fixed):
        worker.ends()

"""Two workers share one crawl, while they are killed, frozen and cut off from their database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.fleet import Fleet
from tests.rig.plan import Shape
from tests.rig.postgres import PostgresServer
from tests.rig.web import LoopbackWeb


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """Its own: it is made to crash."""
    server = PostgresServer()
    yield server
    server.remove()


def test_two_workers_share_a_crawl_and_nothing_is_lost_or_done_twice(server: PostgresServer, tmp_path: Path) -> None:
    with LoopbackWeb(Shape(300, 12, latency=0.02)) as web, Fleet(web, server, tmp_path, 2) as fleet:
        fleet.wait_for(40)
        fleet.kill()
        fleet.wait_for(80)
        fleet.terminate()
        fleet.wait_for(110)
        fleet.freeze()
        fleet.wait_for(160)
        fleet.crash()
        fleet.wait_for(200)
        fleet.kill()
        ended = fleet.finish(240)
        assert [one.code for one in ended] == [0, 0], [str(one) for one in ended]
        fleet.check()

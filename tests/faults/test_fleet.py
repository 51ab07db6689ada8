"""Two workers share one crawl, while they are killed, frozen and cut off from their database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.fleet import GRACE, LEASE, Fleet
from tests.rig.plan import Shape
from tests.rig.postgres import PostgresServer
from tests.rig.web import Asked, LoopbackWeb


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """Its own: it is made to crash."""
    server = PostgresServer()
    yield server
    server.remove()


class Remembered(LoopbackWeb):
    """A log, and no server."""

    def __init__(self, *entries: Asked) -> None:
        self.entries = [*entries]

    def log(self, since: int = 0, robots: bool = False) -> list[Asked]:
        return self.entries


def asked(start: float, end: float | None, worker: int) -> Asked:
    return Asked(start, end, "a.example", "GET", "/", 0, 1, 200, f"worker-{worker}")


@pytest.mark.parametrize(("killed", "pairs"), [("worker-0", 0), ("worker-1", 1)])
def test_only_the_death_of_the_one_that_asked_excuses_a_second_request(
    server: PostgresServer, tmp_path: Path, killed: str, pairs: int
) -> None:
    fleet = Fleet(Remembered(asked(1.0, 3.0, 0), asked(2.0, 4.0, 1)), server, tmp_path, 2, kills=[(1.5, killed)])
    assert len(fleet.doubly_asked()) == pairs


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
        assert fleet.reclaims and max(fleet.reclaims) <= LEASE + GRACE

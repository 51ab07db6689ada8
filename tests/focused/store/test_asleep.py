"""A worker that falls asleep in the middle of a commit, with rows locked that all others need."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from focused.store.batch import Batch, Standing
from focused.store.interface import Fenced
from focused.store.postgres import PostgresStore
from focused.store.rows import DONE, Fetched
from focused.store.session import Connection
from tests.focused.store.places import Two
from tests.focused.store.test_team import filled

SOON = 10.0  # seconds: a lock is waited for five


class Asleep(Batch):
    """Everything but its end has reached the server."""

    fell, wakes = Event(), Event()
    has_totals = True  # whether it has locked the row that is everybody's, or only its own

    def _write_visits(self, db: Connection, worker: Standing) -> None:
        if self.has_totals:
            super()._write_visits(db, worker)
        db.pgconn.send_flush_request()
        db.pgconn.flush()
        self.fell.set()
        assert self.wakes.wait(60)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    """Both have a site; the lease of the first has run out."""
    place = Two(tmp_path)
    filled(place.first)
    filled(place.second, "b.example", 100)
    place.is_silent(place.first)
    yield place
    place.close()


@pytest.mark.parametrize("has_totals", [True, False])
def test_others_go_on_and_get_its_sites(two: Two, has_totals: bool) -> None:
    asleep = type("One", (Asleep,), {"fell": Event(), "wakes": Event(), "has_totals": has_totals})()
    lease = two.first.lease(1, None)
    assert lease is not None
    asleep.finish(lease, Fetched(DONE, "ok", 1), None)
    with ThreadPoolExecutor(1) as pool:
        sleeper = pool.submit(two.first.team.commit, asleep, [])
        assert asleep.fell.wait(10)
        try:
            go_on(two.second)
        finally:
            asleep.wakes.set()
        with pytest.raises(Fenced):
            sleeper.result(30)
    assert two.rows("SELECT id FROM page WHERE visit IS NOT NULL") == [(100,)], "what the sleeper had done is void"


def go_on(store: PostgresStore) -> None:
    begun = time.monotonic()
    lease = store.lease(100, None)
    assert lease is not None
    store.finish(100, lease.token, Fetched(DONE, "ok", 1))
    store.commit({})
    while store.team.reclaim() == 0:
        assert time.monotonic() < begun + SOON
        time.sleep(0.2)
    assert time.monotonic() < begun + SOON
    store.team.claim(None)
    assert [site.host for site in store.load().records] == ["a.example", "b.example"]

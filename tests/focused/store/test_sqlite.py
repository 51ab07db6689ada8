"""The store's contract: the commit unit, fencing, resume. Each test opens a real file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from focused.errors import StoreError
from focused.store.rows import DONE, GIVEN_UP, WAITING, Fetched, Found, NewPage, Site
from focused.store.sqlite import MOST_DEATHS, SqliteStore

Open = Callable[[], SqliteStore]


@pytest.fixture
def reopen(tmp_path: Path) -> Iterator[Open]:
    """Opens the store again, as a new process would: what was not committed is gone."""
    stores: list[SqliteStore] = []

    def again() -> SqliteStore:
        while stores:
            stores.pop().close()
        stores[:] = [SqliteStore(tmp_path / "crawl.db")]
        return stores[0]

    yield again
    for store in stores:
        store.close()


def pages(first: int, count: int, site: int = 1) -> Found:
    new = [
        NewPage(i, f"http://a.example/{i}", site, i / 10, 1, None, 0, None, None) for i in range(first, first + count)
    ]
    return Found(new, np.arange(first, first + count, dtype=np.int64) * 1000, [], [])


def filled(reopen: Open, count: int = 5) -> SqliteStore:
    store = reopen()
    store.enter_sites(["a.example"])
    store.add(pages(1, count))
    store.commit({})
    return store


def test_what_was_committed_comes_back_as_arrays(reopen: Open) -> None:
    filled(reopen)
    snapshot = reopen().load()
    assert snapshot.keys.tolist() == [1000, 2000, 3000, 4000, 5000]
    assert snapshot.sites.tolist() == [1] * 5
    assert snapshot.scores.tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert [site.host for site in snapshot.records] == ["a.example"]


def test_what_was_not_committed_never_happened(reopen: Open) -> None:
    store = filled(reopen)
    store.add(pages(6, 3))
    store.lease(1, 0.0)
    snapshot = reopen().load()
    assert len(snapshot.keys) == 5
    assert not np.isnan(snapshot.scores).any()


def test_a_leased_link_is_not_leased_again(reopen: Open) -> None:
    store = filled(reopen)
    lease = store.lease(3, 0.0)
    assert lease is not None
    assert (lease.url, lease.token, lease.tries) == ("http://a.example/3", 1, 1)
    assert store.lease(3, 0.0) is None


def test_after_a_death_leased_links_wait_again(reopen: Open) -> None:
    store = filled(reopen)
    store.lease(2, 0.0)
    store.commit({})
    store = reopen()
    assert np.isnan(store.load().scores[1])
    assert store.resume() == 1
    assert store.load().scores[1] == pytest.approx(0.2)


def test_a_stale_token_changes_nothing(reopen: Open) -> None:
    store = filled(reopen)
    lease = store.lease(1, 0.0)
    assert lease is not None
    store.give_back(1, lease.token)
    newer = store.lease(1, 0.0)
    assert newer is not None
    assert not store.finish(1, lease.token, Fetched(DONE, "ok", 1))
    assert store.finish(1, newer.token, Fetched(DONE, "ok", 1))
    assert not store.finish(1, newer.token, Fetched(DONE, "ok", 2))


def test_a_link_given_back_has_not_been_tried(reopen: Open) -> None:
    store = filled(reopen)
    for _ in range(3):
        lease = store.lease(1, 0.0)
        assert lease is not None
        assert lease.tries == 1
        store.give_back(1, lease.token)


def test_done_and_given_up_links_do_not_wait(reopen: Open) -> None:
    store = filled(reopen)
    for page_id, state in ((1, DONE), (2, GIVEN_UP)):
        lease = store.lease(page_id, 0.0)
        assert lease is not None
        store.finish(page_id, lease.token, Fetched(state, "ok"))
    store.commit({})
    assert np.isnan(reopen().load().scores).tolist() == [True, True, False, False, False]


def test_a_retry_waits_for_its_time(reopen: Open) -> None:
    store = filled(reopen)
    lease = store.lease(4, 0.0)
    assert lease is not None
    store.finish(4, lease.token, Fetched(WAITING, "timeout", not_before=123.0))
    store.commit({})
    snapshot = reopen().load()
    assert snapshot.not_before == {4: 123.0}
    assert snapshot.scores[3] == pytest.approx(0.4)


def test_a_raised_score_is_the_one_that_comes_back(reopen: Open) -> None:
    store = filled(reopen)
    store.add(Found([], np.empty(0, np.int64), [(0.9, None, 0, '{"far":2}', 2)], []))
    store.rescore([5], [0.05])
    store.commit({})
    store = reopen()
    assert store.load().scores.tolist() == pytest.approx([0.1, 0.9, 0.3, 0.4, 0.05])
    raised = store.lease(2, None)
    assert raised is not None and raised.trail == '{"far":2}'


def test_what_is_to_be_remembered_is_there_after_a_restart_and_what_is_not_is_gone(reopen: Open) -> None:
    store = filled(reopen)
    store.remember({"ordering.step": "[1,2]", "budget.site:7": "{}"})
    store.remember({"ordering.step": "[2]", "budget.site:7": None})
    store.commit({})
    assert reopen().load().memory == {"ordering.step": "[2]"}


def test_the_latest_hubs_replace_those_before(reopen: Open) -> None:
    store = filled(reopen)
    store.save_hubs([(1, 0.5, 0.0), (2, 0.5, 1.0)], at_pages=10)
    store.save_hubs([(3, 1.0, 0.0)], at_pages=20)
    store.commit({})
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT * FROM hub").fetchall() == [(3, 1.0, 0.0, 20)]


def test_links_and_relevances_come_back_as_a_graph_needs_them(reopen: Open) -> None:
    store = filled(reopen)
    store.add(Found([], np.empty(0, np.int64), [], [(1, 2, "a", "/a", 0.1), (1, 3, "b", "/b", 0.2)]))
    lease = store.lease(1, None)
    assert lease is not None
    store.finish(1, lease.token, Fetched(DONE, "ok", 1, relevance=0.25, relevant=True))
    store.commit({})
    store = reopen()
    assert [(s.tolist(), t.tolist()) for s, t in store.links()] == [([1, 1], [2, 3])]
    assert store.relevances() == [(1, 0.25)]


def test_a_page_that_kills_the_process_is_set_aside(reopen: Open) -> None:
    store = filled(reopen)
    for death in range(MOST_DEATHS):
        lease = store.lease(1, 0.0)
        assert lease is not None, f"set aside too early, after {death} deaths"
        store.commit({})
        store = reopen()
        store.resume(page_in_hand=1)
    assert store.lease(1, 0.0) is None
    assert store.counts() == (0, 0, 1)


def test_a_death_counts_only_for_the_page_in_hand(reopen: Open) -> None:
    store = filled(reopen)
    for _ in range(MOST_DEATHS + 2):
        assert store.lease(2, 0.0) is not None
        store.commit({})
        store = reopen()
        store.resume(page_in_hand=1)


def test_offsets_belong_to_the_commit(reopen: Open) -> None:
    store = filled(reopen)
    store.add(pages(6, 1))
    store.commit({"pages.jsonl": 42})
    store.add(pages(7, 1))
    assert reopen().offsets() == {"pages.jsonl": 42}


def test_edges_are_kept_once(reopen: Open) -> None:
    store = filled(reopen)
    edge = (1, 2, "anchor", "/html/body/a", 0.5)
    store.add(Found([], np.empty(0, np.int64), [], [edge, edge]))
    store.commit({})
    with closing(sqlite3.connect(store.path)) as db:
        rows = db.execute("SELECT * FROM link").fetchall()
    assert rows == [edge]


def test_a_second_crawler_is_refused(reopen: Open) -> None:
    store = filled(reopen)
    with pytest.raises(StoreError, match="Another crawl is running"):
        SqliteStore(store.path)


def test_a_newer_store_is_refused_and_left_alone(reopen: Open) -> None:
    store = filled(reopen)
    store.note(schema_version=999)
    store.commit({})
    with pytest.raises(StoreError, match="999"):
        reopen()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(b"not a database, but somebody's file" * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        SqliteStore(path)
    assert path.read_bytes().startswith(b"not a database")


def test_pending_counts_open_sites_only(reopen: Open) -> None:
    store = filled(reopen)
    assert store.pending() == 5
    store.save_site(Site(1, "a.example", state="closed", why="budget"))
    assert store.pending() == 0


def test_the_file_is_sound_after_all_this(reopen: Open) -> None:
    store = filled(reopen, 1000)
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)

"""The store's contract, the same for SQLite and PostgreSQL, both real: the commit unit, fencing, resume."""

from __future__ import annotations

import numpy as np
import pytest

from focused.store.interface import CrawlStore
from focused.store.rows import DONE, GIVEN_UP, WAITING, Fetched, Found, NewPage, Site
from focused.store.sqlite import MOST_DEATHS
from tests.focused.store.places import Place


def pages(first: int, count: int, site: int = 1) -> Found:
    new = [
        NewPage(i, f"http://a.example/{i}", site, i / 10, 1, None, 0, None, None) for i in range(first, first + count)
    ]
    return Found(new, np.arange(first, first + count, dtype=np.int64) * 1000, [], [])


def filled(place: Place, count: int = 5) -> CrawlStore:
    store = place.reopen()
    store.enter_sites(["a.example"])
    store.add(pages(1, count))
    store.commit({})
    return store


def test_what_was_committed_comes_back_as_arrays(place: Place) -> None:
    filled(place)
    snapshot = place.reopen().load()
    assert snapshot.keys.tolist() == [1000, 2000, 3000, 4000, 5000]
    assert snapshot.sites.tolist() == [1] * 5
    assert snapshot.scores.tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    assert [site.host for site in snapshot.records] == ["a.example"]


def test_what_was_not_committed_never_happened(place: Place) -> None:
    store = filled(place)
    store.add(pages(6, 3))
    store.lease(1, 0.0)
    snapshot = place.reopen().load()
    assert len(snapshot.keys) == 5
    assert not np.isnan(snapshot.scores).any()


def test_a_leased_link_is_not_leased_again(place: Place) -> None:
    store = filled(place)
    lease = store.lease(3, 0.0)
    assert lease is not None
    assert (lease.url, lease.token, lease.tries) == ("http://a.example/3", 1, 1)
    assert store.lease(3, 0.0) is None


def test_after_a_death_leased_links_wait_again(place: Place) -> None:
    store = filled(place)
    store.lease(2, 0.0)
    store.commit({})
    store = place.reopen()
    assert np.isnan(store.load().scores[1])
    assert store.resume() == 1
    assert store.load().scores[1] == pytest.approx(0.2)


def test_a_stale_token_changes_nothing(place: Place) -> None:
    store = filled(place)
    lease = store.lease(1, 0.0)
    assert lease is not None
    store.give_back(1, lease.token)
    newer = store.lease(1, 0.0)
    assert newer is not None
    assert not store.finish(1, lease.token, Fetched(DONE, "ok", 1))
    assert store.finish(1, newer.token, Fetched(DONE, "ok", 1))
    assert not store.finish(1, newer.token, Fetched(DONE, "ok", 2))


def test_a_link_given_back_has_not_been_tried(place: Place) -> None:
    store = filled(place)
    for _ in range(3):
        lease = store.lease(1, 0.0)
        assert lease is not None
        assert lease.tries == 1
        store.give_back(1, lease.token)


def test_done_and_given_up_links_do_not_wait(place: Place) -> None:
    store = filled(place)
    for page_id, state in ((1, DONE), (2, GIVEN_UP)):
        lease = store.lease(page_id, 0.0)
        assert lease is not None
        store.finish(page_id, lease.token, Fetched(state, "ok"))
    store.commit({})
    assert np.isnan(place.reopen().load().scores).tolist() == [True, True, False, False, False]


def test_a_retry_waits_for_its_time(place: Place) -> None:
    store = filled(place)
    lease = store.lease(4, 0.0)
    assert lease is not None
    store.finish(4, lease.token, Fetched(WAITING, "timeout", not_before=123.0))
    store.commit({})
    snapshot = place.reopen().load()
    assert snapshot.not_before == {4: 123.0}
    assert snapshot.scores[3] == pytest.approx(0.4)


def test_a_raised_score_is_the_one_that_comes_back(place: Place) -> None:
    store = filled(place)
    store.add(Found([], np.empty(0, np.int64), [(0.9, None, 0, '{"far":2}', 2)], []))
    store.rescore([5], [0.05])
    store.commit({})
    store = place.reopen()
    assert store.load().scores.tolist() == pytest.approx([0.1, 0.9, 0.3, 0.4, 0.05])
    raised = store.lease(2, None)
    assert raised is not None and raised.trail == '{"far":2}'


def test_what_is_to_be_remembered_is_there_after_a_restart_and_what_is_not_is_gone(place: Place) -> None:
    store = filled(place)
    store.remember({"ordering.step": "[1,2]", "budget.site:7": "{}"})
    store.remember({"ordering.step": "[2]", "budget.site:7": None})
    store.commit({})
    assert place.reopen().load().memory == {"ordering.step": "[2]"}


def test_the_latest_hubs_replace_those_before(place: Place) -> None:
    store = filled(place)
    store.save_hubs([(1, 0.5, 0.0), (2, 0.5, 1.0)], at_pages=10)
    store.save_hubs([(3, 1.0, 0.0)], at_pages=20)
    store.commit({})
    assert place.rows("SELECT * FROM hub") == [(3, 1.0, 0.0, 20)]


def test_links_and_relevances_come_back_as_a_graph_needs_them(place: Place) -> None:
    store = filled(place)
    store.add(Found([], np.empty(0, np.int64), [], [(1, 2, "a", "/a", 0.1), (1, 3, "b", "/b", 0.2)]))
    lease = store.lease(1, None)
    assert lease is not None
    store.finish(1, lease.token, Fetched(DONE, "ok", 1, relevance=0.25, relevant=True))
    store.commit({})
    store = place.reopen()
    assert [(s.tolist(), t.tolist()) for s, t in store.links()] == [([1, 1], [2, 3])]
    assert store.relevances() == [(1, 0.25)]


def test_a_page_that_kills_the_process_is_set_aside(place: Place) -> None:
    store = filled(place)
    for death in range(MOST_DEATHS):
        lease = store.lease(1, 0.0)
        assert lease is not None, f"set aside too early, after {death} deaths"
        store.commit({})
        store = place.reopen()
        store.resume(page_in_hand=1)
    assert store.lease(1, 0.0) is None
    assert store.counts() == (0, 0, 1)


def test_a_death_counts_only_for_the_page_in_hand(place: Place) -> None:
    store = filled(place)
    for _ in range(MOST_DEATHS + 2):
        assert store.lease(2, 0.0) is not None
        store.commit({})
        store = place.reopen()
        store.resume(page_in_hand=1)


def test_offsets_belong_to_the_commit(place: Place) -> None:
    store = filled(place)
    store.add(pages(6, 1))
    store.commit({"pages.jsonl": 42})
    store.add(pages(7, 1))
    assert place.reopen().offsets() == {"pages.jsonl": 42}


def test_edges_are_kept_once(place: Place) -> None:
    store = filled(place)
    edge = (1, 2, "anchor", "/html/body/a", 0.5)
    store.add(Found([], np.empty(0, np.int64), [], [edge, edge]))
    store.commit({})
    assert place.rows("SELECT * FROM link") == [edge]


def test_pending_counts_open_sites_only(place: Place) -> None:
    store = filled(place)
    assert store.pending() == 5
    store.save_site(Site(1, "a.example", state="closed", why="budget"))
    store.commit({})
    assert store.pending() == 0

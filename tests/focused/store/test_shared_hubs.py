"""Hubs of a crawl that several workers share: who may replace which."""

from __future__ import annotations

from focused.orderings.xcrawl import XCrawl
from focused.store.postgres import PostgresStore
from tests.focused.store.places import Two
from tests.focused.store.test_team import filled


def told(store: PostgresStore, page: int, at_pages: int, is_whole: bool) -> None:
    store.save_hubs([(page, 0.5, 0.0)], at_pages, is_whole)
    store.commit({})


def two_sites(two: Two) -> None:
    for store, host, first in ((two.first, "a.example", 1), (two.second, "b.example", 11)):
        filled(store, host, first)
        store.commit({})
        told(store, first, 10, is_whole=False)


def test_a_worker_replaces_the_hubs_of_its_own_sites_only(two: Two) -> None:
    two_sites(two)
    told(two.first, 2, 20, is_whole=False)
    assert two.rows("SELECT page_id, at_pages FROM hub ORDER BY 1") == [(2, 20), (11, 10)]


def test_the_hubs_of_a_site_go_to_the_worker_that_has_it_next(two: Two) -> None:
    two_sites(two)
    two.first.team.leave()
    two.second.team.claim_all()
    told(two.second, 3, 20, is_whole=False)
    assert two.rows("SELECT page_id, at_pages FROM hub") == [(3, 20)]


def test_hubs_of_a_site_that_has_gone_meanwhile_may_be_told_twice(two: Two) -> None:
    two_sites(two)
    told(two.first, 11, 30, is_whole=False)
    assert two.rows("SELECT page_id, at_pages FROM hub") == [(11, 30)]


def test_a_look_back_over_the_whole_crawl_replaces_the_hubs_of_all(two: Two) -> None:
    two_sites(two)
    told(two.second, 4, 20, is_whole=True)
    assert two.rows("SELECT page_id, at_pages FROM hub") == [(4, 20)]


def test_xcrawl_speaks_for_the_sites_of_its_worker_only() -> None:
    assert not XCrawl().revise()().hubs.is_whole

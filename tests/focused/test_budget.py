from __future__ import annotations

from focused.budget import MOST_ERRORS, SiteBudget
from focused.store.rows import Site


def test_requests_under_way_count_until_they_fail() -> None:
    budget, site = SiteBudget(2), Site(1, "a.example")
    budget.spend(site)
    assert not budget.is_spent(site)
    budget.spend(site)
    assert budget.is_spent(site)
    budget.refund(site)
    assert not budget.is_spent(site)


def test_a_site_is_closed_with_a_reason_once_its_pages_are_had() -> None:
    assert SiteBudget(2).why_closed(Site(1, "a.example", pages=1)) is None
    assert SiteBudget(2).why_closed(Site(1, "a.example", pages=2)) == "budget of 2 pages spent"


def test_without_a_limit_nothing_is_spent() -> None:
    site = Site(1, "a.example", pages=10**6, granted=10**6)
    assert not SiteBudget().is_spent(site)
    assert SiteBudget().why_closed(site) is None


def test_a_site_that_never_answers_is_left_alone() -> None:
    assert SiteBudget().why_closed(Site(1, "a.example", errors=MOST_ERRORS - 1)) is None
    assert "unreachable" in str(SiteBudget().why_closed(Site(1, "a.example", errors=MOST_ERRORS)))

"""focused.evaluate.websites: the worked numbers of Ester 2004."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.evaluate import websites

SITES = [(4, True), (2, False), (6, True), (1, False), (3, False), (5, True)]


def test_examples_in_the_docstrings_hold() -> None:
    result = doctest.testmod(websites)
    assert result.attempted > 7 and result.failed == 0


def test_pages_per_relevant_site_of_the_worked_crawl() -> None:
    """W-20, W-21."""
    assert websites.pprs(SITES) == 7.0
    assert websites.pprs(websites.last_pages(SITES, 9)) == 9.0
    assert websites.pprs([(2, False)]) == math.inf
    assert websites.website_harvest(SITES) == 0.5
    assert websites.pages_per_site(SITES) == 3.5


@pytest.mark.parametrize(
    ("precision", "recall", "expected"),
    [
        (0.84, 0.97, 0.900331),
        (0.49, 0.88, 0.629489),
        (1.00, 0.90, 0.947368),
        (0.86, 0.79, 0.823515),
        (0.90, 0.97, 0.933690),
        (0.77, 0.92, 0.838343),
        (0.81, 0.97, 0.882809),
        (0.76, 0.83, 0.793459),
        (0.76, 1.00, 0.863636),
        (0.74, 0.89, 0.808098),
        (0.79, 0.79, 0.790000),
        (0.74, 0.72, 0.729863),
    ],
)
def test_f_of_table_two(precision: float, recall: float, expected: float) -> None:
    """W-22: six topics, with whole sites and with homepages only."""
    assert websites.f_measure(precision, recall) == pytest.approx(expected, abs=1e-6)


def test_sites_with_one_page() -> None:
    """W-24."""
    assert websites.single_page_share(["a", "a", "b", "c", "c", "c", "d", "e"]) == 0.6


def test_sites_of_a_page_crawl_by_their_homepages() -> None:
    """W-26 i."""
    pages = {"http://a/": True, "http://a/1": False, "http://b/": False, "http://c/deep": True, "https://d:81/": True}
    assert websites.sites_by_homepage(pages) == {"a", "d:81"}


def test_sites_of_a_page_crawl_by_the_pages_that_were_fetched() -> None:
    """W-26 ii with the numbers of E4: 0.35, 0.80, 0.75, 0.90 make 0.938886; one page alone decides nothing."""
    pages = dict(zip([f"http://a/{n}" for n in range(4)], [0.35, 0.80, 0.75, 0.90], strict=True))
    sites = websites.sites_by_pages({**pages, "http://b/": 0.9})
    assert sites["a"].confidence == pytest.approx(0.938886, abs=1e-6)
    assert [(site.verdict, site.decided) for site in sites.values()] == [(True, True), (True, False)]


def test_nothing_screened_has_numbers_too() -> None:
    assert (websites.website_harvest([]), websites.pages_per_site([]), websites.single_page_share([])) == (0, 0, 0)
    assert websites.verdicts([], []) == (0.0, 1.0, 0.0)
    assert list(websites.last_pages([], 5)) == []


@given(st.lists(st.tuples(st.integers(1, 50), st.booleans())), st.integers(0, 200))
def test_a_window_holds_as_many_of_the_last_sites_as_fit(sites: list[tuple[int, bool]], pages: int) -> None:
    window = websites.last_pages(sites, pages)
    assert window == sites[len(sites) - len(window) :]
    assert sum(count for count, _ in window) <= pages
    if len(window) < len(sites):
        assert sum(count for count, _ in sites[len(sites) - len(window) - 1 :]) > pages

"""focused.evaluate.robustness: the worked numbers of Chakrabarti 1999."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.evaluate import robustness
from focused.urls import site_of

FIRST = ["http://a/1", "http://b/1", "http://c/1", "http://d/1", "http://b/2"]
SECOND = ["http://b/1", "http://e/1", "http://b/2", "http://a/1", "http://c/1"]


def test_examples_in_the_docstrings_hold() -> None:
    result = doctest.testmod(robustness)
    assert result.attempted >= 6 and result.failed == 0


def test_overlap_of_two_crawls() -> None:
    """F-26: URLs, then servers both ways, after 1 … 5 pages."""
    urls = [robustness.overlap(FIRST, SECOND, n) for n in range(1, 6)]
    assert urls == pytest.approx([0.0, 0.5, 0.333333, 0.5, 0.8], abs=1e-6)
    ours, theirs = [site_of(url) for url in FIRST], [site_of(url) for url in SECOND]
    pairs = [(robustness.overlap(ours, theirs, n), robustness.overlap(theirs, ours, n)) for n in range(1, 6)]
    expected = [(0.0, 0.0), (0.5, 0.5), (0.333333, 0.5), (0.5, 0.666667), (0.75, 0.75)]
    assert [number for pair in pairs for number in pair] == pytest.approx(
        [number for pair in expected for number in pair], abs=1e-6
    )


@given(st.lists(st.integers(0, 20), max_size=30), st.lists(st.integers(0, 20), max_size=30))
def test_the_curve_is_the_overlap_at_each_page(first: list[int], second: list[int]) -> None:
    expected = [robustness.overlap(first, second, n + 1) for n in range(min(len(first), len(second)))]
    assert robustness.overlap_curve(first, second) == pytest.approx(expected)


def test_rating_overlap() -> None:
    """F-27."""
    assert robustness.top_overlap("abcd", "baxc", 4) == 0.75


def test_distance_of_servers() -> None:
    """F-28."""
    links = {"s": "pq", "p": "r", "r": "x", "q": "y", "x": "z"}
    servers = {"s": "S", "p": "S", "q": "Q", "r": "T", "x": "X", "y": "Q", "z": "X"}
    found = robustness.site_distances(robustness.distances(links, "s"), servers.__getitem__)
    assert found == {"S": 0, "Q": 1, "T": 2, "X": 3}
    assert robustness.histogram(found, "SQTX") == {0: 1, 1: 1, 2: 1, 3: 1}

"""focused.evaluate.metrics: worked numbers and what must hold for any crawl."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.evaluate import metrics

FLAGS = st.lists(st.booleans(), max_size=300)


def test_examples_in_the_docstrings_hold() -> None:
    result = doctest.testmod(metrics)
    assert result.attempted > 10 and result.failed == 0


def test_moving_average_grows_its_window_at_the_start() -> None:
    """Worked numbers of the live plot: window 4."""
    relevance = [0.9, 0.8, 0.95, 0.1, 0.7, 0.05, 0.02, 0.01, 0.01, 0.0]
    expected = [0.9, 0.85, 0.883333, 0.6875, 0.6375, 0.45, 0.2175, 0.195, 0.0225, 0.01]
    assert metrics.moving_average(relevance, window=4).tolist() == pytest.approx(expected, abs=1e-6)
    assert metrics.average_similarity(relevance) == pytest.approx(0.354)


def test_diffusion_is_seen_at_page_nine_of_the_worked_series() -> None:
    averages = [0.9, 0.85, 0.883333, 0.6875, 0.6375, 0.45, 0.2175, 0.195, 0.0225, 0.01]
    assert [metrics.is_diffuse(averages[:n]) for n in range(1, 11)] == [False] * 8 + [True] * 2


@settings(deadline=None)
@given(FLAGS, st.integers(1, 50))
def test_moving_average_is_the_mean_of_the_last_values(flags: list[bool], window: int) -> None:
    expected = [np.mean(flags[max(0, n - window) : n]) for n in range(1, len(flags) + 1)]
    assert metrics.moving_average(flags, window).tolist() == pytest.approx(expected)


@settings(deadline=None)
@given(FLAGS)
def test_harvest_curve_ends_at_the_harvest_rate(flags: list[bool]) -> None:
    curve = metrics.harvest_curve(flags)
    assert len(curve) == len(flags)
    if flags:
        assert curve[-1] == pytest.approx(metrics.harvest_rate(flags))


@settings(deadline=None)
@given(FLAGS)
def test_finding_the_same_earlier_is_never_worse(flags: list[bool]) -> None:
    assert metrics.area(flags) <= metrics.area(sorted(flags, reverse=True)) + 1e-12
    assert 0 <= metrics.area_of_oracle(flags, sorted(flags, reverse=True)) <= 1 + 1e-12


def test_crawl_that_ran_dry_is_not_rewarded_for_it() -> None:
    assert metrics.area_of_oracle([1], [1, 1, 1, 1]) < 0.6


def test_nothing_wanted_is_all_found() -> None:
    assert metrics.recall([], []) == 1.0
    assert metrics.recall(["a"], ["a", "b"]) == 0.5


@settings(deadline=None)
@given(st.integers(0, 5000), st.integers(2, 100))
def test_spread_is_bounded_and_reaches_both_ends(length: int, at_most: int) -> None:
    at = metrics.spread(length, at_most)
    assert len(at) == min(length, at_most)
    if length:
        assert (at[0], at[-1]) == ((0, length - 1) if length > 1 else (0, 0))


def test_precision_of_the_worked_crawls() -> None:
    """S-05: pages of score 0.5 and more are relevant; after 4, 8 and 13 pages."""
    relevant = set("sabmfhi")
    for order, expected in (
        ("sabkcdenmgfhi", (0.75, 0.375, 0.538462)),
        ("sabkcdemnfghi", (0.75, 0.5, 0.538462)),
        ("sabkcdemngfhi", (0.75, 0.5, 0.538462)),
    ):
        flags = [page in relevant for page in order]
        assert [metrics.precision_at(flags, n) for n in (4, 8, 13)] == pytest.approx(expected, abs=1e-6)


def test_similarity_to_examples_gives_the_worked_curves() -> None:
    """B-27, B-28: m of five downloaded pages."""
    m = [1.0, 0.707107, 0.0, 0.866025, 0.0]
    flags = metrics.similar(m)
    assert (int(flags.sum()), metrics.harvest_rate(flags)) == (2, 0.4)
    assert metrics.found_curve(flags).tolist() == [1, 1, 1, 2, 2]
    assert metrics.average_similarity(m) == pytest.approx(0.514626, abs=1e-6)
    averages = metrics.moving_average(m, window=len(m)).tolist()
    assert averages == pytest.approx([1.0, 0.853553, 0.569036, 0.643283, 0.514626], abs=1e-6)


CATALOGUES = {  # X-18, Table 2: (found by xCrawl, existing, found by the baseline) of six sites each
    "cameras": [(643, 670, 6), (794, 894, 72), (372, 432, 175), (179, 191, 181), (634, 686, 479), (825, 845, 625)],
    "notebooks": [(289, 302, 57), (493, 507, 58), (96, 108, 84), (86, 89, 88), (612, 626, 142), (793, 851, 148)],
    "mp3": [(217, 255, 46), (134, 150, 82), (195, 227, 112), (186, 214, 149), (183, 196, 195), (648, 713, 350)],
    "phones": [(82, 86, 46), (132, 132, 75), (74, 88, 80), (365, 389, 153), (503, 554, 158), (524, 524, 345)],
}


@pytest.mark.parametrize(
    ("domain", "crawler", "baseline"),
    [
        ("cameras", 0.924443, 0.480021),
        ("notebooks", 0.949000, 0.411739),
        ("mp3", 0.885835, 0.567082),
        ("phones", 0.940107, 0.558178),
    ],
)
def test_recall_is_averaged_over_sites(domain: str, crawler: float, baseline: float) -> None:
    found, existing, others = zip(*CATALOGUES[domain], strict=True)
    assert metrics.mean_recall(found, existing) == pytest.approx(crawler, abs=1e-6)
    assert metrics.mean_recall(others, existing) == pytest.approx(baseline, abs=1e-6)


def test_catalogue_harvest_and_time_shares() -> None:
    """X-19, X-20."""
    assert metrics.harvest_rate([True] * 42 + [False] * 78) == pytest.approx(0.35)
    assert metrics.time_shares({}) == {}
    assert metrics.time_shares({"a": 0.0}) == {"a": 0.0}
    assert sum(metrics.time_shares({"a": 1.0, "b": 2.0, "c": 4.0}).values()) == pytest.approx(1.0)


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 80))
def test_area_is_the_mean_of_all_prefix_harvests(flags: list[bool], pages: int) -> None:
    padded = (flags + [False] * pages)[:pages]
    by_hand = sum(sum(padded[:n]) / n for n in range(1, pages + 1)) / pages
    assert metrics.area(flags, pages) == pytest.approx(by_hand)

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


@pytest.mark.parametrize(("unfetched", "fetched", "alarm"), [(500, 500, False), (10, 990, True), (0, 0, False)])
def test_stagnation_is_less_than_a_twentieth_left(unfetched: int, fetched: int, alarm: bool) -> None:
    assert metrics.is_stagnant(unfetched, fetched) is alarm


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

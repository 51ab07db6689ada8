"""focused.alarms: what is alarming, when it begins, and that it is told once."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused import alarms as module
from focused.alarms import Alarms, Counts, Trend, related
from focused.evaluate.metrics import moving_average

PLENTY = Counts(fetched=500, failed=0, unfetched=10_000)


def test_examples_in_the_docstrings_hold() -> None:
    result = doctest.testmod(module)
    assert result.attempted == 2 and result.failed == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(1, 9))
def test_the_average_is_that_of_the_last_pages(values: list[float], window: int) -> None:
    trend = Trend(window)
    averages = []
    for value in values:
        trend.see(value)
        averages.append(trend.average)
    assert averages == pytest.approx(moving_average(values, window).tolist(), abs=1e-9)
    whole = averages[window - 1 :]
    assert trend.best == pytest.approx(max(whole, default=0.0), abs=1e-9)


def test_diffusion_is_told_once_until_the_harvest_was_back() -> None:
    alarms, told = Alarms(trend=Trend(window=10, patience=20)), []
    for page in range(300):
        alarms.see(relevant=page < 20 or 100 <= page < 120)
        told += [(page, kind) for kind, _ in alarms.begun(PLENTY)]
    assert told == [(44, "diffusion"), (144, "diffusion")]
    assert alarms.on == {"diffusion": "the harvest has been below half its best for 20 pages"}


def begun(alarms: Alarms, fetched: int, unfetched: int, failed: int = 0) -> list[str]:
    return [kind for kind, _ in alarms.begun(Counts(fetched, failed, unfetched))]


def test_stagnation_is_told_once_and_ends_when_links_are_found() -> None:
    alarms = Alarms()
    assert begun(alarms, 5, 0) == []  # a crawl that has just begun
    assert begun(alarms, 960, 40) == ["stagnation"]
    assert begun(alarms, 960, 60) == begun(alarms, 970, 40) == []  # more than 5 %, but not yet 10 %
    assert begun(alarms, 970, 500) == [] and alarms.on == {}
    assert begun(alarms, 1400, 10) == ["stagnation"]


def test_failures_are_an_alarm_when_they_are_the_rule() -> None:
    alarms = Alarms()
    assert begun(alarms, 40, 1000, failed=200) == ["failing"]
    assert begun(alarms, 200, 1000, failed=200) == begun(alarms, 200, 1000, failed=201) == []
    assert begun(alarms, 300, 1000, failed=201) == [] and alarms.on == {}


def test_stagnation_names_related_classes() -> None:
    alarms = Alarms(good=["Money/Funds"])
    for best in ["Money/Funds"] * 60 + ["Money/Stocks"] * 30 + ["Sport/Cycling"] * 10:
        alarms.see(best == "Money/Funds", best)
    told = alarms.begun(Counts(100, 0, 0))
    ideas = "pages of Money/Stocks (30%), Money (30%) keep turning up: mark it good?"
    assert told == [("stagnation", f"hardly any links are left to follow; {ideas}")]


@pytest.mark.parametrize(
    ("census", "good", "paths"),
    [
        ({}, ["A/B"], []),
        ({"A/B": 10}, ["A/B"], []),
        ({"A/B/C": 10}, ["A/B"], []),  # goodness is inherited
        ({"A/B": 5, "A/C/D": 5}, ["A/B"], ["A/C", "A"]),  # the sibling, not what lies below it
        ({"A/B": 95, "A/C": 5}, ["A/B"], []),  # too little
        ({"A/B/C": 5, "A/D": 5}, ["A/B/C"], ["A"]),  # no sibling, but all in the grandparent
        ({"A": 5, "B": 5, "C/D": 5}, ["A"], ["B", "C"]),
        ({"A": 5, "B": 5}, [], []),
        ({"relevant": 5, "other": 5}, ["A"], []),  # a model of two classes
        ({"A": 5, "B": 5}, [""], []),  # the root is good: everything is
    ],
)
def test_classes_near_good_ones_are_proposed(census: dict[str, int], good: list[str], paths: list[str]) -> None:
    assert [row.path for row in related(census, good)] == paths


def test_a_resumed_crawl_knows_its_trend_and_tells_nothing_twice() -> None:
    relevant = np.random.default_rng(1).random(400) < np.linspace(0.9, 0.0, 400)
    first, second = Alarms(), Alarms()
    for flag in relevant:
        first.see(bool(flag), "A" if flag else None)
    assert first.begun(Counts(400, 0, 0))
    second.load([(int(flag), "A" if flag else None) for flag in relevant], Counts(400, 0, 0))
    assert vars(second.trend) == vars(first.trend)
    assert (second.census, second.on, second.begun(Counts(400, 0, 0))) == (first.census, first.on, [])

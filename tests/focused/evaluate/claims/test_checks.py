"""focused.evaluate.claims.checks: one rule for when a difference is one."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.evaluate.claims import checks
from focused.evaluate.claims.checks import Difference, Each, Within, alike, more, not_more
from focused.evaluate.claims.claim import Measure, Study
from focused.evaluate.claims.measures import RELEVANT
from focused.evaluate.claims.within_checks import AboveHomepage, AmongBest, AtSameCost, GainGrows
from tests.focused.evaluate.claims.made import NUMBER, ONE, SETUP, TWO, outcome, results

CLEAR = results({"cycling": [3, 4, 5]}, {"cycling": [1, 2, 3.5]})  # differences 2, 2, 1.5
NOISY = results({"cycling": [3, 0, 5]}, {"cycling": [1, 4, 2]})  # 2, -4, 3


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(checks).failed == 0


def test_two_standard_errors_by_hand() -> None:
    difference = Difference.of([3, 4, 5], [1, 2, 3.5])
    assert difference.mean == pytest.approx(11 / 6)
    assert difference.error == pytest.approx(math.sqrt(1 / 12) / math.sqrt(3))
    assert difference.is_more and not difference.is_none
    assert not Difference.of([1.1, 0.9], [1.0, 1.0]).is_more
    assert not Difference.of([1.0], [1.0]).is_more and Difference.of([1.0], [1.0]).is_none


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=2, max_size=20))
def test_two_cannot_both_be_more(pairs: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    assert not (Difference.of(first, second).is_more and Difference.of(second, first).is_more)
    if Difference.of(first, second).is_more and Difference.of(first, second).mean > 0.05:
        assert not Difference.of(first, second).is_none


def test_more_not_more_and_alike() -> None:
    assert [check(ONE, TWO, NUMBER).look(CLEAR).holds for check in (more, not_more, alike)] == [True, False, False]
    assert [check(ONE, TWO, NUMBER).look(NOISY).holds for check in (more, not_more, alike)] == [False, True, True]
    assert not more(TWO, ONE, NUMBER).look(CLEAR).holds and not_more(TWO, ONE, NUMBER).look(CLEAR).holds


def test_the_numbers_are_told() -> None:
    assert more(ONE, TWO, NUMBER).look(CLEAR).numbers == (
        "number: one 4.000, two n=2, on=page 2.167 (difference +1.833 ± 0.167, 3 pairs)"
    )


def test_only_trials_that_both_have_are_paired() -> None:
    found = results({"cycling": [3, 4, 5], "horses": [0, 0, 0]}, {"cycling": [1, 2, 3.5]})
    assert "3 pairs" in more(ONE, TWO, NUMBER).look(found).numbers and more(ONE, TWO, NUMBER).look(found).holds


def test_bounds() -> None:
    assert Within(ONE, NUMBER, 4.0, 4.0).look(CLEAR).holds
    assert not Within(ONE, NUMBER, 4.01).look(CLEAR).holds and not Within(ONE, NUMBER, most=3.99).look(CLEAR).holds
    assert Within(ONE, NUMBER, 1, 9).look(CLEAR).numbers == "number: one 4.000 ± 1.000 (asked: ≥ 1, ≤ 9)"


def test_topic_by_topic() -> None:
    mixed = results({"cycling": [3, 4, 5], "horses": [1, 1, 1]}, {"cycling": [1, 2, 3.5], "horses": [2, 2, 2]})
    assert not Each(more(ONE, TWO, NUMBER)).look(mixed).holds
    found = Each(more(ONE, TWO, NUMBER), least=1).look(mixed)
    assert found.holds and found.numbers.startswith("on 1 of 2 topics; cycling: number: one 4.000")
    assert "horses (no): " in found.numbers


def test_two_measures_of_one_crawl() -> None:
    half = Measure("half", lambda outcome: outcome.run.pages_per_second / 2)
    found = results({"cycling": [3, 4, 5], "horses": [1, 2, 3]}, {})
    assert AboveHomepage(ONE, NUMBER, half).look(found).holds
    assert not AboveHomepage(ONE, half, NUMBER).look(found).holds
    assert AboveHomepage(ONE, NUMBER, half).look(found).numbers == (
        "number against half: cycling 4.000 against 2.000; horses 2.000 against 1.000"
    )


def test_best_or_second_on_every_topic() -> None:
    three = Study(SETUP, "three")
    found = results({"cycling": [2.0], "horses": [2.0]}, {"cycling": [1.0], "horses": [3.0]})
    found[three] = {("cycling", 0): found[ONE]["cycling", 0], ("horses", 0): found[TWO]["cycling", 0]}
    assert AmongBest(ONE, (TWO, three), NUMBER).look(found).holds
    assert not AmongBest(TWO, (ONE, three), NUMBER).look(found).holds


def test_a_gain_here_and_a_gain_there() -> None:
    twice = Measure("twice", lambda outcome: 2 * outcome.run.pages_per_second)
    assert GainGrows(ONE, TWO, twice, NUMBER).look(CLEAR).holds
    assert not GainGrows(ONE, TWO, NUMBER, twice).look(CLEAR).holds


def test_at_the_same_cost_only_the_first_pages_of_the_longer_crawl_count() -> None:
    trials = [("cycling", number) for number in range(3)]
    found = {ONE: dict.fromkeys(trials, outcome(found="1111")), TWO: dict.fromkeys(trials, outcome(found="110011111"))}
    assert not more(ONE, TWO, RELEVANT).look(found).holds
    finding = AtSameCost(more(ONE, TWO, RELEVANT)).look(found)
    assert finding.holds and finding.numbers.startswith("in 4 pages, relevant pages: one 4.000, two n=2, on=page 2.000")
    assert AtSameCost(more(ONE, TWO, RELEVANT)).studies == (ONE, TWO)

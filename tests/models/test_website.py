from __future__ import annotations

import math
import random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.website import Website, corrected, judged, prior

CONFIDENCES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40)


def pages(*wanted: float) -> list[tuple[float, float]]:
    return [(confidence, 1 - confidence) for confidence in wanted]


@settings(deadline=None)
@given(st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=6), st.floats(0.0, 0.49))
def test_correction_keeps_probabilities_probabilities(given: list[float], p_err: float) -> None:
    confidences = [value / sum(given) for value in given]
    told = corrected(confidences, p_err)
    assert sum(told) == pytest.approx(1.0)
    assert told[confidences.index(max(confidences))] == pytest.approx(max(told))  # the order stays


@settings(deadline=None)
@given(CONFIDENCES, st.floats(0.05, 0.95))
def test_the_posterior_is_the_product_that_bayes_asks_for(wanted: list[float], before: float) -> None:
    site = Website.begun(before)
    for page in pages(*wanted):
        site.add(page)
    odds = math.log(before / (1 - before))
    odds += sum(math.log(q / r) for q, r in (corrected(page, 0.12) for page in pages(*wanted)))
    assert site.posterior == pytest.approx(1 / (1 + math.exp(-odds)), abs=1e-9)
    assert sum(site.posteriors) == pytest.approx(1.0)
    assert site.mean_confidence == pytest.approx(sum(wanted) / len(wanted))


def test_the_verdict_is_frozen_and_the_posterior_runs_on() -> None:
    site = Website.begun()
    for page in pages(0.9, 0.9):
        site.add(page)
    decided = site.posterior
    assert (site.decided, site.verdict, site.confidence) == (True, True, decided)
    for page in pages(*[0.0] * 10):
        site.add(page)
    assert site.posterior < 0.001
    assert (site.decided, site.verdict, site.confidence) == (True, True, decided)


def test_a_site_is_decided_against_the_topic_as_well() -> None:
    site = Website.begun()
    for page in pages(0.1, 0.1):
        site.add(page)
    assert (site.decided, site.verdict) == (True, False)


def test_a_site_of_which_nothing_was_read_is_not_decided_however_sure_the_prior() -> None:
    site = Website.begun(0.95)
    assert (site.decided, site.verdict, site.mean_confidence) == (False, True, 0.0)


def test_a_tie_is_not_relevant() -> None:
    site = Website.begun()
    site.add((0.5, 0.5))
    assert (site.decided, site.verdict, site.posterior) == (False, False, 0.5)


def test_the_threshold_is_met_in_spite_of_the_last_bit() -> None:
    site = Website.begun(0.5, p_err=0.1, p_threshold=0.9)
    site.add((1.0, 0.0))  # exactly 0.9 but for rounding
    assert site.decided


def test_one_sure_page_never_locks_a_site() -> None:
    site = Website.begun(p_err=0.0)
    for page in pages(1.0, 0.0):
        site.add(page)
    assert site.posterior == pytest.approx(0.5)
    assert judged(pages(0.0), Website.begun(p_err=0.0)).posterior == pytest.approx(1e-12, rel=1e-6, abs=0)


def test_of_three_classes_the_wanted_one_must_beat_each_of_the_others() -> None:
    site = Website.begun(0.4, classes=3)
    assert site.posteriors == pytest.approx([0.4, 0.3, 0.3])
    for _ in range(6):
        site.add((0.3, 0.6, 0.1))
    assert (site.decided, site.verdict) == (True, False)


@settings(deadline=None)
@given(CONFIDENCES, st.integers(0, 40))
def test_a_site_goes_on_after_a_kill_as_if_nothing_had_happened(wanted: list[float], cut: int) -> None:
    whole, halved = Website.begun(0.3), Website.begun(0.3)
    for number, page in enumerate(pages(*wanted)):
        if number == cut:
            halved = Website.restored(orjson.loads(orjson.dumps(halved.state())))
        whole.add(page)
        halved.add(page)
    assert halved == whole
    assert halved.state() == whole.state()


@settings(deadline=None)
@given(CONFIDENCES, st.randoms())
def test_pages_judged_at_once_may_come_in_any_order(wanted: list[float], dice: random.Random) -> None:
    shuffled = list(wanted)
    dice.shuffle(shuffled)
    one, other = judged(pages(*wanted), Website.begun()), judged(pages(*shuffled), Website.begun())
    assert one.confidence == pytest.approx(other.confidence, abs=1e-9)
    assert one.pages == len(wanted)
    assert one.confidence == one.posterior


def test_a_homepage_alone_may_decide() -> None:
    assert judged(pages(0.97), Website.begun(p_threshold=0.7)).decided
    assert not judged([], Website.begun(0.95)).decided  # a prior alone may not


@pytest.mark.parametrize(("relevant", "screened"), [(0, 0), (0, 10**6), (10**6, 10**6)])
def test_a_prior_never_closes_the_case(relevant: int, screened: int) -> None:
    assert 0.05 <= prior(relevant, screened) <= 0.95

"""Precision, recall, F, thresholds and calibration, against numbers done by hand and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, precision_recall_fscore_support

from focused.training.quality import Bin, best_threshold, confusion, doubtful, quality_of, reliability, scores
from focused.training.validation import Held, Validation
from models.model import Example, Floats

JUDGED = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.51, 0.9, 1.0])), min_size=1)


def held(is_good: bool, relevance: float, label: str = "", best: str | None = None) -> Held:
    example = Example(np.zeros(0, np.int32), label or ("relevant" if is_good else "other"), url=f"{relevance}")
    return Held(example, is_good, relevance, relevance >= 0.5, best)


def columns(pairs: list[tuple[bool, float]]) -> tuple[np.ndarray, Floats]:
    return np.array([good for good, _ in pairs], np.bool_), np.array([relevance for _, relevance in pairs])


def test_numbers_by_hand() -> None:
    found = quality_of(Validation([held(True, 0.9), held(True, 0.3), held(False, 0.6), held(False, 0.1)], 2, 0.5))
    assert (found.precision, found.recall, found.f, found.accuracy) == (0.5, 0.5, 0.5, 0.5)
    assert found.brier == pytest.approx((0.01 + 0.49 + 0.36 + 0.01) / 4)
    assert found.ece == pytest.approx((0.1 + 0.7 + 0.6 + 0.1) / 4)
    assert (found.suggested, found.f_suggested) == (pytest.approx(0.2), pytest.approx(0.8))
    assert found.confusion == {"other": {"relevant": 1, "other": 1}, "relevant": {"relevant": 1, "other": 1}}


@settings(deadline=None)
@given(JUDGED)
def test_scores_are_those_of_scikit_learn(pairs: list[tuple[bool, float]]) -> None:
    truth, relevance = columns(pairs)
    expected = precision_recall_fscore_support(truth, relevance >= 0.5, average="binary", zero_division=0)[:3]
    assert scores(truth, relevance >= 0.5) == pytest.approx(expected)
    found = quality_of(Validation([held(*pair) for pair in pairs], 2, 0.5))
    assert found.brier == pytest.approx(brier_score_loss(truth, relevance, pos_label=True))


@settings(deadline=None)
@given(JUDGED)
def test_no_threshold_is_better_than_the_suggested_one(pairs: list[tuple[bool, float]]) -> None:
    truth, relevance = columns(pairs)
    threshold, f = best_threshold(truth, relevance)
    tried = [scores(truth, relevance >= level)[2] for level in np.linspace(0, 1.01, 102)]
    assert f == pytest.approx(max(tried))
    assert scores(truth, relevance >= threshold)[2] == pytest.approx(f)


def test_reliability_puts_each_page_in_its_tenth() -> None:
    bins = reliability(*columns([(True, 0.95), (False, 0.97), (True, 1.0), (False, 0.0)]))
    assert bins[9] == Bin(3, pytest.approx(0.9733333), pytest.approx(2 / 3))
    assert bins[0] == Bin(1, 0.0, 0.0)
    assert sum(row.pages for row in bins) == 4


def test_confusion_is_by_class_where_the_model_has_classes() -> None:
    rows = [
        held(True, 0.9, "A/B", "A/B"),
        held(True, 0.4, "A/B", "C"),
        held(False, 0.1, "C", "C"),
        held(False, 0.1, "D", "C"),
    ]
    assert confusion(rows) == {"A/B": {"A/B": 1, "C": 1}, "C": {"C": 1}, "D": {"C": 1}}


def test_most_doubtful_is_what_the_model_contradicts_most() -> None:
    rows = [held(True, 0.9), held(True, 0.2), held(False, 0.95), held(False, 0.4)]
    assert [one.relevance for one in doubtful(rows, 2)] == [0.95, 0.2]


def test_nothing_judged_is_no_quality_but_no_fault() -> None:
    found = quality_of(Validation([], 0, 0.5, "too few"))
    assert (found.pages, found.f, found.note) == (0, 0.0, "too few")

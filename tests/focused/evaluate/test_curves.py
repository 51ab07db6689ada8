"""focused.evaluate.curves: a measure while pages come in, averaged over topics."""

from __future__ import annotations

import doctest

import pytest

from focused.evaluate import curves
from focused.evaluate.curves import at_shares, curve, mean_curve
from focused.evaluate.metrics import found_curve, similar

M = [1.0, 0.707107, 0.0, 0.866025, 0.0]  # B9: likeness of five pages


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(curves) == (0, 3)


def test_the_worked_curves() -> None:
    """B9: pages above 0.75 and mean similarity after 1, 2, 3, 4 and 5 pages (B-27, B-28)."""
    assert found_curve(similar(M)).tolist() == [1, 1, 1, 2, 2]
    assert curve(similar(M), 5) == pytest.approx([1, 1 / 2, 1 / 3, 2 / 4, 2 / 5])
    assert curve(M, 5) == pytest.approx([1.0, 0.853553, 0.569036, 0.643283, 0.514626], abs=1e-6)


def test_every_topic_counts_the_same_and_a_dry_crawl_finds_no_more() -> None:
    mean = mean_curve([[M], [[0.0] * 5, [0.0] * 5], [[1.0]]], 5)
    assert mean == pytest.approx([(of_m + 0 + 1 / n) / 3 for n, of_m in enumerate(curve(M, 5), 1)])
    assert at_shares(mean) == pytest.approx([mean[0], mean[0], mean[1], mean[4]])

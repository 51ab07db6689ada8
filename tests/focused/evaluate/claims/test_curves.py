"""focused.evaluate.claims.curves: the ways to crawl side by side, page by page and over the topics."""

from __future__ import annotations

from dataclasses import replace

from focused.evaluate.claims.curves import curves
from tests.focused.evaluate.claims.made import ONE, SETUP, TWO, outcome

LIKE = replace(SETUP, likeness=True)


def test_curves_are_averaged_over_topics() -> None:
    """Ten pages a crawl; cycling was crawled three times, horses once, and both count the same."""
    study = ONE._replace(setup=LIKE)
    good = replace(outcome(0.0, "1" * 10), likeness=[0.8] * 5 + [0.75] * 5)
    dry = replace(outcome(0.0, "00"), likeness=[0.4, 0.2])
    found = {study: {("cycling", 0): good, ("cycling", 1): good, ("cycling", 2): good, ("horses", 0): dry}}
    assert curves([study], found).splitlines()[-1] == (
        "| one | 0.500, 0.500, 0.500, 0.500 | 0.500, 0.500, 0.500, 0.250 | 0.600, 0.550, 0.460, 0.418 |"
    )


def test_only_what_was_measured_is_shown() -> None:
    found = {ONE: {("cycling", 0): outcome(0.0, "1")}}
    assert curves([ONE, TWO._replace(setup=LIKE)], found) == ""  # one has no likeness, the other was not run

"""evidence: one row a waiting link, bounded."""

from __future__ import annotations

import json

import numpy as np

from focused.orderings.evidence import ROW, SOURCES, Evidence
from focused.orderings.sighting import Rows


def rows(*pages: int, source: int = 1, **values: float) -> Rows:
    found = np.zeros(len(pages), ROW)
    found["page"], found["links"] = pages, 1.0
    found["sources"][:, 0] = source
    for name, value in values.items():
        found[name] = value
    return found


def test_a_link_seen_again_sums_up_and_keeps_the_best() -> None:
    evidence = Evidence()
    assert evidence.enter(rows(7, 8, anchor_max=0.5, anchor_sum=0.5, distance=3)) == []
    assert len(evidence.enter(rows(8, source=2, anchor_max=0.2, anchor_sum=0.2, distance=1))) == 1
    row = evidence.pop(8)
    assert row is not None
    assert (row["links"][0], row["distance"][0]) == (2, 1)
    assert row["anchor_max"][0] == np.float32(0.5) and row["anchor_sum"][0] == np.float32(0.7)
    assert row["sources"][0, :3].tolist() == [1, 2, 0]
    assert evidence.pop(8) is None and len(evidence) == 1


def test_only_the_newest_sources_are_kept() -> None:
    evidence = Evidence()
    for source in range(1, SOURCES + 3):
        evidence.enter(rows(5, source=source))
    row = evidence.pop(5)
    assert row is not None and sorted(row["sources"][0].tolist()) == list(range(3, SOURCES + 3))


def test_when_there_are_too_many_the_lowest_scores_go() -> None:
    evidence = Evidence(most=100)
    evidence.enter(rows(*range(1, 101)))
    evidence.rows["score"] = evidence.rows["page"]
    evidence.enter(rows(*range(201, 211)))
    assert len(evidence) == 85
    assert evidence.where([1, 25]) == [] and len(evidence.where([26, 100, 210])) == 3


def test_the_round_comes_to_every_row() -> None:
    evidence = Evidence()
    evidence.enter(rows(*range(1, 1500)))
    seen = {place for _ in range(len(evidence.rows) // 64) for place in evidence.next_round(64)}
    assert seen == set(evidence.where(range(1, 1500))) and evidence.pointer == 0


def test_a_redirect_takes_the_evidence_along() -> None:
    evidence = Evidence()
    evidence.enter(rows(1, 2, around=0.5))
    evidence.move(1, 9)
    evidence.move(2, 9)
    row = evidence.pop(9)
    assert row is not None and row["around"][0] == 0.5 and len(evidence) == 0


def test_it_survives_as_json() -> None:
    evidence, twin = Evidence(), Evidence()
    evidence.enter(rows(*range(1, 2000)))
    evidence.pop(7)
    twin.restore(json.loads(json.dumps(evidence.saved())))
    assert twin.enter(rows(3, 4000)) == evidence.enter(rows(3, 4000))
    np.testing.assert_array_equal(twin.rows, evidence.rows)

"""evidence: one row a waiting link, bounded."""

from __future__ import annotations

import json

import numpy as np

from focused.orderings.evidence import (
    AROUND,
    DISTANCE,
    GROUPS,
    HUBS,
    LINKS,
    PAGE_MAX,
    PAGE_SUM,
    SCORE,
    SOURCES,
    Evidence,
    Rows,
)


def rows(*pages: int, source: int = 1, values: dict[int, float] | None = None) -> Rows:
    found = Rows.free(len(pages))
    found.pages[:], found.values[:, LINKS] = pages, 1.0
    found.places[:, [HUBS.start, GROUPS.start]] = source, source + 100
    for column, value in (values or {}).items():
        found.values[:, column] = value
    return found


def test_a_link_seen_again_sums_up_and_keeps_the_best() -> None:
    evidence = Evidence()
    assert evidence.enter(rows(7, 8, values={PAGE_MAX: 0.5, PAGE_SUM: 0.5, DISTANCE: 3})) == []
    assert len(evidence.enter(rows(8, source=2, values={PAGE_MAX: 0.2, PAGE_SUM: 0.2, DISTANCE: 1}))) == 1
    row = evidence.pop(8)
    assert row is not None
    assert row.values[0, [LINKS, DISTANCE]].tolist() == [2, 1]
    assert row.values[0, [PAGE_MAX, PAGE_SUM]].tolist() == [np.float32(0.5), np.float32(0.7)]
    assert row.places[0, HUBS][:3].tolist() == [1, 2, 0] and row.places[0, GROUPS][:3].tolist() == [101, 102, 0]
    assert evidence.pop(8) is None and len(evidence) == 1


def test_only_the_newest_sources_are_kept() -> None:
    evidence = Evidence()
    for source in range(1, SOURCES + 3):
        evidence.enter(rows(5, source=source))
    row = evidence.pop(5)
    assert row is not None and sorted(row.places[0, HUBS].tolist()) == list(range(3, SOURCES + 3))


def test_when_there_are_too_many_the_lowest_scores_go() -> None:
    evidence = Evidence(most=100)
    evidence.enter(rows(*range(1, 101)))
    evidence.rows.values[:, SCORE] = evidence.rows.pages
    evidence.enter(rows(*range(201, 211)))
    assert len(evidence) == 85
    assert evidence.where([1, 25]) == [] and len(evidence.where([26, 100, 210])) == 3


def test_the_round_comes_to_every_row() -> None:
    evidence = Evidence()
    evidence.enter(rows(*range(1, 1500)))
    seen = {place for _ in range(len(evidence.rows.pages) // 64) for place in evidence.next_round(64)}
    assert seen == set(evidence.where(range(1, 1500))) and evidence.pointer == 0


def test_a_redirect_takes_the_evidence_along() -> None:
    evidence = Evidence()
    evidence.enter(rows(1, 2, values={AROUND: 0.5}))
    evidence.move(1, 9)
    evidence.move(2, 9)
    row = evidence.pop(9)
    assert row is not None and row.values[0, AROUND] == 0.5 and len(evidence) == 0


def test_it_survives_as_json() -> None:
    evidence, twin = Evidence(), Evidence()
    evidence.enter(rows(*range(1, 2000)))
    evidence.pop(7)
    twin.restore(json.loads(json.dumps(evidence.saved())))
    assert twin.enter(rows(3, 4000)) == evidence.enter(rows(3, 4000))
    np.testing.assert_array_equal(twin.rows.table, evidence.rows.table)


def test_what_has_moved_in_the_table_is_found_where_it_is() -> None:
    evidence = Evidence()
    evidence.enter(rows(1, 2, source=3))
    moved = np.arange(200)
    moved[3], moved[103] = 7, 0
    evidence.renumber(moved)
    row = evidence.pop(2)
    assert row is not None and (row.places[0, HUBS.start], row.places[0, GROUPS.start]) == (7, 0)

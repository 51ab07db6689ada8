"""learned: what an ordering learned, as tables of the report."""

from __future__ import annotations

import json
from pathlib import Path

from focused.evaluate.learned import learned
from focused.evaluate.report import render
from focused.evaluate.tables import show
from focused.orderings.features import FEATURES
from tests.focused.made_crawl import small_crawl

NAMES = {"host": [["a.example", 3.5, 4.0]], "directory": [], "template": [], "path": [], "tokens": [["sail", 1.0, 1.0]]}


def test_weights_over_time_and_what_paid(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    weights = [[50 * n, [0.1 * n] * len(FEATURES)] for n in range(1, 11)]
    told = {"weights": weights, "names": NAMES, "hubs": [[1, 2.5, 3.0], [999, 1.0, 1.0]]}
    rows = [(f"ordering.learned.{name}", json.dumps(value)) for name, value in told.items()]
    crawl.db.executemany("INSERT INTO memory VALUES (?, ?)", rows)
    with crawl.read() as reading:
        first, hubs, hosts, words = learned(reading)
        assert "harvest of the host" in render(reading, "small")
    assert first.headings[:3] == ("evidence", "at first", "after 50") and first.headings[-1] == "after 500"
    assert len(first.rows) == len(FEATURES) and first.rows[0][1:3] == (-1.0, 0.1)
    assert [[show(cell) for cell in row[1:]] for row in hubs.rows] == [["3", "83.3 %"]]  # a page not there is left out
    assert [[*map(show, row)] for row in hosts.rows] == [["a.example", "4", "87.5 %"]]  # no counts like 4.000
    assert hosts.headings == ("site", "fetched", "believed relevant") and words.rows == [("sail", 1, 1.0)]


def test_an_ordering_that_learns_nothing_has_no_tables(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        assert learned(reading) == []

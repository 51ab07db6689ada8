"""focused.evaluate.compare: rows in order, and files as the contract has them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from focused.evaluate.compare import Comparison, as_json, write
from focused.evaluate.metrics import harvest_curve
from focused.evaluate.runs import Run
from tests.focused.evaluate.made_comparison import case, comparison, crawl

CONTRACT = {"topic", "web", "pages", "seeds", "reachable", "reachable_relevant", "orderings"}
METRICS = {
    *("harvest", "recall", "area_of_oracle", "average_similarity", "pages_per_second", "cpu_ms_per_page"),
    *("similar_pages", "similar_harvest"),
    *("pprs", "website_harvest", "precision", "recall_sites", "f", "pages_per_site", "single_page_share"),
}


def test_rows_are_sorted_by_their_share_of_the_oracle() -> None:
    made = comparison({"bad": 0.1, "good": 0.8, "broken": None})
    assert [row.name for row in made.rows] == ["oracle", "good", "bad", "broken"]
    assert [row.name for row in made.contestants] == ["good", "bad"]
    assert made.rows[0].area == 1.0


def test_json_has_the_names_of_the_contract(tmp_path: Path) -> None:
    write(comparison({"good": 0.8, "bad": 0.1}), tmp_path)
    found = json.loads((tmp_path / "compare.json").read_text())
    assert found.keys() >= CONTRACT
    assert (found["pages"], found["seeds"], found["reachable"], found["reachable_relevant"]) == (200, 3, 400, 100)
    assert found["orderings"].keys() == {"oracle", "good", "bad"}
    assert found["orderings"]["good"].keys() >= METRICS
    for stats in found["orderings"].values():
        assert all(stat.keys() == {"mean", "sd", "each"} and len(stat["each"]) == 3 for stat in stats.values())
    good = found["orderings"]["good"]["harvest"]
    assert good["mean"] == pytest.approx(np.mean(good["each"])) and good["sd"] == pytest.approx(
        np.std(good["each"], ddof=1)
    )
    assert found["harvest_at_most"] == 0.5
    similar, harvest = (found["orderings"]["good"][name]["each"] for name in ("similar_harvest", "harvest"))
    assert similar == harvest  # what is relevant here, and nothing else, is like the examples by more than 0.75


def test_csv_has_one_line_for_each_number(tmp_path: Path) -> None:
    made = comparison({"good": 0.8, "broken": None})
    write(made, tmp_path)
    with (tmp_path / "compare.csv").open() as file:
        rows = list(csv.DictReader(file))
    harvest = {(row["ordering"], row["seed"]): float(row["value"]) for row in rows if row["metric"] == "harvest"}
    assert harvest.keys() == {(name, seed) for name in ("oracle", "good") for seed in "012"}
    assert harvest["good", "1"] == made.rows[1].stat("harvest").each[1]


def test_a_crash_is_a_row_and_the_other_seeds_count() -> None:
    cases = [case() for _ in range(3)]
    runs = [crawl(cases[0], 0.5, 0), Run(error="it broke (status 1)"), crawl(cases[2], 0.5, 2)]
    made = Comparison("cycling", "sim:small", 200, cases, "judged")
    made.add("shaky", runs, [[cases[0].relevant[url] for url in run.urls] for run in runs])
    made.add_oracle()
    found = as_json(made)
    assert found["errors"] == {"shaky": ["seed 1: it broke (status 1)"]}
    stat = found["orderings"]["shaky"]["harvest"]
    assert stat["each"][1] is None and stat["mean"] == pytest.approx((stat["each"][0] + stat["each"][2]) / 2)
    all_broken = as_json(comparison({"broken": None}))
    assert all_broken["orderings"]["broken"] == {} and len(all_broken["errors"]["broken"]) == 3


def test_ties_and_hardly_anything_to_find_are_not_discriminating() -> None:
    assert comparison({"a": 0.5, "b": 0.5}).not_discriminating() == "all orderings tie"
    assert comparison({"a": 0.5, "b": 0.4}).not_discriminating() == ""
    assert comparison({"a": 0.5}).not_discriminating() == ""
    poor = Comparison("x", "y", 200, [case(relevant=10), case(relevant=3)], "judged")
    poor.add_oracle()
    assert poor.not_discriminating() == "hardly anything relevant is within reach (10 pages)"
    assert as_json(poor)["discriminating"] is False


def test_curve_is_the_mean_over_the_seeds_and_goes_on_when_a_crawl_ran_dry() -> None:
    made = comparison({"good": 0.8})
    made.add("dry", [Run(urls=["http://site0.example/0"], judged=[True])] * 3, [[True]] * 3)
    mean, sd = made.curve(next(row for row in made.rows if row.name == "good"))
    found = [flags for flags in made.rows[1].found if flags is not None]
    assert mean.tolist() == pytest.approx(np.mean([harvest_curve(flags) for flags in found], axis=0).tolist())
    assert len(sd) == 200 and sd.max() > 0
    dry, none = made.curve(next(row for row in made.rows if row.name == "dry"))
    assert dry[[0, 1, 199]].tolist() == [1.0, 0.5, 0.005] and none.max() < 1e-9

"""Orderings beside each other and beside the oracle, on one frozen web: who wins, compare.json, compare.csv."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from focused.evaluate.metrics import Floats, harvest_curve
from focused.evaluate.oracle import at_most
from focused.evaluate.runs import ORACLE, Run
from focused.evaluate.scores import Case, Scores, Stat, scores_of, seed_overlap

TIE = 1e-3  # areas nearer to each other than this are the same
FEW = 10  # relevant pages within reach: with no more, chance decides


@dataclass(slots=True)
class Row:
    """An ordering: its scores and which of its pages were relevant, by seed; None where the crawl failed."""

    name: str
    scores: list[Scores | None] = field(default_factory=list)
    found: list[list[bool] | None] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def stat(self, metric: str) -> Stat:
        return Stat.of([None if scores is None else scores.get(metric) for scores in self.scores])

    @property
    def metrics(self) -> list[str]:
        return list(dict.fromkeys(metric for scores in self.scores if scores for metric in scores))

    @property
    def area(self) -> float | None:
        """Mean share of the oracle's area."""
        return self.stat("area_of_oracle").mean


@dataclass(slots=True)
class Comparison:
    """All that is known when the crawls are over; the rows with the best first."""

    topic: str
    web: str
    pages: int
    cases: list[Case]
    truth: str  # who said which pages are relevant
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what a reader should know

    @property
    def contestants(self) -> list[Row]:
        """The orderings that have a score."""
        return [row for row in self.rows if row.name != ORACLE and row.area is not None]

    @property
    def seeds(self) -> int:
        return len(self.cases)

    @property
    def reachable(self) -> list[int]:
        """Pages within reach, by seed."""
        return [len(case.relevant) for case in self.cases]

    @property
    def reachable_relevant(self) -> list[int]:
        return [len(case.wanted) for case in self.cases]

    @property
    def harvest_at_most(self) -> float:
        """What no crawl can pass, even if it were led to every relevant page."""
        return fmean(at_most(count, self.pages) for count in self.reachable_relevant)

    def add(self, name: str, runs: Sequence[Run], true: Sequence[Sequence[bool]]) -> None:
        """The crawls of an ordering, one a seed, and what their pages really are."""
        row = Row(name)
        done = [run for run in runs if not run.error]
        for seed, (run, found, case) in enumerate(zip(runs, true, self.cases, strict=True)):
            others = [other for other in done if other is not run]
            scores = None if run.error else scores_of(run, found, case, self.pages)
            if scores is not None and others:
                scores["seed_overlap"] = seed_overlap(run, others)
            row.errors += [f"seed {seed}: {run.error}"] if run.error else []
            row.found.append(None if run.error else list(found))
            row.scores.append(scores)
        self.rows.append(row)
        self.rows.sort(key=_best_first)

    def add_oracle(self) -> None:
        runs = [Run(case.best) for case in self.cases]
        self.add(ORACLE, runs, [case.best_found for case in self.cases])

    def not_discriminating(self) -> str:
        """Why the scores do not tell the orderings apart; empty if they do."""
        areas = [row.area for row in self.contestants if row.area is not None]
        most = max(self.reachable_relevant)
        if most <= FEW:
            return f"hardly anything relevant is within reach ({most} pages)"
        if len(areas) > 1 and max(areas) - min(areas) < TIE:
            return "all orderings tie"
        return ""

    def curve(self, row: Row) -> tuple[Floats, Floats]:
        """Mean and spread over the seeds of the harvest after 1, 2, 3 … pages; a crawl that ran dry finds no more."""
        longest = max(len(found) for row in self.rows for found in row.found if found is not None)
        padded = [found + [False] * (longest - len(found)) for found in row.found if found is not None]
        curves = np.array([harvest_curve(found) for found in padded])
        return curves.mean(axis=0), curves.std(axis=0, ddof=1) if len(curves) > 1 else np.zeros(longest)


def _best_first(row: Row) -> tuple[bool, float, bool, str]:
    return (row.area is None, -(row.area or 0.0), row.name != ORACLE, row.name)


def as_json(comparison: Comparison) -> dict[str, Any]:
    """What compare.json holds; its names are part of the contract."""
    return {
        "topic": comparison.topic,
        "web": comparison.web,
        "pages": comparison.pages,
        "seeds": comparison.seeds,
        "reachable": round(fmean(comparison.reachable)),
        "reachable_relevant": round(fmean(comparison.reachable_relevant)),
        "reachable_each": comparison.reachable,
        "reachable_relevant_each": comparison.reachable_relevant,
        "reach_is_whole": all(case.is_whole for case in comparison.cases),
        "harvest_at_most": comparison.harvest_at_most,
        "truth": comparison.truth,
        "discriminating": not comparison.not_discriminating(),
        "why_not_discriminating": comparison.not_discriminating(),
        "notes": comparison.notes,
        "errors": {row.name: row.errors for row in comparison.rows if row.errors},
        "orderings": {
            row.name: {metric: row.stat(metric)._asdict() for metric in row.metrics} for row in comparison.rows
        },
    }


def write(comparison: Comparison, folder: Path) -> None:
    """compare.json, and compare.csv with one line for each ordering, seed and metric."""
    (folder / "compare.json").write_text(json.dumps(as_json(comparison), indent=1, allow_nan=False) + "\n", "utf-8")
    with (folder / "compare.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("ordering", "seed", "metric", "value"))
        for row in comparison.rows:
            for metric in row.metrics:
                values = enumerate(row.stat(metric).each)
                writer.writerows((row.name, seed, metric, value) for seed, value in values if value is not None)

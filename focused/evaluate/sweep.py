"""One ordering with many values of its arguments, on catalogues: xCrawl, §3.1, Fig. 4 and 5 (X-18 to X-20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson

from focused.errors import SettingError, WebError
from focused.evaluate.metrics import harvest_rate
from focused.evaluate.runs import Entry, Job, Plan, Run, Told, run_all
from focused.evaluate.tables import Section
from focused.urls import site_of
from focused.webs import Web, about

FILE = "sweep.json"


@dataclass(slots=True, frozen=True)
class Row:
    """Means over the crawls of one ordering."""

    name: str
    pages: float
    harvest: float  # accepted by the validator / pages
    recall: float  # mean of the sites, by the truth
    worst: float  # recall of the worst site
    sites: dict[str, float]  # recall of each
    ordering: float  # share of the processor's time
    judging: float
    rendering: float  # share of the time by the clock
    errors: list[str]


def varied(ordering: str, given: Sequence[str]) -> list[Entry]:
    """Every combination of some values.

    >>> [entry.arguments for entry in varied("xcrawl", ["restart=0.1,0.2", "sites=6"])]
    ['restart=0.1,sites=6', 'restart=0.2,sites=6']
    """
    fields = []
    for text in given:
        name, equals, values = text.partition("=")
        if not equals or not values.strip(","):
            raise SettingError(f"--vary {text} has no values: write --vary restart=0.05,0.15.")
        fields.append([f"{name.strip()}={value.strip()}" for value in values.split(",") if value.strip()])
    chosen = [",".join(one) for one in product(*fields)]
    return [Entry(f"{ordering}:{text.replace(',', ';')}".rstrip(":"), ordering, text) for text in chosen]


def existing_on(web: Web, topic: str) -> Mapping[str, int]:
    """How many instances each site has, as the web itself knows."""
    pages_of = getattr(web, "pages_of", None)
    if pages_of is None:
        raise WebError("A sweep needs a web that knows all its instances, such as --web sim:catalogue.")
    return Counter(map(site_of, pages_of(topic)))


def swept(plan: Plan, entries: Sequence[Entry], seeds: int, ground: tuple[Web, str], told: Told) -> list[Row]:
    web, topic = ground
    existing = existing_on(web, topic)
    runs = run_all(plan, [Job(entry, seed) for entry in entries for seed in range(seeds)], 2, told)
    return [_row(entry.name, [runs[Job(entry, seed)] for seed in range(seeds)], ground, existing) for entry in entries]


def _row(name: str, runs: Sequence[Run], ground: tuple[Web, str], existing: Mapping[str, int]) -> Row:
    good = [run for run in runs if not run.error]
    shares = [_recalls(run, ground, existing) for run in good]
    sites = {site: _mean([share[site] for share in shares]) for site in existing}
    return Row(
        name,
        _mean([len(run.urls) for run in good]),
        _mean([harvest_rate(run.judged) for run in good]),
        _mean([_mean([*share.values()]) for share in shares]),
        min(sites.values(), default=0.0),
        sites,
        _mean([run.ordering_share for run in good]),
        _mean([run.judging_share for run in good]),
        _mean([run.rendering_share for run in good]),
        [run.error for run in runs if run.error],
    )


def _recalls(run: Run, ground: tuple[Web, str], existing: Mapping[str, int]) -> dict[str, float]:
    found = Counter(site_of(url) for url in run.urls if about(ground[0], url, ground[1]))
    return {site: found[site] / count for site, count in existing.items()}


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def table(rows: Sequence[Row]) -> Section:
    headings = ("ordering", "pages", "harvest", "recall", "worst site", "ordering", "judging", "rendering")
    cells = [
        (row.name, round(row.pages), row.harvest, row.recall, row.worst, row.ordering, row.judging, row.rendering)
        for row in rows
    ]
    said = "Recall: mean of the sites. Shares of time: ordering and judging by the processor, rendering by the clock"
    return Section(said, headings, [*cells])


def write(rows: Sequence[Row], facts: Mapping[str, Any], folder: Path) -> Path:
    path = folder / FILE
    path.write_bytes(orjson.dumps({**facts, "rows": [asdict(row) for row in rows]}, option=orjson.OPT_INDENT_2))
    return path

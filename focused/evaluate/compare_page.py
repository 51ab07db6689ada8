"""A comparison for people: one sentence, a table for the terminal, and compare.html, which needs no network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from importlib import resources
from pathlib import Path
from statistics import fmean
from string import Template

import numpy as np
import plotly.graph_objects as go

from focused.evaluate import figures
from focused.evaluate.compare import TIE, Comparison, Row
from focused.evaluate.figures import Curve
from focused.evaluate.report import hash_of, id_of
from focused.evaluate.runs import ORACLE
from focused.evaluate.tables import Cell, Section
from focused.evaluate.websites import HARVEST_WINDOW, PPRS_WINDOW
from focused.evaluate.wording import clean, percent

FILE = "compare.html"
COLUMNS = {  # metric → heading, digits
    "area_of_oracle": ("area of oracle", 3),
    "harvest": ("harvest", 3),
    "recall": ("recall", 3),
    "average_similarity": ("similarity", 3),
    "similar_harvest": ("similar", 3),
    "similar_pages": ("similar pages", 0),
    "relevant": ("relevant", 0),
    "pages": ("pages", 0),
    "seed_overlap": ("seed overlap", 3),
    "pages_per_second": ("pages/s", 0),
    "cpu_ms_per_page": ("CPU ms/page", 1),
}
SHORT = {  # on a terminal
    "area_of_oracle": "area",
    "harvest": "harvest",
    "recall": "recall",
    "pages_per_second": "pages/s",
    "cpu_ms_per_page": "CPU ms",
}
SITE_COLUMNS = {
    "pprs": ("pages per relevant site", 1),
    "pprs_last": (f"the same, last {PPRS_WINDOW:,} pages", 1),
    "website_harvest": ("website harvest", 3),
    "website_harvest_last": (f"the same, last {HARVEST_WINDOW:,} pages", 3),
    "precision": ("precision", 3),
    "recall_sites": ("recall", 3),
    "f": ("F", 3),
    "pages_per_site": ("pages per site", 1),
    "single_page_share": ("single-page share", 3),
}


def who_wins(comparison: Comparison) -> str:
    """Which ordering, by how much, from when on."""
    rows = comparison.contestants
    if not rows:
        return "No ordering could be measured."
    why = comparison.not_discriminating()
    if why:
        return f"Not discriminating: {why}."
    best, area = rows[0], rows[0].stat("area_of_oracle")
    said = f"{best.name} reaches {area.mean:.3f} of the oracle's area"
    if len(rows) == 1:
        return f"{said}."
    margin = (area.mean or 0.0) - (rows[1].area or 0.0)
    if margin < TIE:
        return f"{said}, as much as {rows[1].name}."
    return f"{said}, {margin:.3f} more than {rows[1].name}{_in_how_many(rows)}; {_since_when(comparison, rows)}."


def _in_how_many(rows: Sequence[Row]) -> str:
    """On how many seeds the best is ahead of all others that ran there."""
    each = [row.stat("area_of_oracle").each for row in rows]
    seeds = [[area for area in areas if area is not None] for areas in zip(*each, strict=True) if areas[0] is not None]
    ahead = sum(areas[0] >= max(areas) for areas in seeds)
    return f" (ahead on {ahead} of {len(seeds)} seeds)" if len(seeds) > 1 else ""


def _since_when(comparison: Comparison, rows: Sequence[Row]) -> str:
    curves = [comparison.curve(row)[0] for row in rows]
    behind = np.flatnonzero(curves[0] < np.max(curves[1:], axis=0) - TIE)
    if not len(behind):
        return "no other is ever ahead"
    if behind[-1] + 1 == len(curves[0]):
        return f"at the end {rows[1 + int(np.argmax([curve[-1] for curve in curves[1:]]))].name} has found more"
    return f"no other is ahead after page {behind[-1] + 1:,}"


def within_reach(comparison: Comparison) -> str:
    """What there was to be found, without which no score means anything."""
    reachable, relevant = fmean(comparison.reachable), fmean(comparison.reachable_relevant)
    bound = f"no crawl of {comparison.pages:,} pages can pass harvest {comparison.harvest_at_most:.3f}"
    return f"Within reach: {reachable:,.0f} pages, {relevant:,.0f} of them relevant ({comparison.truth}); {bound}."


def table(comparison: Comparison) -> Section:
    """For the terminal: what fits on a narrow one, the spreads in columns of their own."""
    headings = [text for metric, heading in SHORT.items() for text in (heading, "±")[: _shown(metric)]]
    rows: list[tuple[Cell, ...]] = []
    for row in comparison.rows:
        cells: list[Cell] = [row.name]
        for metric in SHORT:
            stat = row.stat(metric)
            cells += [_rounded(value, COLUMNS[metric][1]) for value in (stat.mean, stat.sd)[: _shown(metric)]]
        rows.append(tuple(cells))
    return Section("Orderings", ("ordering", *headings), rows)


def _shown(metric: str) -> int:
    """The mean, or the mean and the spread."""
    return 2 if metric in ("area_of_oracle", "harvest") else 1


def _rounded(value: float | None, digits: int) -> Cell:
    if value is None:
        return None
    return round(value, digits) if digits == 3 else f"{value:,.{digits}f}"


def write_page(comparison: Comparison, folder: Path) -> Path:
    path = folder / FILE
    path.write_text(render(comparison), "utf-8")
    return path


def render(comparison: Comparison) -> str:
    drawn = _drawn(comparison)
    scripts = figures.scripts({id_of(title): figure for title, figure in drawn.items()}) if drawn else []
    template = Template(resources.files("focused").joinpath("templates", FILE).read_text("utf-8"))
    return template.substitute(
        title=escape(f"Orderings on {clean(comparison.topic)}"),
        subtitle=escape(
            f"{clean(comparison.web)}, {comparison.pages:,} pages, {comparison.seeds} seeds, {comparison.truth}"
        ),
        script_hashes=" ".join(map(hash_of, scripts)) or "'none'",
        verdict=escape(who_wins(comparison)),
        numbers=_numbers(comparison),
        notes="\n".join(f'<p class="alarm">{escape(note)}</p>' for note in [*comparison.notes, *failures(comparison)]),
        figures="\n".join(f'<section><h2>{title}</h2><div id="{id_of(title)}"></div></section>' for title in drawn),
        scores=_table(comparison, COLUMNS),
        websites=_table(comparison, SITE_COLUMNS),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _drawn(comparison: Comparison) -> dict[str, go.Figure]:
    rows = [row for row in comparison.rows if row.area is not None]
    curves = [_curve(comparison, row) for row in rows]
    if not curves:
        return {}
    pages = np.arange(1, len(curves[0].mean) + 1)
    counts = [curve._replace(mean=curve.mean * pages, sd=curve.sd * pages) for curve in curves]
    found = figures.comparison_figure(counts, math.inf, ",")
    return {
        "Harvest": figures.comparison_figure(curves),
        "Area under that curve": figures.areas_figure(curves),
        "Relevant pages found": found.update_layout(showlegend=False),  # the first figure has it
    }


def _curve(comparison: Comparison, row: Row) -> Curve:
    mean, sd = comparison.curve(row)
    return Curve(row.name, mean, sd, row.area or 0.0, row.stat("area_of_oracle").sd or 0.0, row.name == ORACLE)


def failures(comparison: Comparison) -> list[str]:
    """One sentence for each ordering that failed, with the first reason."""
    return [
        f"{clean(row.name)} failed on {len(row.errors)} of {comparison.seeds} seeds; {row.errors[0]}"
        for row in comparison.rows
        if row.errors
    ]


def _numbers(comparison: Comparison) -> str:
    reachable, relevant = fmean(comparison.reachable), fmean(comparison.reachable_relevant)
    shown = {
        "pages a crawl": f"{comparison.pages:,}",
        "seed sets": f"{comparison.seeds:,}",
        "pages within reach": f"{reachable:,.0f}",
        "of them relevant": f"{relevant:,.0f}",
        "share relevant": percent(relevant / reachable if reachable else 0.0),
        "harvest at most": percent(comparison.harvest_at_most),
    }
    return "\n".join(f"<div><b>{value}</b><span>{label}</span></div>" for label, value in shown.items())


def _table(comparison: Comparison, columns: dict[str, tuple[str, int]]) -> str:
    heads = "".join(f'<th class="number">{escape(heading)}</th>' for heading, _ in columns.values())
    winner = comparison.contestants[:1]
    rows = "\n".join(_row(row, columns, row in winner) for row in comparison.rows)
    return f"<table><thead><tr><th>ordering</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(row: Row, columns: dict[str, tuple[str, int]], is_best: bool) -> str:
    name = escape(clean(row.name))
    cells = [f'<td class="number">{_number(row, metric, digits)}</td>' for metric, (_, digits) in columns.items()]
    return f"<tr><td>{f'<b>{name}</b>' if is_best else name}</td>{''.join(cells)}</tr>"


def _number(row: Row, metric: str, digits: int) -> str:
    stat = row.stat(metric)
    if stat.mean is None:
        return "–"
    spread = f"<small>± {stat.sd:,.{digits}f}</small>" if stat.sd else ""
    return f"{stat.mean:,.{digits}f}{spread}"

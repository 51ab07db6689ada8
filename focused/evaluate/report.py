"""The report of a crawl: one HTML file that needs no network.

Titles, URLs and anchors come from strangers: everything is escaped, only http(s) addresses become links, and the
policy of the page runs no script but the ones written here, named by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import plotly.graph_objects as go

from focused.errors import StoreError
from focused.evaluate import figures, tables
from focused.evaluate.figures import Baselines
from focused.evaluate.learned import learned
from focused.evaluate.tables import Address, Cell, Section
from focused.evaluate.wording import about, clean, course
from focused.store.answers import Summary
from focused.store.place import made
from focused.store.queries import Reading

FILE = "report.html"
NO_BASELINES: Baselines = {}


def write_report(reading: Reading, folder: Path, baselines: Baselines = NO_BASELINES) -> Path:
    """report.html in the crawl's folder; `baselines`: of other crawls, by name, which of their pages were relevant."""
    with reading.snapshot():
        page = render(reading, folder.name, baselines)
    path = made(folder) / FILE
    draft = path.with_suffix(".tmp")
    try:
        draft.write_text(page, "utf-8")
        return draft.replace(path)  # a browser that loads it now gets the old one or the new one, never half of one
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}): give another FOCUSED_DATA_DIR.") from None


def render(reading: Reading, name: str, baselines: Baselines = NO_BASELINES) -> str:
    summary = reading.summary()
    drawn = _drawn(reading, baselines) if summary.pages else {}
    scripts = figures.scripts({id_of(title): figure for title, figure in drawn.items()}) if drawn else []
    template = Template(resources.files("focused").joinpath("templates", FILE).read_text("utf-8"))
    return template.substitute(
        title=escape(f"Crawl {clean(name)}"),
        about=escape(about(reading.meta())),
        subtitle=escape(course(summary.started, summary.finished, summary.reason)),
        script_hashes=" ".join(map(hash_of, scripts)) or "'none'",
        numbers=_numbers(summary),
        alarms="\n".join(f'<p class="alarm">{escape(alarm)}</p>' for alarm in tables.alarms_of(reading, summary)),
        figures="\n".join(f'<section><h2>{title}</h2><div id="{id_of(title)}"></div></section>' for title in drawn),
        sections="\n".join(map(_section, [*tables.found(reading), *learned(reading), *tables.happened(reading)])),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _drawn(reading: Reading, baselines: Baselines) -> dict[str, go.Figure]:
    points = reading.harvest()
    return {
        "Harvest": figures.harvest_figure(points, baselines),
        "Relevant pages found": figures.found_figure(points, baselines),
        "Pages of the best sites": figures.sites_figure(reading.top_sites(12)),
        "Pages by relevance": figures.relevance_figure(reading.relevance_histogram()),
    }


def id_of(title: str) -> str:
    return title.lower().replace(" ", "-")


def hash_of(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _numbers(summary: Summary) -> str:
    return "\n".join(f"<div><b>{value}</b><span>{label}</span></div>" for label, value in tables.headline(summary))


def _section(section: Section) -> str:
    kinds = [' class="number"' if tables.is_number(cell) else "" for cell in section.rows[0]]
    head = "".join(f"<th{kind}>{escape(text)}</th>" for kind, text in zip(kinds, section.headings, strict=True))
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in section.rows)
    note = f'<p class="quiet">{escape(section.note)}</p>' if section.note else ""
    table = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    return f"<section><h2>{escape(section.title)}</h2>{note}{table}</section>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, Address):
        return f"<td>{_address(cell)}</td>"
    kind = ' class="number"' if tables.is_number(cell) else ""
    return f"<td{kind}>{escape(tables.show(cell))}</td>"


def _address(page: Address) -> str:
    """Title and URL; a link only where the URL is one of the Web."""
    url, title = escape(tables.show(page)), escape(clean(page.title) or "(no title)")
    if urlsplit(page.url).scheme not in ("http", "https"):
        return f"{title}<small>{url}</small>"
    return f'<a href="{url}" rel="noreferrer noopener">{title}</a><small>{url}</small>'

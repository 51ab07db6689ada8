"""What a crawl found, as tables: the same for the page, the terminal and the console."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from focused.alarms import is_stagnant
from focused.evaluate.metrics import is_diffuse
from focused.evaluate.wording import clean, moment, percent
from focused.store.answers import Choice, HubRow, Summary
from focused.store.queries import Reading
from focused.store.websites import websites
from focused.store.yields import yields
from models.model import OTHER, RELEVANT


class Address(NamedTuple):
    """A page in a table."""

    url: str
    title: str | None


class Share(float):
    """Of a whole: in percent, as everywhere a harvest is told."""


Cell = Address | str | int | float | None


def is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float)


def show(cell: Cell) -> str:
    """A cell as text: numbers as people write them, an address by its URL."""
    if isinstance(cell, Address):
        return clean(cell.url, 2000)
    if isinstance(cell, float):
        return percent(cell) if isinstance(cell, Share) else f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else clean(cell)


@dataclass(slots=True, frozen=True)
class Section:
    """One table, and what its numbers mean where the headings do not say it."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    note: str = ""


def headline(summary: Summary) -> list[tuple[str, str]]:
    """The numbers to see first; what only some crawls have is left out of the others."""
    websites = [("websites judged", f"{summary.websites:,}"), ("judged relevant", f"{summary.relevant_websites:,}")]
    return [
        ("pages", f"{summary.pages:,}"),
        ("relevant pages", f"{summary.relevant:,}"),
        ("harvest", percent(summary.harvest)),
        ("sites", f"{summary.sites:,}"),
        ("relevant sites", f"{summary.relevant_sites:,}"),
        *(websites if summary.websites else []),
        ("URLs known", f"{summary.discovered:,}"),
        ("links waiting", f"{summary.waiting:,}"),
        *([("on closed sites", f"{summary.shut_out:,}")] if summary.shut_out else []),
        ("given up", f"{summary.failed:,}"),
    ]


def alarms_of(reading: Reading, summary: Summary) -> list[str]:
    """Those of a crawl."""
    return alarms(summary, reading.windows(), reading.last_event("stagnation") or "")


def alarms(summary: Summary, windows: list[float], noticed: str = "") -> list[str]:
    """Stagnation and diffusion (Chakrabarti 1999, §4.3), and a web that refuses; `noticed` by the crawl itself."""
    found = []
    if is_stagnant(summary.waiting, summary.discovered - summary.waiting):
        ideas = noticed.partition("; ")[2]  # related classes (F-08)
        advice = f"{ideas[:1].upper()}{ideas[1:]} Or add" if ideas else "Widen the topic, or add"
        found.append(f"Stagnation: hardly any links are left to follow. {advice} seeds.")
    if is_diffuse(windows):
        found.append("Diffusion: the last 300 pages brought less than half of the best harvest of this crawl.")
    if summary.failed > summary.pages:
        worst = max(summary.failures, key=lambda outcome: summary.failures[outcome])
        found.append(f"More URLs were given up than fetched, most of them for '{worst}'.")
    return found


def found(reading: Reading, limit: int = 20) -> list[Section]:
    """The results; empty tables are left out."""
    return [section for name in PARTS for section in part(reading, name, limit)]


def part(reading: Reading, name: str, limit: int = 20) -> list[Section]:
    """Some of the results, by a name of PARTS; empty tables are left out."""
    return [section for section in PARTS[name](reading, limit) if section.rows]


def happened(reading: Reading) -> list[Section]:
    """How the crawl went; empty tables are left out."""
    meta = [(name, _said(name, value)) for name, value in reading.meta().items()]
    events = [(moment(event.at), event.kind, event.detail) for event in reading.events()]
    sections = [
        Section("Outcomes", ("outcome", "URLs"), [*reading.outcomes()]),
        Section("Tries", ("tries", "URLs"), [*reading.tries()], "0: still to be fetched."),
        Section("Events", ("time", "kind", "detail"), [*events]),
        Section("About the crawl", ("name", "value"), [*meta]),
    ]
    return [section for section in sections if section.rows]


def _said(name: str, value: str) -> str:
    """Dates as dates, fractions with three digits, lists without their brackets."""
    if name.endswith("_at"):
        return moment(float(value))
    if name == "seeds":
        return ", ".join(map(str, json.loads(value)))
    is_fraction = value.replace(".", "", 1).isdigit() and "." in value
    return f"{float(value):.3f}" if is_fraction else value


def _pages(reading: Reading, limit: int) -> Section:
    pages = reading.best_pages(limit)
    classed = any(is_class(page.best_class) for page in pages)  # not every model has classes
    rows = [
        (Address(page.url, page.title), page.relevance, *[page.best_class] * classed, page.depth, page.visit)
        for page in pages
    ]
    return Section("Best pages", ("page", "relevance", *["class"] * classed, "depth", "visit"), [*rows])


def is_class(name: str | None) -> bool:
    """The two sides of a model without classes say no more than the verdict."""
    return name not in (None, "", RELEVANT, OTHER)


def _sites(reading: Reading, limit: int) -> Section:
    rows: Iterable[tuple[Cell, ...]] = (
        (
            site.host,
            site.relevant,
            site.pages,
            Share(site.relevant / site.pages),
            site.relevance,
            site.why or site.state,
        )
        for site in reading.top_sites(limit)
    )
    return Section("Best sites", ("site", "relevant", "pages", "harvest", "mean relevance", "state"), [*rows])


def _websites(reading: Reading, limit: int) -> Section:
    """Where whole sites are judged: the relevant ones."""
    rows: Iterable[tuple[Cell, ...]] = (
        (Address(row.url, row.host), row.posterior, row.mean_confidence, row.pages, row.linked_from, row.why)
        for row in websites(reading, Choice(relevant=True), limit)
    )
    headings = ("website", "posterior", "mean confidence", "pages read", "linked from sites", "verdict")
    return Section("Relevant websites", headings, [*rows], "Judged by their pages together; the surest first.")


def _hubs(reading: Reading, limit: int) -> list[Section]:
    """What `revise` computed or, where it has not, what can be counted."""
    if reading.is_distilled():
        names, notes = ("hub", "authority"), ("As of the last revision of the link graph.",) * 2
    else:
        names = ("relevant pages", "sites")
        notes = (
            "Pages by the number of relevant pages they link to.",
            "Relevant pages by the number of other sites that link to them.",
        )
    return [
        Section("Best hubs so far", ("page", "relevance", names[0]), _hub_rows(reading.hubs(limit)), notes[0]),
        Section("Authorities", ("page", "relevance", names[1]), _hub_rows(reading.authorities(limit)), notes[1]),
    ]


def _hub_rows(rows: Iterable[HubRow]) -> list[tuple[Cell, ...]]:
    return [(Address(row.url, row.title), row.relevance, row.value) for row in rows]


def _promotions(reading: Reading, limit: int) -> Section:
    """F-18: what the crawl owes to its hubs."""
    rows: Iterable[tuple[Cell, ...]] = (
        (Address(row.url, row.title), row.promoted, row.fetched, row.relevant) for row in reading.promotions(limit)
    )
    note = "Links that waited with a low score and were raised because a hub links to them, and what they led to."
    return Section("Promoted by hubs", ("hub", "links", "fetched", "relevant"), [*rows], note)


def _categories(reading: Reading, limit: int) -> Section:
    rows = reading.categories(limit)
    return Section(
        "Categories", ("class", "pages", "relevant"), [*rows] if any(is_class(row[0]) for row in rows) else []
    )


def _rendering(reading: Reading, limit: int) -> Section:
    headings = ("site", "renders", "paid", "new links", "failed")
    note = "What a browser brought: links of the site that neither the page as sent nor the crawl knew."
    return Section("Rendering", headings, [*yields(reading, limit)], note)


PARTS: dict[str, Callable[[Reading, int], list[Section]]] = {
    "pages": lambda reading, limit: [_pages(reading, limit)],
    "sites": lambda reading, limit: [_sites(reading, limit)],
    "websites": lambda reading, limit: [_websites(reading, limit)],
    "hubs": _hubs,
    "promotions": lambda reading, limit: [_promotions(reading, limit)],
    "categories": lambda reading, limit: [_categories(reading, limit)],
    "rendering": lambda reading, limit: [_rendering(reading, limit)],
}

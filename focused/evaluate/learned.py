"""What an ordering has learned during a crawl, as tables: weights over time, and what paid best."""

from __future__ import annotations

from focused.evaluate.tables import Address, Cell, Section
from focused.orderings.features import FEATURES
from focused.store.queries import Reading

KINDS = {
    "host": "Hosts that paid",
    "template": "Addresses that paid",
    "path": "Places in pages that paid",
    "tokens": "Words of links that paid",
}
MOMENTS = 4  # columns of weights after the first, beside the last


def learned(reading: Reading) -> list[Section]:
    """Empty tables are left out; an ordering that learns nothing has none."""
    told = reading.memory("ordering.learned")
    if not told:
        return []
    names = told["learned.names"]
    paid = [
        Section(title, ("name", "relevant", "fetched"), [*map(tuple, names[kind])]) for kind, title in KINDS.items()
    ]
    sections = [_weights(told["learned.weights"]), _hubs(reading, told["learned.hubs"]), *paid]
    return [section for section in sections if section.rows]


def _weights(history: list[tuple[int, list[float]]]) -> Section:
    step = max(1, (len(history) - 1) // MOMENTS)
    shown = [*history[:-1:step][: MOMENTS + 1], history[-1]]
    rows: list[tuple[Cell, ...]] = [
        (words, prior, *(weights[number] for _, weights in shown))
        for number, (prior, words) in enumerate(FEATURES.values())
    ]
    headings = ("evidence", "at first", *(f"page {pages:,}" for pages, _ in shown))
    return Section("What the ordering learned", headings, rows, "Weights of the evidence, in log-odds a unit.")


def _hubs(reading: Reading, hubs: list[tuple[int, float, float]]) -> Section:
    pages = ((reading.page(page_id), found, tried) for page_id, found, tried in hubs)
    rows: list[tuple[Cell, ...]] = [(Address(page.url, page.title), *counts) for page, *counts in pages if page]
    return Section("Pages whose links paid", ("page", "relevant", "fetched"), rows, "Of their links that were fetched.")

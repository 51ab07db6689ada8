"""What an ordering has learned during a crawl, as tables: weights over time, and what paid best."""

from __future__ import annotations

from focused.evaluate.tables import Address, Cell, Section, Share
from focused.orderings.features import FEATURES
from focused.store.queries import Reading

KINDS = {
    "host": ("Sites that paid", "site"),
    "template": ("Addresses that paid", "address"),
    "path": ("Places in pages that paid", "place"),
    "tokens": ("Words of links that paid", "word"),
}
MOMENTS = 4  # columns of weights after the first, beside the last
PAID = ("fetched", "believed relevant")
BELIEVED = "By what the ordering believes, which is not the verdict; a share of many pages counts for more."


def learned(reading: Reading) -> list[Section]:
    """Empty tables are left out; an ordering that learns nothing has none."""
    told = reading.memory("ordering.learned")
    if not told:
        return []
    names = told["learned.names"]
    paid = [
        Section(title, (heading, *PAID), [(name, *_paid(*counts)) for name, *counts in names[kind]], BELIEVED)
        for kind, (title, heading) in KINDS.items()
    ]
    sections = [_weights(told["learned.weights"]), _hubs(reading, told["learned.hubs"]), *paid]
    return [section for section in sections if section.rows]


def _paid(found: float, tried: float) -> tuple[int, Share]:
    return round(tried), Share(found / tried if tried else 0.0)


def _weights(history: list[tuple[int, list[float]]]) -> Section:
    step = max(1, (len(history) - 1) // MOMENTS)
    shown = [*history[:-1:step][: MOMENTS + 1], history[-1]]
    rows: list[tuple[Cell, ...]] = [
        (words, prior, *(weights[number] for _, weights in shown))
        for number, (prior, words) in enumerate(FEATURES.values())
    ]
    headings = ("evidence", "at first", *(f"after {answers:,}" for answers, _ in shown))
    note = (
        "Weights of the evidence, in log-odds a unit, after so many answers of the Web: pages, redirects and failures. "
        "Of several workers this is what the one with most commits has learned."
    )
    return Section("What the ordering learned", headings, rows, note)


def _hubs(reading: Reading, hubs: list[tuple[int, float, float]]) -> Section:
    pages = ((reading.page(page_id), counts) for page_id, *counts in hubs)
    rows: list[tuple[Cell, ...]] = [(Address(page.url, page.title), *_paid(*counts)) for page, counts in pages if page]
    return Section("Pages whose links paid", ("page", *PAID), rows, f"Of their links. {BELIEVED}")

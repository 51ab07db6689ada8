"""What rendering has brought, site by site."""

from __future__ import annotations

from typing import NamedTuple

from focused.store.queries import Reading


class YieldRow(NamedTuple):
    host: str
    renders: int
    paid: int  # renders that brought something
    links: int  # that neither the page as sent nor the crawl knew
    failed: int


def yields(reading: Reading, limit: int = 20) -> list[YieldRow]:
    """The sites on which a browser was used, those it brought most on first."""
    known = {int(part.partition(":")[2]): told for part, told in reading.memory("render").items() if told["renders"]}
    best = sorted(known, key=lambda site_id: (-known[site_id]["links"], -known[site_id]["renders"], site_id))
    return [_row(reading, site_id, known[site_id]) for site_id in best[:limit]]


def _row(reading: Reading, site_id: int, told: dict[str, int]) -> YieldRow:
    host = reading._one("SELECT host FROM site WHERE id = ?", site_id)[0]
    return YieldRow(host, told["renders"], told["paid"], told["links"], told["failed"])

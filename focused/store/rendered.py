"""What rendering has brought, site by site."""

from __future__ import annotations

from typing import NamedTuple

from focused.store.queries import Reading


class RenderedRow(NamedTuple):
    host: str
    renders: int
    paid: int  # renders that brought something
    links: int  # that neither the page as sent nor the crawl knew
    failed: int


def rendered(reading: Reading, limit: int = 20) -> list[RenderedRow]:
    """The sites on which a browser was used, those it brought most on first."""
    known = reading.memory("render")
    hosts = dict(reading._all("SELECT id, host FROM site")) if known else {}
    rows = [
        RenderedRow(hosts[int(part.partition(":")[2])], told["renders"], told["paid"], told["links"], told["failed"])
        for part, told in known.items()
        if told["renders"]
    ]
    return sorted(rows, key=lambda row: (-row.links, -row.renders, row.host))[:limit]

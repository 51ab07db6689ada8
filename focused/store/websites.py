"""Questions about whole websites: what a crawl that judges sites has found (Ester 2004)."""

from __future__ import annotations

from typing import NamedTuple

from focused.store.answers import ALL, Choice
from focused.store.queries import Reading

_WEBSITES = """
    WITH first AS (
        SELECT site_id, url FROM (
            SELECT site_id, url, row_number() OVER (PARTITION BY site_id ORDER BY visit) AS place
            FROM page WHERE visit IS NOT NULL) AS placed WHERE place = 1),
    edge AS (
        SELECT target.site_id AS site_id, count(DISTINCT source.site_id) AS sites FROM link
        JOIN page AS target ON target.id = target_id JOIN page AS source ON source.id = source_id
        WHERE target.site_id <> source.site_id GROUP BY target.site_id)
    SELECT site.host, first.url, site.posterior > 0.5 AS verdict, site.why NOT LIKE 'undecided%', site.posterior,
        site.mean_confidence, site.pages, site.relevant, coalesce(edge.sites, 0), site.why
    FROM site JOIN first ON first.site_id = site.id LEFT JOIN edge ON edge.site_id = site.id
    WHERE site.posterior IS NOT NULL AND site.state = 'closed'"""
_START = "site.id NOT IN (SELECT site_id FROM page WHERE depth = 0)"


class WebsiteRow(NamedTuple):
    """A website that was examined to the end."""

    host: str
    url: str  # of the first page read
    relevant: bool
    decided: bool  # the posterior passed the threshold; otherwise pages or patience ran out
    posterior: float
    mean_confidence: float
    pages: int
    relevant_pages: int
    linked_from: int  # other sites
    why: str


def websites(reading: Reading, choice: Choice = ALL, limit: int = 1 << 62) -> list[WebsiteRow]:
    """The surest first; chosen: relevant ones, new ones (no start sites)."""
    if not verdicts(reading)[0]:
        return []  # other crawls have no verdicts: their links need not be looked at
    only = ["site.posterior > 0.5"] * choice.relevant + [_START] * choice.new
    sql = " AND ".join([_WEBSITES, *only]) + " ORDER BY site.posterior DESC, site.id LIMIT ?"
    rows = reading._all(sql, limit)
    return [WebsiteRow(host, url, bool(verdict), bool(decided), *rest) for host, url, verdict, decided, *rest in rows]


def verdicts(reading: Reading) -> tuple[int, int]:
    """How many websites were examined to the end, and how many of them are relevant."""
    rows = reading._all("SELECT posterior > 0.5 FROM site WHERE posterior IS NOT NULL AND state = 'closed'")
    return len(rows), sum(bool(relevant) for (relevant,) in rows)

"""Questions a person asks who teaches a topic: what lies beside its pages, and which pages are in doubt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from focused.store.queries import Reading
from focused.store.rows import WAITING

# A page that was not fetched has no title: the longest anchor of the links to it stands for it. SQLite takes `anchor`
# from the row that has the one max().
_NEIGHBOURS = """
    WITH viewed AS (SELECT value AS id FROM json_each(?)),
    beside AS (
        SELECT target_id AS id, anchor, 1 AS is_out FROM link WHERE source_id IN viewed
        UNION ALL SELECT source_id, NULL, 0 FROM link WHERE target_id IN viewed)
    SELECT page.url, coalesce(page.title, anchor, ''), page.visit IS NOT NULL, page.relevance, is_out, is_in
    FROM (SELECT id, anchor, max(length(coalesce(anchor, ''))), sum(is_out) > 0 AS is_out,
            sum(is_out) < count(*) AS is_in
        FROM beside WHERE id NOT IN viewed GROUP BY id) AS near JOIN page ON page.id = near.id
    WHERE page.visit IS NOT NULL OR page.state = ? ORDER BY page.id"""


class Neighbour(NamedTuple):
    """A page one link away from some that are viewed."""

    url: str
    title: str  # of a page that was not fetched, its anchor
    is_fetched: bool
    relevance: float | None
    is_out: bool  # a viewed page links to it
    is_in: bool  # it links to a viewed page


class Doubt(NamedTuple):
    url: str
    title: str
    relevance: float
    best_class: str | None


def neighbours(reading: Reading, page_ids: Sequence[int]) -> list[Neighbour]:
    """In the order of discovery; reads all links once, for those into the pages."""
    rows = reading._all(_NEIGHBOURS, json.dumps(list(page_ids)), WAITING)
    return [Neighbour(url, title, bool(had), near, bool(out), bool(in_)) for url, title, had, near, out, in_ in rows]


def boundary(reading: Reading) -> float:
    """The threshold the crawl went by, as its verdicts show it: half-way between the nearest of either side."""
    relevant, other = reading._one(
        """SELECT min(relevance) FILTER (WHERE relevant = 1), max(relevance) FILTER (WHERE relevant = 0)
        FROM page WHERE visit IS NOT NULL"""
    )
    sides = [side for side in (relevant, other) if side is not None]
    return float(sum(sides) / len(sides)) if sides else 0.5


def most_uncertain(reading: Reading) -> Iterator[Doubt]:
    """Pages by the distance of their relevance from the threshold, the nearest first."""
    sql = """SELECT url, coalesce(title, ''), relevance, class FROM page
        WHERE visit IS NOT NULL AND relevance IS NOT NULL ORDER BY abs(relevance - ?), visit"""
    return (Doubt(*row) for row in reading._db.execute(sql, (boundary(reading),)))


def neighbour_classes(reading: Reading) -> dict[str, int]:
    """Pages of each class that relevant pages link to (F-08)."""
    return dict(reading._all("SELECT class, pages FROM neighbour_class"))

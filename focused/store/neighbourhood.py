"""Questions a person asks who teaches a topic: what lies beside its pages, and which pages are in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from focused.store.queries import Reading
from focused.store.rows import WAITING

# A page that was not fetched has no title: the longest anchor of the links to it stands for it.
_NEIGHBOURS = """
    WITH beside AS (
        SELECT target_id AS id, anchor, 1 AS is_out FROM link WHERE source_id IN ({viewed})
        UNION ALL SELECT source_id, NULL, 0 FROM link WHERE target_id IN ({viewed})),
    near AS (
        SELECT id, anchor, max(is_out) OVER (PARTITION BY id) AS is_out, min(is_out) OVER (PARTITION BY id) AS only_out,
            row_number() OVER (PARTITION BY id ORDER BY length(coalesce(anchor, '')) DESC, is_out DESC, anchor) AS place
        FROM beside WHERE id NOT IN ({viewed}))
    SELECT page.url, coalesce(page.title, anchor, ''), page.visit IS NOT NULL, page.relevance, is_out = 1, only_out = 0
    FROM near JOIN page ON page.id = near.id
    WHERE place = 1 AND (page.visit IS NOT NULL OR page.state = ?) ORDER BY page.id"""


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
    viewed = ", ".join(str(int(page_id)) for page_id in page_ids)
    rows = reading._all(_NEIGHBOURS.format(viewed=viewed), WAITING) if viewed else []
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

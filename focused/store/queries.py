"""Questions about a crawl, one method each.

Only what is fetched is indexed (`page_visit`), so a question
about waiting links or about links into a page reads its whole table: seconds at ten million rows, never minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from focused.store.answers import ALL, Choice, Event, HubRow, LinkRow, PageRow, Point, PromotionRow, SiteRow, Summary
from focused.store.dialect import POSTGRES
from focused.store.reading import ReadOnly
from focused.store.rows import GIVEN_UP, LEASED, WAITING

_PAGE = """SELECT page.id, page.url, site.host, page.state, page.outcome, page.depth, page.parent_id, page.hops,
    page.score, page.relevance, page.relevant, page.class, page.title, page.visit, page.fetched_at, page.status,
    page.tries, page.not_before, page.warc_offset, page.site_id, page.trail, {segment}
    FROM page JOIN site ON site.id = page.site_id"""
_SITE = """SELECT id, host, pages, relevant, relevance / CASE WHEN pages > 0 THEN pages ELSE 1 END, state, why,
    next_ok_at
    FROM site"""
_LINK = """SELECT page.id, page.url, link.anchor, link.dom_path, link.score, page.relevance
    FROM link JOIN page ON page.id = link.{end}_id"""
_EXPORT = """SELECT page.url, page.title, page.relevance, page.relevant, page.class, page.depth, site.host, page.visit,
    page.fetched_at, page.score, parent.url, page.outcome
    FROM page JOIN site ON site.id = page.site_id LEFT JOIN page AS parent ON parent.id = page.parent_id"""
EXPORT_COLUMNS = (
    *("url", "title", "relevance", "relevant", "class", "depth", "host", "visit"),
    *("fetched_at", "score", "parent_url", "outcome"),
)
# Like the view `harvest`, but a page that could not be judged counts as one that is not relevant.
_HARVEST = """SELECT visit, found, found * 1.0 / visit, of_100 FROM (
    SELECT visit, sum(CASE WHEN relevant = 1 THEN 1 ELSE 0 END) OVER (ORDER BY visit) AS found,
        avg(CASE WHEN relevant = 1 THEN 1.0 ELSE 0.0 END) OVER (ORDER BY visit ROWS 99 PRECEDING) AS of_100
    FROM page WHERE visit IS NOT NULL) AS curve"""


class Reading(ReadOnly):
    """Everything one may want to know about a crawl."""

    # --- the crawl as a whole ------------------------------------------------------------------------

    def summary(self) -> Summary:
        meta = self.meta()
        pages, relevant, first, last = self._one(
            """SELECT count(*), coalesce(sum(relevant), 0), min(fetched_at), max(fetched_at)
            FROM page WHERE visit IS NOT NULL"""
        )
        return Summary(
            pages=pages,
            relevant=relevant,
            **self._site_counts(),
            **self._state_counts(),
            reason=meta.get("stop_reason", ""),
            started=float(meta.get("started_at", first or 0)) or None,
            finished=float(meta.get("stopped_at", last or 0)) or None,
        )

    def _site_counts(self) -> dict[str, Any]:
        row = self._one(
            """SELECT count(*) FILTER (WHERE pages > 0), count(*) FILTER (WHERE relevant > 0),
            count(*) FILTER (WHERE posterior IS NOT NULL AND state = 'closed'),
            count(*) FILTER (WHERE posterior > 0.5 AND state = 'closed') FROM site"""
        )
        return dict(zip(("sites", "relevant_sites", "websites", "relevant_websites"), row, strict=True))

    def _state_counts(self) -> dict[str, Any]:
        """In one pass over all pages, and one over those given up."""
        names = ("discovered", "waiting", "shut_out", "in_flight", "failed")
        row = self._one(
            """SELECT count(*), count(*) FILTER (WHERE state = ?), count(*) FILTER (WHERE state = ? AND site_id IN
            (SELECT id FROM site WHERE state <> 'open')), count(*) FILTER (WHERE state = ?),
            count(*) FILTER (WHERE state = ?) FROM page""",
            *(WAITING, WAITING, LEASED, GIVEN_UP),
        )
        counts = dict(zip(names, row, strict=True))
        counts["waiting"] -= counts["shut_out"]
        given_up = "SELECT outcome, count(*) FROM page WHERE state = ? GROUP BY outcome ORDER BY 2 DESC, 1"
        return {**counts, "failures": {outcome or "unknown": n for outcome, n in self._all(given_up, GIVEN_UP)}}

    def outcomes(self) -> list[tuple[str, int]]:
        """How often each outcome was had, over all URLs that have one."""
        return self._all(
            "SELECT outcome, count(*) FROM page WHERE outcome IS NOT NULL GROUP BY outcome ORDER BY 2 DESC, 1"
        )

    def harvest(self, at_most: int = 2000) -> list[Point]:
        """The harvest curve at evenly spaced pages; the last page is always among them."""
        last = self._one("SELECT coalesce(max(visit), 0) FROM page")[0]
        step = -(-last // max(at_most - 1, 1)) or 1
        wanted = f"{_HARVEST} WHERE visit % ? = 0 OR visit = ? ORDER BY visit"
        return [Point(*row) for row in self._all(wanted, step, last)]

    def visits(self) -> list[tuple[str, bool]]:
        """URL and verdict of each page that was had, in order."""
        rows = self._all("SELECT url, coalesce(relevant, 0) FROM page WHERE visit IS NOT NULL ORDER BY visit")
        return [(url, bool(relevant)) for url, relevant in rows]

    def windows(self, pages: int = 100) -> list[float]:
        """Harvest of the first, second, third … hundred pages; an unfinished hundred is left out."""
        sql = """SELECT avg(CASE WHEN relevant = 1 THEN 1.0 ELSE 0.0 END) FROM page WHERE visit IS NOT NULL
            GROUP BY (visit - 1) / ? HAVING count(*) = ? ORDER BY min(visit)"""
        return [row[0] for row in self._all(sql, pages, pages)]

    def relevance_histogram(self, bins: int = 20) -> list[tuple[int, int]]:
        """Per bin of relevance: (relevant, other) pages."""
        counts = [(0, 0)] * bins
        place = f"{self.sql.greatest}(0, {self.sql.least}({bins - 1}, {self.sql.cut.format(f'relevance * {bins}')}))"
        sql = f"""SELECT {place}, count(*) FILTER (WHERE relevant = 1), count(*)
            FROM page WHERE visit IS NOT NULL AND relevance IS NOT NULL GROUP BY 1"""
        for at, relevant, pages in self._all(sql):
            counts[at] = (relevant, pages - relevant)
        return counts

    def categories(self, limit: int = 50) -> list[tuple[str, int, int]]:
        """(class, pages, relevant pages) of the classes the pages were given."""
        return self._all(
            """SELECT class, count(*), count(*) FILTER (WHERE relevant = 1) FROM page
            WHERE visit IS NOT NULL AND class IS NOT NULL GROUP BY class ORDER BY 2 DESC, 1 LIMIT ?""",
            limit,
        )

    def events(self, limit: int = 100) -> list[Event]:
        """The latest events, the oldest of them first; the many promotions are a view of their own."""
        sql = "SELECT at, kind, detail FROM event WHERE kind <> 'promoted' ORDER BY at DESC, rowid DESC LIMIT ?"
        rows = self._all(sql, limit)
        return [Event(*row) for row in reversed(rows)]

    def last_event(self, kind: str) -> str | None:
        """What was said at the last event of a kind."""
        row = self._one("SELECT detail FROM event WHERE kind = ? ORDER BY at DESC, rowid DESC LIMIT 1", kind)
        return str(row[0]) if row else None

    def tries(self) -> list[tuple[int, int]]:
        """How often URLs were tried, and how many of them."""
        return self._all("SELECT tries, pages FROM try_census")

    # --- what was found ------------------------------------------------------------------------------

    def top_sites(self, limit: int = 25) -> list[SiteRow]:
        sql = f"{_SITE} WHERE pages > 0 ORDER BY relevant DESC, relevance DESC, id LIMIT ?"
        return [SiteRow(*row) for row in self._all(sql, limit)]

    def site_verdicts(self) -> dict[str, bool]:
        """Whether each site that was judged as a whole is more likely relevant than not (W-12)."""
        rows = self._all("SELECT host, posterior > 0.5 FROM site WHERE posterior IS NOT NULL")
        return {host: bool(is_relevant) for host, is_relevant in rows}

    def best_pages(self, limit: int = 25) -> list[PageRow]:
        chosen = Choice(relevant=True).condition("page")
        sql = f"{self._page} WHERE {chosen} ORDER BY page.relevance DESC, page.visit LIMIT ?"
        return [PageRow(*row) for row in self._all(sql, limit)]

    def is_distilled(self) -> bool:
        """Whether an ordering has computed hubs and authorities; otherwise hubs() and authorities() count links."""
        return bool(self._one("SELECT EXISTS (SELECT 1 FROM hub)")[0])

    def hubs(self, limit: int = 25) -> list[HubRow]:
        """By hub score or, while there are none, by the number of distinct relevant pages a page links to."""
        value = """SELECT source_id AS id, count(*) AS value FROM link
            WHERE target_id IN (SELECT id FROM page WHERE visit IS NOT NULL AND relevant = 1) GROUP BY source_id"""
        return self._hub_rows("SELECT page_id AS id, hub AS value FROM hub" if self.is_distilled() else value, limit)

    def authorities(self, limit: int = 25) -> list[HubRow]:
        """By authority score or, while there are none, relevant pages by how many other sites link to them."""
        value = """SELECT target.id, count(DISTINCT source.site_id) AS value FROM link
            JOIN page AS target ON target.id = link.target_id JOIN page AS source ON source.id = link.source_id
            WHERE link.target_id IN (SELECT id FROM page WHERE visit IS NOT NULL AND relevant = 1)
            AND source.site_id <> target.site_id GROUP BY target.id"""
        distilled = "SELECT page_id AS id, authority AS value FROM hub"
        return self._hub_rows(distilled if self.is_distilled() else value, limit)

    def _hub_rows(self, value: str, limit: int) -> list[HubRow]:
        found = f"({value}) AS found JOIN page ON page.id = found.id WHERE value > 0"
        sql = f"SELECT page.url, page.title, page.relevance, value FROM {found} ORDER BY value DESC, page.id LIMIT ?"
        return [HubRow(*row) for row in self._all(sql, limit)]

    def promotions(self, limit: int = 25) -> list[PromotionRow]:
        """What hubs raised to the front, and what of it was fetched and relevant; the most fruitful hub first."""
        sql = """SELECT hub.url, hub.title, count(*), count(promotion.visit), coalesce(sum(promotion.relevant), 0)
            FROM promotion JOIN page AS hub ON hub.id = promotion.hub_id
            GROUP BY hub.id, hub.url, hub.title ORDER BY 5 DESC, 4 DESC, hub.id LIMIT ?"""
        return [PromotionRow(*row) for row in self._all(sql, limit)]

    # --- one page ------------------------------------------------------------------------------------

    @property
    def _page(self) -> str:
        return _PAGE.format(segment=self.sql.segment)

    def page(self, page_id: int) -> PageRow | None:
        row = self._one(f"{self._page} WHERE page.id = ?", page_id)
        return PageRow(*row) if row else None

    def find(self, key: int) -> PageRow | None:
        """By `focused.urls.key_of` of its canonical URL."""
        if self.sql is POSTGRES:
            row = self._one("SELECT id FROM page WHERE key = ?", key)
            return self.page(row[0]) if row else None
        wanted = np.int64(key).tobytes()
        for first, keys in self._db.execute("SELECT first_id, keys FROM discovery WHERE instr(keys, ?)", (wanted,)):
            for at in np.flatnonzero(np.frombuffer(keys, np.int64) == key):
                return self.page(first + int(at))
        return None

    def path_to(self, page_id: int) -> list[PageRow]:
        """From a seed to the page, each the parent of the next."""
        path: list[PageRow] = []
        seen: set[int] = set()
        page = self.page(page_id)
        while page is not None and page.id not in seen:
            seen.add(page.id)
            path.append(page)
            page = self.page(page.parent_id) if page.parent_id is not None else None
        return path[::-1]

    def link(self, source_id: int, target_id: int) -> LinkRow | None:
        row = self._one(_LINK.format(end="target") + " WHERE source_id = ? AND target_id = ?", source_id, target_id)
        return LinkRow(*row) if row else None

    def links_from(self, page_id: int, limit: int = 1000) -> list[LinkRow]:
        sql = _LINK.format(end="target") + " WHERE link.source_id = ? ORDER BY link.score DESC, page.id LIMIT ?"
        return [LinkRow(*row) for row in self._all(sql, page_id, limit)]

    def links_to(self, page_id: int, limit: int = 10) -> list[LinkRow]:
        sql = _LINK.format(end="source") + " WHERE link.target_id = ? ORDER BY link.score DESC, page.id LIMIT ?"
        return [LinkRow(*row) for row in self._all(sql, page_id, limit)]

    def waiting_before(self, page: PageRow) -> int:
        """Waiting links of open sites with a better score, or the same and known for longer."""
        sql = """SELECT count(*) FROM page JOIN site ON site.id = page.site_id WHERE page.state = ?
            AND site.state = 'open' AND (page.score > ? OR page.score = ? AND page.id < ?)"""
        return int(self._one(sql, WAITING, page.score, page.score, page.id)[0])

    def site(self, host: str) -> SiteRow | None:
        row = self._one(f"{_SITE} WHERE host = ?", host)
        return SiteRow(*row) if row else None

    def urls_of(self, site: SiteRow) -> Iterator[str]:
        """Every known URL of a site."""
        for (url,) in self._db.execute("SELECT url FROM page WHERE site_id = ?", (site.id,)):
            yield url

    # --- everything, for export ----------------------------------------------------------------------

    def pages(self, choice: Choice = ALL) -> Iterator[tuple[Any, ...]]:
        """Fetched pages in order of visit, as EXPORT_COLUMNS."""
        yield from self._db.execute(f"{_EXPORT} WHERE {choice.condition('page')} ORDER BY page.visit")

    def nodes(self, choice: Choice = ALL) -> Iterator[tuple[int, str, str | None, float, int]]:
        """(id, url, title, relevance, relevant) of the same pages."""
        columns = "id, url, title, relevance, relevant"
        sql = f"SELECT {columns} FROM page WHERE {choice.condition('page')} ORDER BY visit"
        yield from self._db.execute(sql)

    def edges(self, choice: Choice = ALL) -> Iterator[tuple[int, int, str | None, float | None]]:
        """(source id, target id, anchor, score) of the links between the same pages."""
        sql = f"""SELECT source_id, target_id, anchor, link.score FROM link
            JOIN page AS source ON source.id = source_id JOIN page AS target ON target.id = target_id
            WHERE {choice.condition("source")} AND {choice.condition("target")}"""
        yield from self._db.execute(sql)

    def records(self, choice: Choice = ALL) -> Iterator[tuple[str, int]]:
        """Where the responses of the same pages begin: segment and offset, in the order of the files."""
        known = f"{choice.condition('page')} AND warc_offset IS NOT NULL"
        yield from self._db.execute(f"SELECT {self.sql.segment}, warc_offset FROM page WHERE {known} ORDER BY 1, 2")

    def segments(self) -> list[str]:
        """Of the workers that have recorded pages."""
        return [segment for (segment,) in self._all(f"SELECT DISTINCT {self.sql.segment} FROM page ORDER BY 1")]

    def committed(self, name: str) -> int:
        """Bytes of an output file that belong to the crawl; what is behind them is not done."""
        row = self._one('SELECT "offset" FROM output WHERE name = ?', name)
        return int(row[0]) if row else 0

    def robots(self) -> Iterator[tuple[str, int | None, str]]:
        """(host, status, rules) of each site that was asked for its robots.txt."""
        known = "FROM site WHERE robots_until IS NOT NULL ORDER BY id"
        yield from self._db.execute(f"SELECT host, robots_status, coalesce(robots, '') {known}")

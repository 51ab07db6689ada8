"""What workers tell each other, and each of it once: links to each other's sites, letters about a site or a page of it.

A letter is committed with what brought it about and lies there until the worker that has the site by then has made
something of it: it is taken away by the commit that holds what came of it. So a kill loses none and doubles none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from focused.store.batch import columns
from focused.store.rows import Abroad, Colleague
from focused.store.session import Connection, Session

_ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_INBOX = """SELECT inbox.id, inbox.site_id, key, url, score, depth, source_id, hops, trail, request, anchor, dom_path
    FROM inbox JOIN site ON site.id = inbox.site_id WHERE site.owner = %s ORDER BY inbox.id LIMIT %s"""
_LETTERS = """SELECT letter.id, letter.site_id, page_id, value FROM letter JOIN site ON site.id = letter.site_id
    WHERE site.owner = %s ORDER BY letter.id LIMIT %s"""
_TOLD = """SELECT alive_until IS NOT NULL AND alive_until > now(), value FROM worker
    JOIN memory ON holder = -worker.id AND memory.name = %s WHERE worker.id <> %s ORDER BY worker.id"""
_PARTS = """SELECT holder, value FROM memory JOIN unnest(%s::bigint[], %s::text[]) AS wanted (site_id, name)
    ON holder = wanted.site_id AND memory.name = wanted.name"""


class Letter(NamedTuple):
    """A number for whoever has the site."""

    site_id: int
    page_id: int | None  # the new score of this page, if it waits; None: to the ordering, about the site
    value: float


class News(NamedTuple):
    """Of one moment: who is told of what another has done has also got the letters that came of it."""

    links: list[Abroad]
    letters: list[Letter]
    colleagues: list[Colleague]
    is_all: bool  # else letters and what is told are left for later, for they may speak of links that are


class Post:
    """Where one worker finds what the others have for it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.links: list[int] = []  # numbers of those that are dealt with: the next commit takes them away
        self.letters: list[int] = []

    @property
    def has_read(self) -> bool:
        """Whether a commit has something to take away."""
        return bool(self.links or self.letters)

    def forget(self) -> None:
        """What they led to will not be committed."""
        self.links, self.letters = [], []

    def news(self, me: int, most: int, part: str) -> News:
        """The oldest first; `part` is the one of `memory` by which orderings tell each other of themselves."""

        def work(db: Connection) -> list[list[tuple[Any, ...]]]:
            with db.pipeline(), db.transaction():
                db.execute(_ONE_MOMENT)
                asked = [db.execute(_INBOX, (me, most)), db.execute(_LETTERS, (me, most))]
                asked += [db.execute(_TOLD, (part, me))] if part else []
            return [answer.fetchall() for answer in asked]

        links, letters, *colleagues = self.session.run(work)
        is_all = max(len(links), len(letters)) < most
        if len(links) == most:
            letters = []
        self.links, self.letters = [row[0] for row in links], [row[0] for row in letters]
        return News(
            [Abroad(*row[1:]) for row in links],
            [Letter(*row[1:]) for row in letters],
            [Colleague(is_alive, orjson.loads(said)) for is_alive, said in (colleagues[0] if colleagues else ())],
            is_all,
        )

    def parts_of(self, sites: Sequence[int], name: str) -> dict[int, Any]:
        """What is remembered of these sites, whoever has them, as part "name:SITE"."""
        rows = self.session.all(_PARTS, *columns([(site, f"{name}:{site}") for site in sites]))
        return {site: orjson.loads(value) for site, value in rows}

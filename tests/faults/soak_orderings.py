"""`python -m tests.faults.soak_orderings`: orderings that learn, on one PostgreSQL. Status 1 on failure.

Two workers at once on a simulated web; one is killed when a third of the pages is had, and started again, or another
is in its stead and in another folder. Each crawl must end by itself, have no page twice, keep its limit but for what is
under way, go on with what it remembered, and find what one worker alone finds, or nearly so.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests.rig.check import rows
from tests.rig.postgres import server
from tests.rig.run import Command, Ended, Run

ROOM = 8  # requests under way, a worker
PATIENCE = 180.0  # seconds of a crawl
NAME = "crawl"
SHOPS = "sim:catalogue,pages=100,shops=3,seed=1"  # crawled to its end
UNSEEN = {"FOCUSED_RENDER": "never"}
# Whoever was killed may hold what it had, until its lease runs out, if the crawl ended before anybody took its place.
_LEASED_TO_NOBODY = """SELECT 1 FROM page JOIN site ON site.id = site_id LEFT JOIN worker ON worker.id = owner
    WHERE page.state IN (1, 4) AND worker.alive_until IS NULL"""


class Case(NamedTuple):
    ordering: str
    spider: str = "topic"
    topic: str = "cycling"
    web: str = "sim:small,seed=3"
    settings: Mapping[str, object] = {}
    pages: int = 0  # a limit of its own
    least: float = 0.75  # of the relevant pages that one worker alone finds
    is_replaced: bool = False  # the killed worker never comes back: another begins, in another folder


CASES = {
    "adaptive": Case("adaptive"),
    "hmm": Case("hmm"),
    "tunnel": Case("tunnel"),
    "soft_focus": Case("soft_focus"),
    "website": Case("website", "websites", "horses"),
    "xcrawl": Case("xcrawl", "catalogue", "notebooks", SHOPS, UNSEEN, pages=1500, least=0.98, is_replaced=True),
    "maintenance": Case("best_first", settings={"FOCUSED_MAINTAIN": 0.2}),
}


@dataclass(slots=True)
class Trial:
    case: Case
    folder: Path
    pages: int
    store: str = field(default_factory=lambda: server().fresh())
    stack: ExitStack = field(default_factory=ExitStack)
    remembered: dict[str, str] = field(default_factory=dict)  # by the killed one

    def command(self, number: int, data: str = "data", **given: object) -> Command:
        case = self.case
        settings = {
            "FOCUSED_WEB": case.web, "FOCUSED_CRAWL": NAME, "FOCUSED_LEASE": 20,
            "FOCUSED_DATA_DIR": self.folder / data, "FOCUSED_MAX_PAGES": self.pages, "FOCUSED_REVISE_EVERY": 50,
            "FOCUSED_SITE_BUDGET": 50, "DOWNLOAD_TIMEOUT": 5, "CONCURRENT_REQUESTS": ROOM, **case.settings, **given,
        }  # fmt: skip
        args = {"topic": case.topic, "ordering": case.ordering}
        return Command(self.folder / f"w{number}", args, settings, case.spider)

    def start(self, number: int, data: str = "data") -> Run:
        return self.stack.enter_context(Run(self.command(number, data, FOCUSED_STORE=self.store)))

    def alone(self) -> int:
        """Relevant pages that one worker finds on SQLite."""
        ended = self.command(3, "alone").run(PATIENCE)
        assert ended.code == 0, ended
        ((relevant,),) = rows(self.folder / "alone" / NAME / "crawl.db", "SELECT count(*) FROM page WHERE relevant = 1")
        return int(relevant)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.store, options=f"-c search_path={NAME}") as db:
            return db.execute(sql).fetchall()  # type: ignore[call-overload, no-any-return]

    def run(self) -> list[Ended]:
        """Both are there and have pages when the second is killed."""
        first, second = self.start(0), self.start(1)
        end = time.monotonic() + PATIENCE
        while not self.is_under_way() and first.alive() and time.monotonic() < end:
            time.sleep(0.1)
        second.kill()
        self.remembered = dict(self.rows("SELECT name, value FROM memory WHERE holder = -2"))
        again = self.start(2, "other" if self.case.is_replaced else "data")
        return [run.wait(PATIENCE) for run in (first, again)]

    def is_under_way(self) -> bool:
        if self.rows("SELECT to_regclass('total')") == [(None,)]:
            return False
        by_worker = dict(self.rows("SELECT worker_id, count(*) FROM page WHERE visit IS NOT NULL GROUP BY 1"))
        return len(by_worker) == 2 and sum(by_worker.values()) >= self.pages // 3

    def items(self) -> list[str]:
        """As far as they are committed: a worker that never comes back does not cut its files."""
        sizes = dict(self.rows('SELECT name, "offset" FROM output'))
        files = [path.read_bytes()[: sizes[path.name]] for path in self.folder.glob(f"*/{NAME}/pages*.jsonl")]
        return [json.loads(line)["url"] for file in files for line in file.splitlines()]

    def faults(self, ended: list[Ended]) -> list[str]:
        """What does not hold."""
        ((pages, numbers),) = self.rows("SELECT count(visit), coalesce(max(visit), 0) FROM page")
        ((relevant,),) = self.rows("SELECT count(*) FROM page WHERE relevant = 1")
        items = self.items()
        names = {name for (name,) in self.rows("SELECT name FROM memory WHERE holder = -2 OR holder > 0")}
        told = {
            "a worker ended with an error": any(one.code for one in ended),
            "a URL is two pages": bool(self.rows("SELECT url FROM page GROUP BY url HAVING count(*) > 1")),
            "an item was written twice": len(items) != len(set(items)),
            "visits have gaps": pages != numbers,
            "the limit was passed by more than was under way": pages > self.pages + 2 * ROOM,
            "something is leased to nobody": bool(self.rows(_LEASED_TO_NOBODY)),
            "few pages": pages <= self.pages // 3,
            "less was found than by one worker": relevant < self.case.least * self.alone(),
            "what was remembered is gone": bool(self.remembered) and not names,
        }
        return [fault for fault, is_so in told.items() if is_so]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--only", choices=CASES, action="append")
    given, failed = parser.parse_args(), False
    for name in given.only or CASES:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(CASES[name], Path(folder), CASES[name].pages or given.pages)
            with trial.stack:
                ended = trial.run()
                faults = trial.faults(ended)
                by_worker = trial.rows("SELECT worker_id, count(visit) FROM page WHERE visit > 0 GROUP BY 1 ORDER BY 1")
        print(f"{time.monotonic() - begun:5.0f} s  {name:12} pages {dict(by_worker)}  {'; '.join(faults) or 'holds'}")
        failed |= bool(faults)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

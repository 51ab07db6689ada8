"""Several workers on one PostgreSQL, what is done to them, and what must hold of it in the end."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.rig.check import Broken, jsonl_is_whole, warc_is_whole
from tests.rig.postgres import PostgresServer
from tests.rig.run import Command, Ended, Run
from tests.rig.web import Asked, LoopbackWeb

NAME = "fleet"
LEASE = 8.0
GRACE = 5.0  # seconds after the lease within which its sites must be free
SETTINGS: dict[str, object] = {
    "FOCUSED_CRAWL": NAME,
    "FOCUSED_LEASE": LEASE,
    "FOCUSED_MAX_TRIES": 20,
    "DOWNLOAD_TIMEOUT": 5,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "CONCURRENT_REQUESTS": 8,
}


@dataclass(slots=True)
class Fleet:
    """Use as a context manager: the workers end with it."""

    web: LoopbackWeb
    server: PostgresServer
    folder: Path
    workers: int
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    settings: dict[str, object] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    kills: list[tuple[float, str]] = field(default_factory=list)  # when, by the clock of the web's server, and whom
    reclaims: list[float] = field(default_factory=list)  # seconds from a freeze to the loss of the sites
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Fleet:
        self.web.topic(self.folder)
        self.runs = [self._start(number) for number in range(self.workers)]
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _start(self, number: int) -> Run:
        settings = {**SETTINGS, "FOCUSED_DATA_DIR": self.folder / "data", "FOCUSED_STORE": self.server.url()}
        settings["USER_AGENT"] = _agent(number)  # so the web's server knows who asks
        command = Command(
            self.folder / f"w{number}", {"topic": self.folder / "topic.toml"}, {**settings, **self.settings}
        )
        return self._stack.enter_context(Run(command))

    @property
    def data(self) -> Path:
        return self.folder / "data" / NAME

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.server.url(), options=f"-c search_path={NAME}") as db:
            return db.execute(sql).fetchall()

    # --- what is done to them -----------------------------------------------------------------------

    def wait_for(self, requests: int, seconds: float = 120) -> None:
        """Until the web was asked so often in all; not longer than there are workers."""
        end = time.monotonic() + seconds
        while self.web.count() < requests and any(run.alive() for run in self.runs):
            assert time.monotonic() < end, f"only {self.web.count()} of {requests} requests after {seconds} s"
            time.sleep(0.02)

    def kill(self) -> None:
        """`kill -9` of any worker; the same command is given again."""
        number = self.chance.randrange(self.workers)
        if self.runs[number].alive():
            self.runs[number].kill()
            self.kills.append((time.monotonic(), _agent(number)))
            self.runs[number] = self._start(number)

    def freeze(self) -> None:
        """Any worker that is at work sleeps until its sites were given to others, and wakes up."""
        run = self.chance.choice([run for run in self.runs if run.alive()] or self.runs)
        epoch = f"SELECT epoch FROM worker WHERE name = '{self._name(run)}'"
        before, begun = self.rows(epoch), time.monotonic()
        run.send(signal.SIGSTOP)
        while self.rows(epoch) == before and run.alive() and time.monotonic() < begun + 10 * LEASE:
            time.sleep(0.05)
        if run.alive():
            self.reclaims.append(time.monotonic() - begun)
        run.send(signal.SIGCONT)

    def _name(self, run: Run) -> str:
        """Under which the others know the process, as soon as they do; empty: it has ended."""
        while run.alive():
            with suppress(OSError):
                held = [entry.readlink() for entry in Path(f"/proc/{run.pid}/fd").iterdir()]
                if names := [path.read_text() for path in held if path.match("worker-*.id")]:
                    time.sleep(0.5)  # it registers next
                    return names[0]
            time.sleep(0.05)
        return ""

    def terminate(self) -> None:
        """The server ends the connections of the workers."""
        self.server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'focused'")

    def crash(self) -> None:
        """An immediate restart of the server, once all workers are connected: to start without it is a mistake."""
        sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'focused'"
        while self.server.ask(sql)[0][0] < sum(run.alive() for run in self.runs):  # type: ignore[operator]
            time.sleep(0.05)
        self.server.crash()

    def finish(self, seconds: float) -> list[Ended]:
        """Let them go to their end."""
        deadline = time.monotonic() + seconds
        self.ended = [run.wait(max(1.0, deadline - time.monotonic())) for run in self.runs]
        return self.ended

    # --- what must hold -----------------------------------------------------------------------------

    def check(self) -> None:
        """Nothing lost, nothing twice, no site asked by two at once: by the server's log and the files alone."""
        settled = {url for (url,) in self.rows("SELECT url FROM page WHERE state >= 2")}
        done = {url for (url,) in self.rows("SELECT url FROM page WHERE visit IS NOT NULL")}
        assert settled == self.web.urls(), sorted(settled ^ self.web.urls())[:5]
        assert done == self.web.urls("ok"), sorted(done ^ self.web.urls("ok"))[:5]
        assert not self.rows("SELECT url FROM page GROUP BY url HAVING count(*) > 1")
        visits = [visit for (visit,) in self.rows("SELECT visit FROM page WHERE visit IS NOT NULL ORDER BY visit")]
        assert visits == list(range(1, len(done) + 1))
        texts = self.rows("SELECT url FROM page_text JOIN page ON page.id = page_id WHERE text <> ''")
        assert {url for (url,) in texts} == done
        pairs = self.doubly_asked()
        assert not pairs, [*pairs[:5], ("kills", self.kills)]
        self._check_outputs(done)
        self._check_links(done)

    def doubly_asked(self) -> list[tuple[Asked, Asked]]:
        """Pairs of requests to one site at the same time. A worker that was killed does not ask any more, though the
        server may still be at its answer: that excuses the next request to that site, and no other pair."""
        last: dict[str, Asked] = {}
        pairs = []
        for entry in sorted(self.web.log()):
            before = last.get(entry.site)
            is_open = before is not None and (before.end is None or before.end > entry.start)
            if before is not None and is_open and not self._was_killed(before, entry.start):
                pairs.append((before, entry))
            last[entry.site] = entry
        return pairs

    def _was_killed(self, asked: Asked, until: float) -> bool:
        """Whether the one that asked was, meanwhile."""
        return any(asked.start < at < until and whom == asked.agent for at, whom in self.kills)

    def _check_outputs(self, done: set[str]) -> None:
        recorded: Counter[str] = Counter()
        listed: Counter[str] = Counter()
        for path in self.data.glob("pages*.warc.gz"):
            recorded.update(warc_is_whole(path))
        for path in self.data.glob("pages*.jsonl"):
            listed.update(item["url"] for item in jsonl_is_whole(path))
        twice = [url for outputs in (recorded, listed) for url, count in outputs.items() if count > 1]
        if twice or not done <= set(recorded) or set(listed) != done:
            raise Broken(f"doubled {twice[:5]}, missing {sorted(done - set(recorded))[:5]}, {len(listed)} items")

    def _check_links(self, done: set[str]) -> None:
        """Every link of every page that was had is there."""
        sql = """SELECT source.url, target.url FROM link JOIN page source ON source.id = source_id
            JOIN page target ON target.id = target_id WHERE source.visit IS NOT NULL"""
        known = set(self.rows(sql))
        web = self.web
        linked = {(url, web.url(target)) for url in done for target in web.plan.links[web.number(url)]}
        wanted = {(source, target) for source, target in linked if source != target}
        assert known == wanted, (len(known), len(wanted), sorted(known ^ wanted)[:3])


def _agent(worker: int) -> str:
    return f"worker-{worker}"

"""LoopbackWeb: a generated web and its server, as a test sees them."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from tests.rig.plan import QUERY, Plan, Shape, plan
from tests.rig.server import CONTROL, ROBOTS, address, path_of

ROOT = Path(__file__).parents[2]


class Asked(NamedTuple):
    """One request as the server saw it; times are of the machine's monotonic clock."""

    start: float
    end: float | None
    site: str
    method: str
    path: str
    connection: int
    open: int  # requests of this site under way, this one included
    status: int  # 0: no answer was given
    agent: str  # who asks, by its own words


class LoopbackWeb:
    """Use as a context manager; the server's process ends with it, or with this process."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.plan: Plan = plan(shape)
        self.port = 0

    def __enter__(self) -> LoopbackWeb:
        command = [sys.executable, "-m", "tests.rig.server", json.dumps(asdict(self.shape))]
        self._server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._server.stdout
        self.port = int(self._server.stdout.readline() or 0)
        assert self.port, "the server of the web did not start"
        self._numbers = {self.url(number): number for number in range(self.shape.pages)}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.kill()
        self._server.communicate()

    def url(self, number: int) -> str:
        return f"http://{address(self.plan.sites[number])}:{self.port}{path_of(number, self.shape)}"

    def number(self, url: str) -> int:
        return self._numbers[url]

    def urls(self, *kinds: str) -> set[str]:
        """The web's pages of these kinds; without kinds, all of them: every one can be reached from page 0."""
        return {self.url(number) for number in self.plan.of_kind(*kinds or set(self.plan.kinds))}

    def homes(self) -> list[str]:
        return [self.url(number) for number in range(self.shape.sites)]

    def topic(self, folder: Path, seeds: list[str] | None = None) -> Path:
        """A topic file for this web."""
        file = folder / "topic.toml"
        file.write_text(f"query = {json.dumps(QUERY)}\nseeds = {json.dumps(seeds or [self.url(0)])}\n")
        return file

    def log(self, since: int = 0, robots: bool = False) -> list[Asked]:
        """What was asked, in order, from entry `since` of the whole log on."""
        entries = [Asked(*entry) for entry in self._control(f"/log/{since}")]
        return [entry for entry in entries if robots or entry.path != ROBOTS]

    def asked(self, since: int = 0) -> Counter[str]:
        """How often each URL was asked for."""
        return Counter(f"http://{entry.site}:{self.port}{entry.path}" for entry in self.log(since))

    def count(self) -> int:
        """Length of the whole log, robots.txt included."""
        return int(self._control("/count"))

    def wait(self, count: int, seconds: float = 200) -> None:
        """Until the whole log has that many entries."""
        self._control(f"/wait/{count}", seconds)

    def heal(self) -> None:
        """From now on nothing hangs or drips."""
        self._control("/heal")

    def _control(self, path: str, seconds: float = 120) -> Any:
        line = http.client.HTTPConnection(CONTROL, self.port, timeout=seconds)
        try:
            line.request("GET", path)
            return json.loads(line.getresponse().read())
        finally:
            line.close()

"""Run: one crawl command in a process of its own, bounded in time and never left behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType

from tests.rig.web import ROOT

SCRAPY = str(Path(sys.executable).parent / "scrapy")
QUICK: dict[str, object] = {
    "FOCUSED_ALLOW_ADDRESSES": "127.0.0.0/8",
    "FOCUSED_SITE_BUDGET": "none",
    "FOCUSED_PROGRESS": 0,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "ROBOTSTXT_OBEY": 0,
}


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: str
    err: str
    seconds: float

    def __str__(self) -> str:
        return f"exit {self.code} after {self.seconds:.1f} s\n--- stdout\n{self.out}\n--- stderr\n{self.err[-4000:]}"


@dataclass(frozen=True, slots=True)
class Command:
    """`scrapy crawl SPIDER` with quick settings for loopback; `data` is the folder of the crawl's files."""

    folder: Path
    args: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    spider: str = "topic"
    file_limit: int = 0  # bytes a file may have; 0: as many as there is room for

    @property
    def data(self) -> Path:
        return self.folder / "crawl"

    @property
    def db(self) -> Path:
        return self.data / "crawl.db"

    def but(self, **settings: object) -> Command:
        return replace(self, settings={**self.settings, **settings})

    @property
    def argv(self) -> list[str]:
        settings = {**QUICK, "FOCUSED_DATA_DIR": self.folder, "FOCUSED_CRAWL": "crawl", **self.settings}
        options = [["-a", f"{name}={value}"] for name, value in self.args.items()]
        options += [["-s", f"{name}={value}"] for name, value in settings.items()]
        return [SCRAPY, "crawl", self.spider, *(word for option in options for word in option)]

    def run(self, seconds: float = 120) -> Ended:
        """From start to end."""
        with Run(self) as run:
            return run.wait(seconds)


class Run:
    """A command under way. Leaving the context kills it, if it still lives."""

    def __init__(self, command: Command) -> None:
        self.command = command

    def __enter__(self) -> Run:
        self._logs = [Path(f"{self.command.folder}.{stream}") for stream in ("out", "err")]
        self._started = time.monotonic()
        limit = self.command.file_limit
        with self._logs[0].open("wb") as out, self._logs[1].open("wb") as err:
            self._process = subprocess.Popen(
                self.command.argv,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                preexec_fn=partial(_limit_files, limit) if limit else None,
            )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, number: signal.Signals) -> None:
        os.kill(self._process.pid, number)

    def kill(self) -> Ended:
        """`kill -9`."""
        if self.alive():
            self.send(signal.SIGKILL)
        return self.wait(10)

    def wait(self, seconds: float) -> Ended:
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
            raise AssertionError(f"still running after {seconds} s\n{self._ended(-9)}") from None
        return self._ended(code)

    def _ended(self, code: int) -> Ended:
        out, err = (log.read_text(errors="replace") for log in self._logs)
        return Ended(code, out, err, time.monotonic() - self._started)


def _limit_files(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

"""Run: one crawl command in a process of its own, bounded in time and never left behind."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import TracebackType

from tests.rig.web import ROOT
from tests.rig.zygote import name_of

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
    code: int  # negative: the signal that killed it
    out: str
    err: str
    seconds: float

    def __str__(self) -> str:
        return f"exit {self.code} after {self.seconds:.1f} s\n--- stdout\n{self.out}\n--- stderr\n{self.err[-2000:]}"


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

    def run(self, seconds: float = 280) -> Ended:
        """From start to end."""
        with Run(self) as run:
            return run.wait(seconds)


class Run:
    """A command under way, forked from a warm process. Leaving the context kills it, if it still lives."""

    def __init__(self, command: Command) -> None:
        self.command = command

    def __enter__(self) -> Run:
        self._logs = [Path(f"{self.command.folder}.{stream}") for stream in ("out", "err")]
        self._started = time.monotonic()
        self._code: int | None = None
        order = {"argv": json.dumps(self.command.argv), "file_limit": self.command.file_limit}
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(name_of(_zygote().pid))
        self._told = self._line.makefile("rw")
        print(json.dumps({**order, "out": str(self._logs[0]), "err": str(self._logs[1])}), file=self._told, flush=True)
        self.pid = int(self._told.readline())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self.kill()
        finally:
            self._told.close()
            self._line.close()

    def alive(self) -> bool:
        return not self._ended_within(0)

    def send(self, number: signal.Signals) -> None:
        if self.alive():
            os.kill(self.pid, number)

    def kill(self) -> Ended:
        """`kill -9`."""
        self.send(signal.SIGKILL)
        return self.wait(60)

    def wait(self, seconds: float) -> Ended:
        if self._ended_within(seconds):
            return self._ended()
        os.kill(self.pid, signal.SIGKILL)
        self._ended_within(60)
        raise AssertionError(f"still running after {seconds} s\n{self._ended()}")

    def _ended_within(self, seconds: float) -> bool:
        if self._code is None and select.select([self._line], [], [], seconds)[0]:
            self._code = int(self._told.readline())
        return self._code is not None

    def _ended(self) -> Ended:
        out, err = (log.read_text(errors="replace") for log in self._logs)
        return Ended(self._code if self._code is not None else -9, out, err, time.monotonic() - self._started)


@cache
def _zygote() -> subprocess.Popen[str]:
    """One for the whole of the tests; it ends with this process."""
    command = [sys.executable, "-m", "tests.rig.zygote"]
    zygote = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert zygote.stdout and int(zygote.stdout.readline()) == zygote.pid
    atexit.register(zygote.communicate)
    return zygote

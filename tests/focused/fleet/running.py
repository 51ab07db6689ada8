"""Real Scrapyd nodes on loopback, each in a process group of its own, so that a kill takes its jobs along."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from scrapy.settings import Settings

from focused.commands.fleet import Command
from focused.errors import FleetError
from focused.fleet.access import Access
from focused.fleet.node import EmptyNode, Node, SilentNode

ROOT = Path(__file__).parents[3]
ACCESS = Access("focused", "a password of the tests")
# Without PYTHONPATH a job can find our packages only in its egg.
ENV = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SCRAPY_SETTINGS_MODULE")}
ENV |= {"SCRAPYD_PASSWORD": ACCESS.password}
PATIENCE = 240.0  # seconds: the machine may be very busy


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def until(happened: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"it did not happen: {what}"
        time.sleep(0.1)


class Said(NamedTuple):
    status: int
    out: str
    err: str


def fleet(*words: str) -> Said:
    """`scrapy fleet` as Scrapy runs it, in this process: a start of Scrapy costs more than all that it does."""
    command, parser = Command(), ArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    command.settings.setmodule("focused.settings", priority="project")
    command.add_options(parser)
    parser.add_argument("words", nargs="*")
    opts = parser.parse_args([*words])
    command.process_options(opts.words, opts)
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err, patch.dict(os.environ, ENV):
        command.run(opts.words, opts)
    return Said(command.exitcode, out.getvalue(), err.getvalue())


def scrapy(*words: str, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", *words]
    return subprocess.run(command, cwd=cwd, env={**ENV, **env}, capture_output=True, text=True, timeout=PATIENCE)


class RunningNode:
    """Started as a user would; may be killed and started again in the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.node = Node(self.url, ACCESS)
        self.start()

    def start(self) -> None:
        words = [
            sys.executable,
            "-m",
            "scrapy",
            "fleet",
            "node",
            "--port",
            str(self.port),
            "--folder",
            str(self.folder),
        ]
        self.folder.parent.mkdir(exist_ok=True)
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(words, cwd=ROOT, env=ENV, stdout=log, stderr=log, start_new_session=True)
        until(self.answers, f"{self.url} answers")

    def answers(self) -> bool:
        assert self.process.poll() is None, (self.folder.parent / f"{self.folder.name}.log").read_text()
        try:
            self.node.states()
        except SilentNode:
            return False
        except EmptyNode:
            return True
        return True

    def kill(self) -> None:
        """`kill -9` for the node and all its jobs."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def refusal(step: Callable[..., object], *args: object) -> str:
    """The one sentence with which it ends."""
    try:
        step(*args)
    except FleetError as error:
        return str(error)
    raise AssertionError("it was not refused")

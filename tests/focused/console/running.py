"""A real console in a process of its own, asked over the loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from tests.rig.browser import FLAGS, browser_path

ROOT = Path(__file__).parents[3]
ENV = {**os.environ, "PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "focused.settings"}
# A change without the token is refused, as it should be.
EXPECTED = ("Failed to load resource: the server responded with a status of 403",)


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


class Console(NamedTuple):
    """Where it is, and its token."""

    folder: Path
    port: int
    token: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, headers)

    def change(self, path: str, token: str | None = None, **fields: str) -> Answer:
        head = {"Content-Type": "application/json", "X-Focused-Token": self.token if token is None else token}
        return self.ask("POST", path, json.dumps(fields), head)

    def ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            head = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, head, answer.read().decode())
        finally:
            connection.close()


@contextmanager
def running(folder: Path, code: Path = ROOT, store: str = "") -> Iterator[Console]:
    """In a folder with `topics` and `crawls` in it; `code` is the project's folder, or an egg."""
    command = [sys.executable, "-m", "scrapy", "console", "--port", "0", "-s", f"FOCUSED_STORE={store}"]
    env = {**ENV, "PYTHONPATH": str(code)}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/#token=(\S+)", process.stdout.readline())
            assert found, "the console did not start"
            yield Console(folder, int(found[1]), found[2])
        finally:
            process.terminate()


@contextmanager
def browsing(console: Console) -> Iterator[Any]:
    """A page of a browser that has the token; what goes wrong in it is in its `seen`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        page, seen = browser.new_page(), []
        page.on("console", lambda message: seen.extend([message.text] * (not message.text.startswith(EXPECTED))))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.on("dialog", lambda dialog: seen.append(dialog.message))
        page.goto(f"{console.address}/#token={console.token}")
        yield page
        browser.close()
    assert seen == [], seen


def until(happened: Callable[[], object], seconds: float = 120) -> None:
    """Wait for it; the console's policy keeps the browser from evaluating what playwright would wait for."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def crawl(folder: Path, topic: str, pages: int, *words: str) -> subprocess.Popen[bytes]:
    """A real crawl in the background."""
    command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"topic={topic}", "-a", "web=sim:small"]
    command += ["-a", f"max_pages={pages}", *words]
    return subprocess.Popen(command, cwd=folder, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

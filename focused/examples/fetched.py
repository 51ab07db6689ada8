"""Example pages that are on the Web: an ordinary crawl fetches them, with all its manners, and records them.

Three crawls, `examples/directories`, `examples/pages` and `examples/sites` in the crawl's own folder. They resume like
any other: what was fetched once is not fetched again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from focused.errors import FocusedError, StoreError, TopicError, WebError
from focused.examples.collection import Document, Skipped
from focused.options import PROJECT, Settings
from focused.store.queries import Reading
from focused.urls import canonical, key_of
from focused.webs.warc import WarcWeb

SITE_PAGES = 25  # of an example site, breadth first from its homepage (W-05)
DATABASE, LOG, RECORDED = "crawl.db", "crawl.log", "pages.warc.gz"
POLL = 0.2  # seconds between two looks at how far it is
# How a person wants the Web to be treated holds here, too.
HANDED_ON = (
    *("USER_AGENT", "ROBOTSTXT_OBEY", "ROBOTSTXT_USER_AGENT", "DOWNLOAD_DELAY", "DOWNLOAD_TIMEOUT"),
    *("DOWNLOAD_MAXSIZE", "CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN"),
    *("FOCUSED_ALLOW_ADDRESSES", "FOCUSED_WEB", "FOCUSED_MAX_TRIES", "FOCUSED_SYNC"),
)
Told = Callable[[str, int, int], None]  # what is being done, how much of it is done, how much there is


class Fetching:
    """One crawl of seeds into a folder; with `walk` on to the first pages of their sites."""

    def __init__(self, settings: Settings, folder: Path, walk: bool) -> None:
        self.settings, self.folder, self.walk = settings, folder, walk

    def documents(self, labels: Mapping[str, str], told: Told) -> Iterator[tuple[Document | Skipped, str]]:
        """What became of each URL of `labels`, and of the pages behind it."""
        if not labels:
            return
        self._run(list(labels), told)
        missing = dict(labels)
        web = self._recorded()
        with Reading(self.folder / DATABASE) as reading:
            for page_id, url, *_ in reading.nodes():
                seed = reading.path_to(page_id)[0].url
                if seed in labels:
                    missing.pop(seed, None)
                    yield _document(web, url), labels[seed]
            for url, label in missing.items():
                yield Skipped(url, _why(reading, url)), label

    def _recorded(self) -> WarcWeb | None:
        try:
            return WarcWeb(str(self.folder / RECORDED))
        except WebError:  # there is no response in it
            return None

    def _run(self, seeds: list[str], told: Told) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self.folder / "topic.toml"
            file.write_text(f'query = "examples"\nseeds = {json.dumps(seeds)}\n', "utf-8")
            log = (self.folder / LOG).open("wb")
        except OSError as error:
            raise StoreError(
                f"{self.folder} cannot be written ({error.strerror}): give another data directory."
            ) from None
        # A project in an egg is on the path of this process only.
        env = {"SCRAPY_SETTINGS_MODULE": "focused.settings", **os.environ}
        env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        command = self._command(file)
        with log, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env) as crawl:
            try:
                self._watch(crawl, len(seeds) * (SITE_PAGES if self.walk else 1), told)
            finally:
                crawl.kill()  # nothing, if it has ended
        self._check(crawl.returncode)

    def _watch(self, crawl: subprocess.Popen[bytes], total: int, told: Told) -> None:
        while crawl.poll() is None:
            time.sleep(POLL)
            with suppress(FocusedError, OSError), Reading(self.folder / DATABASE) as reading:
                told("fetching examples", min(total, reading.summary().pages), total)

    def _check(self, status: int) -> None:
        """A crawl that was refused says why; one that did not get everything left the rest as it is."""
        lines = (self.folder / LOG).read_text("utf-8", "replace").splitlines()
        if said := next((line for line in lines if line.startswith("Error: ")), None):
            raise TopicError(f"The examples cannot be fetched: {said.removeprefix('Error: ')}")
        if not (self.folder / DATABASE).is_file():
            raise TopicError(f"The examples cannot be fetched (status {status}): {self.folder / LOG} says why.")

    def _command(self, topic: Path) -> list[str]:
        own = {name: self.settings.get(name) for name in HANDED_ON if self._is_given(name)}
        own |= {
            "FOCUSED_DATA_DIR": self.folder.parent,
            "FOCUSED_CRAWL": self.folder.name,
            "FOCUSED_STORE": "",
            "FOCUSED_PROGRESS": 0,
            "FOCUSED_SITE_BUDGET": SITE_PAGES if self.walk else "none",
        }
        words = [sys.executable, "-m", "scrapy", "crawl", "examples"]
        words += ["-a", f"topic={topic}", "-a", f"walk={int(self.walk)}"]
        return [*words, *(word for name, value in own.items() for word in ("-s", f"{name}={_written(value)}"))]

    def _is_given(self, name: str) -> bool:
        """Set by the command or a spider, not by settings.py, which the crawl reads itself."""
        return self.settings.get(name) is not None and (self.settings.getpriority(name) or 0) > PROJECT


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _document(web: WarcWeb | None, url: str) -> Document | Skipped:
    answer = web.fetch(url) if web else None
    if answer is None or not 200 <= answer.status < 300:
        return Skipped(url, "asks not to be kept")  # it was had, but not recorded
    return Document(url, url, answer.body, answer.headers.get("Content-Type", ""))


def _why(reading: Reading, url: str) -> str:
    """Why there is no page of a URL; of a redirect, why there is none at its end."""
    page = reading.find(key_of(canonical(url) or url))
    for _ in range(20):
        onward = reading.links_from(page.id, 1) if page and page.outcome == "redirect" else []
        if not onward:
            break
        page = reading.page(onward[0].page_id)
    return f"not fetched ({page.outcome or 'it was not its turn'})" if page else "not fetched"

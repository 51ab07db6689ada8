"""How the crawl is going while it goes: a live display on a terminal, elsewhere a line every 5 s; its last words."""

from __future__ import annotations

import atexit
import logging
import shlex
import sys
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from focused.evaluate.metrics import harvest_rate
from focused.evaluate.wording import clean, duration, percent, reason_of
from focused.progress import Progress
from focused.requests import crawl_of
from focused.store.place import DATABASE, place_of, tellable
from focused.store.queries import Reading
from focused.store.websites import verdicts
from models.similarity import Similarity

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)
LIVE_EVERY, LINE_EVERY = 0.25, 5.0  # seconds
RATE_OVER = 10.0  # seconds that the pages per second are averaged over
SILENCE = 60.0  # seconds without a page
DATA_DIR = Path("crawls")  # the setting's default


class Numbers(Protocol):
    """What the last words need; a running crawl's Progress and a stored crawl's Summary both have it."""

    @property
    def pages(self) -> int: ...
    @property
    def relevant(self) -> int: ...
    @property
    def harvest(self) -> float: ...
    @property
    def sites(self) -> int: ...
    @property
    def relevant_sites(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def failed(self) -> int: ...


class Watch:
    """What can only be seen by looking again and again: speed, silence."""

    def __init__(self, progress: Progress, now: float) -> None:
        self.progress = progress
        self._samples = deque([(now, progress.pages)])
        self._moved_at = now

    def look(self, now: float) -> None:
        pages = self.progress.pages
        if pages != self._samples[-1][1]:
            self._moved_at = now
        self._samples.append((now, pages))
        while now - self._samples[0][0] > RATE_OVER:
            self._samples.popleft()

    @property
    def rate(self) -> float:
        """Pages per second."""
        (begin, before), (end, after) = self._samples[0], self._samples[-1]
        return (after - before) / (end - begin) if end > begin else 0.0

    def alarms(self, now: float) -> list[str]:
        """What is alarming now (F-20, F-21); silence is noticed here, the rest by the crawl."""
        silent = now - self._moved_at
        found = [f"silence: no page for {duration(silent)}"] if silent > SILENCE else []
        return found + [f"{kind}: {meaning}" for kind, meaning in self.progress.alarms.on.items()]


class Monitor:
    """Scrapy extension; it only reads the crawl's progress."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.watch: Watch | None = None
        self.live: Live | None = None
        self._loop: Any = None
        self._shown_at = -LINE_EVERY
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Monitor:
        return cls(crawler)

    def _opened(self, spider: Spider) -> None:
        if "focused_crawl" not in vars(self.crawler):  # a foreign scheduler: there is nothing to show
            return
        crawl = crawl_of(self.crawler)
        self.watch = Watch(crawl.progress, time.monotonic())
        if not self.crawler.settings.getbool("FOCUSED_PROGRESS"):
            return
        is_live = sys.stderr.isatty()
        if is_live:
            self.live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            _start(self.live)
        self._loop = create_looping_call(self._show)
        self._loop.start(LIVE_EVERY if is_live else LINE_EVERY, now=is_live)

    def _show(self) -> None:
        now = time.monotonic()
        every = LIVE_EVERY if self.live is not None else LINE_EVERY
        if self.watch is None or now - self._shown_at < every / 2:  # a timer that fires early fires many times
            return
        self._shown_at = now
        self.watch.look(now)
        if self.live is not None:
            self.live.update(view(self.watch, now), refresh=True)
        else:
            print(line(self.watch, now), file=sys.stderr, flush=True)

    def _closed(self, spider: Spider, reason: str) -> None:
        if self.watch is None:
            return
        if self._loop is not None:
            self._loop.stop()
        if self.live is not None:
            _stop(self.live)
        stats, folder = self.crawler.stats, crawl_of(self.crawler).options.folder
        why = str(stats.get_value("focused/stop_reason", reason)) if stats else reason
        store = self.crawler.settings.get("FOCUSED_STORE") or ""
        first, numbers, *last = summary_lines(self.watch.progress, folder, why, store)
        words = "\n".join([first, numbers, *self._websites(folder), *last, *self._by_words(folder)])
        print(words, flush=True)
        if self.crawler.settings.get("LOG_FILE"):  # of a job on a node nobody sees anything else
            logger.log(
                logging.getLevelNamesMapping().get(self.crawler.settings["LOG_LEVEL"], logging.ERROR), "%s", words
            )

    def _by_words(self, folder: Path) -> list[str]:
        """A first crawl has no better judge than the topic's words, and is what a better one can learn from."""
        crawl = crawl_of(self.crawler)
        if not isinstance(crawl.model, Similarity) or not crawl.progress.relevant:
            return []
        return [f"Judged by likeness alone: scrapy train {shlex.quote(folder.name)} --bootstrap proposes examples."]

    def _websites(self, folder: Path) -> list[str]:
        """What a crawl of whole websites was for: a site with a relevant page is not yet a relevant website."""
        if crawl_of(self.crawler).outputs.sites is None:
            return []
        with Reading(place_of(self.crawler.settings.get("FOCUSED_STORE"), folder), folder) as reading:
            judged, relevant = verdicts(reading)
        export = f"scrapy export {shlex.quote(folder.name)} --websites"
        return [f"Websites: {judged:,} judged, {relevant:,} of them relevant (sites.jsonl; {export})"]


def line(watch: Watch, now: float) -> str:
    """Everything in one line, for a log."""
    progress = watch.progress
    alarms = "".join(f"; alarm: {alarm}" for alarm in watch.alarms(now))
    return (
        f"{duration(now - progress.started)}: {progress.pages:,} pages, {progress.relevant:,} relevant, "
        f"harvest {percent(progress.harvest)} (last 100: {percent(harvest_rate(progress.recent))}), "
        f"{progress.relevant_sites:,} of {progress.sites:,} sites relevant, {progress.waiting:,} waiting, "
        f"{progress.failed:,} failed, {watch.rate:.1f} pages/s{_looks(progress)}{alarms}"
    )


def _not_judged(progress: Progress) -> str:
    return f", not judged: {progress.not_judged:,}" if progress.not_judged else ""


def _looks(progress: Progress) -> str:
    """What became of the looks at pages had before, if there were any."""
    return f", {progress.revisits:,} revisits found {progress.changes:,} changes" if progress.revisits else ""


def view(watch: Watch, now: float) -> Group:
    """The live display."""
    progress = watch.progress
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", justify="right")
    table.add_column()
    limit = f" of {progress.max_pages:,}" if progress.max_pages else ""
    for label, value in (
        ("pages", f"{progress.pages:,}{limit}"),
        ("relevant", f"{progress.relevant:,}"),
        ("harvest", f"{percent(progress.harvest)}, last 100: {percent(harvest_rate(progress.recent))}"),
        ("sites", f"{progress.sites:,}, {progress.relevant_sites:,} of them relevant"),
        ("links", f"{progress.waiting:,} waiting, {progress.in_flight:,} in flight, {progress.failed:,} failed"),
        ("speed", f"{watch.rate:.1f} pages/s{_looks(progress)}, {duration(now - progress.started)}"),
    ):
        table.add_row(label, Text(value))
    if progress.max_pages:
        table.add_row("", ProgressBar(progress.max_pages, progress.pages, width=50, complete_style="green"))
    titles = [Text(f"  {clean(title, 76)}", style="green") for title in progress.last_titles]
    alarms = [Text(f"  alarm: {alarm}", style="bold yellow") for alarm in watch.alarms(now)]
    return Group(table, *titles, *alarms)


def summary_lines(crawl: Reading | Numbers, folder: Path, reason: str, store: str = "") -> list[str]:
    """The last words: why it stopped, what was found, where it is, how to go on, what to do next."""
    numbers: Numbers = crawl.summary() if isinstance(crawl, Reading) else crawl
    name, database, where = _whereabouts(folder, store)
    looks = f"{_not_judged(crawl)}{_looks(crawl)}" if isinstance(crawl, Progress) else ""
    return [
        f"Stopped: {reason_of(reason)}.",
        f"Pages: {numbers.pages:,}, relevant: {numbers.relevant:,}, harvest: {percent(numbers.harvest)}, "
        f"sites: {numbers.sites:,}, relevant sites: {numbers.relevant_sites:,}, "
        f"waiting: {numbers.waiting:,}, given up: {numbers.failed:,}{looks}",
        f"Results: {folder}/ ({database}, pages.jsonl, pages.warc.gz)",
        f"To go on: {_how_to_go_on(reason)}run the same command again.",
        f"Next: scrapy explain {name} SEED{where} (no page was had: it says what became of a seed)"
        if was_vain(numbers)
        else f"Next: scrapy report {name}{where}",
    ]


def _whereabouts(folder: Path, store: str) -> tuple[str, str, str]:
    """The crawl's name, its database, and what a command must be told to find it."""
    place = place_of(store, folder)
    given = {} if folder.parent == DATA_DIR else {"FOCUSED_DATA_DIR": str(folder.parent)}
    if isinstance(place, str):
        given["FOCUSED_STORE"] = tellable(place)
    elif place != folder / DATABASE:
        given["FOCUSED_STORE"] = store
    where = "".join(f" -s {name}={shlex.quote(value)}" for name, value in given.items())
    return shlex.quote(folder.name), given.get("FOCUSED_STORE", DATABASE), where


def was_vain(numbers: Numbers) -> bool:
    """Whether all that was tried failed."""
    return numbers.failed > 0 and numbers.pages == 0


_WHAT_TO_DO = {
    "finished": "add seeds to the topic and ",
    "disk_full": "make room on the disk and ",
    "wanted_sites": "raise wanted in ordering_args and ",
    "pprs_collapse": "give collapse=0 in ordering_args and ",
    "search_no_answers": "give other tokens in [search], or seeds, and ",
    "search_down": "see that the search engine runs, or give seeds, and ",
    "search_quota": "wait until the engine takes queries again, or raise quota in [search], and ",
    "search_refused": "see that the key is right, and ",
}


def _how_to_go_on(reason: str) -> str:
    if reason in ("max_pages", "max_relevant", "max_seconds", "max_revisits"):
        return f"raise FOCUSED_{reason.upper()} and "
    return _WHAT_TO_DO.get(reason, "")


def _start(live: Live) -> None:
    """Log lines must go above the display, not through it: hand the log what Live puts in place of stderr."""
    before = sys.stderr
    live.start()
    atexit.register(live.stop)  # a second Ctrl-C must not leave the terminal without a cursor
    _divert_log(before, sys.stderr)


def _stop(live: Live) -> None:
    diverted = sys.stderr
    live.stop()
    _divert_log(diverted, sys.stderr)


def _divert_log(before: object, after: Any) -> None:
    for handler in logging.root.handlers:
        if isinstance(handler, logging.StreamHandler) and handler.stream is before:
            handler.setStream(after)

"""How far a comparison or a row of crawls is: bars on a terminal, elsewhere a line for each thing done."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from focused.evaluate.metrics import harvest_rate
from focused.evaluate.runs import Job, Run
from focused.evaluate.wording import percent

STEP = 5_000  # pages explored between two lines


class Watch:
    """Shows what `contest.compete` tells; use it as a context manager."""

    def __init__(self, console: Console, runs: int) -> None:
        self._console = console
        self._runs, self._done = runs, 0
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._exploring = self._bars.add_task("exploring the web", total=None)
        self._crawling = self._bars.add_task("crawls", total=runs, visible=False)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def explored(self, seed: int, pages: int) -> None:
        told = f"exploring from seed set {seed}"
        self._bars.update(self._exploring, completed=pages, visible=True, description=told)
        if pages % STEP == 0:
            self._say(f"exploring from seed set {seed}: {pages:,} pages")

    def crawled(self, job: Job, run: Run) -> None:
        self._done += 1
        self._bars.update(self._exploring, visible=False)
        self._bars.update(self._crawling, completed=self._done, visible=True, description=f"last: {job.entry.name}")
        how = run.error or f"{len(run.urls):,} pages, harvest by the model {percent(harvest_rate(run.judged))}"
        self._say(f"{self._done}/{self._runs} {job.entry.name}, seed {job.seed}: {how}")

    def _say(self, line: str) -> None:
        if not self._console.is_terminal:
            self._console.file.write(f"{line}\n")
            self._console.file.flush()


class Bar:
    """Crawls that are run one after the other; use it as a context manager."""

    def __init__(self, console: Console, runs: int) -> None:
        self._console, self._runs, self._done = console, runs, 0
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._crawls = self._bar.add_task("crawls", total=runs)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def ended(self, name: str, run: Run) -> None:
        self._done += 1
        self._bar.update(self._crawls, completed=self._done, description=f"last: {name}")
        if not self._console.is_terminal:
            how = run.error or f"{len(run.urls):,} pages, {run.pages_per_second:,.0f} a second"
            self._console.file.write(f"{self._done}/{self._runs} {name}: {how}\n")
            self._console.file.flush()

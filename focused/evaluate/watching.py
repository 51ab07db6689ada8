"""How far a comparison is: bars on a terminal, elsewhere a line for each thing done."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from focused.evaluate.metrics import harvest_rate
from focused.evaluate.runs import Job, Run
from focused.evaluate.wording import percent

STEP = 5_000  # pages explored between two lines


class Watch:
    """Shows what `contest.compete` tells; use it as a context manager."""

    def __init__(self, console: Console, runs: int) -> None:
        self._console = console
        self._runs, self._done, self._next = runs, 0, STEP
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
        self._bars.update(self._exploring, completed=pages, description=f"exploring from seed set {seed}")
        if pages >= self._next:
            self._next += STEP
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

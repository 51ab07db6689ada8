"""How far a training is: a bar on a terminal, elsewhere a line for each thing begun."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class Watch:
    """Hears what gathering and training tell; use it as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._bar = self._bars.add_task("gathering examples", total=None)
        self._what = ""

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        self._bars.update(self._bar, description=what, completed=done, total=total)
        if what != self._what and not self._console.is_terminal:
            self._console.file.write(f"{what} ({total:,})\n")
            self._console.file.flush()
        self._what = what

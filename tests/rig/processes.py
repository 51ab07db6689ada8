"""The processes a crawl has started, as the kernel tells it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    pid: int
    command: list[str]

    @property
    def is_browser(self) -> bool:
        """The browser itself, not one of its helpers."""
        is_chromium = any("chrom" in Path(word).name for word in self.command[:1])
        return is_chromium and not any(word.startswith("--type=") for word in self.command)

    @property
    def is_driver(self) -> bool:
        """The program that stands between a crawl and its browser."""
        return "run-driver" in self.command


def descendants(pid: int) -> list[Process]:
    """All processes below one that are alive."""
    below: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(") ")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            below.setdefault(int(parent), []).append(int(folder.name))
    found, todo = list[int](), [pid]
    while todo:
        todo += (children := below.get(todo.pop(), []))
        found += children
    return [Process(one, _command(one)) for one in found]


def _command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return []


def memory(processes: list[Process]) -> int:
    """Bytes, what several share counted once."""
    return sum(_share(process.pid) for process in processes)


def _share(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def left_of(processes: list[Process], seconds: float = 60) -> list[Process]:
    """Those that still run the same program, even after some time to end."""
    end = time.monotonic() + seconds
    while True:
        left = [process for process in processes if process.command and _command(process.pid) == process.command]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)


def kill(pid: int, victim: str = "browser") -> bool:
    """`kill -9` of the browser, or of its driver, below a crawl; False if it has none."""
    found = [process for process in descendants(pid) if getattr(process, f"is_{victim}")]
    for process in found:
        os.kill(process.pid, signal.SIGKILL)
    return bool(found)

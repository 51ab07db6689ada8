"""`python -m tests.faults.soak_render`: 500 renders, 5 browser kills, 10 endless pages. Exit status 1 on a failure."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.browsers import DataWeb
from tests.rig.check import outputs_agree, pages_done, rows
from tests.rig.processes import Process, descendants, kill, left_of, memory
from tests.rig.run import Command, Ended, Run

MOST_MEMORY = 1 << 30  # bytes of the driver, the browser and all its helpers together
SECONDS = 20  # of an endless page; the others have to be done by then, however busy the machine is


class Soak:
    """One crawl that renders everything, and what is done to it."""

    def __init__(self, run: Run, web: DataWeb, kills: int) -> None:
        self.run = run
        self.web = web
        self.kill_at = [web.pages * (n + 1) // (kills + 1) for n in range(kills)]
        self.started: dict[int, Process] = {}
        self.memory: list[int] = []
        self.kills = 0

    def watch(self, most: float) -> Ended:
        end = time.monotonic() + most
        while self.run.alive() and time.monotonic() < end:
            below = descendants(self.run.pid)
            self.started |= {process.pid: process for process in below}
            self.memory.append(memory(below))
            if self.kill_at and len(self.web.shown) >= self.kill_at[0] and kill(self.run.pid):
                self.kill_at.pop(0)
                self.kills += 1
            time.sleep(0.5)
        return self.run.wait(60)


def soak(pages: int, kills: int, endless: int) -> bool:
    with tempfile.TemporaryDirectory() as name, DataWeb(pages, endless) as web:
        folder = Path(name)
        settings = {"FOCUSED_RENDER": "always", "FOCUSED_RENDER_BUDGET": 0, "FOCUSED_RENDER_SECONDS": SECONDS}
        command = Command(folder / "data", {"topic": web.topic(folder)}, settings)
        begun = time.monotonic()
        with Run(command) as run:
            watched = Soak(run, web, kills)
            ended = watched.watch(3600)
        seconds = time.monotonic() - begun
        outputs_agree(command.data)
        lost = web.urls() - pages_done(command.db)
        left = left_of(list(watched.started.values()))
        told = [
            json.loads(value) for (value,) in rows(command.db, "SELECT value FROM memory WHERE name LIKE 'render.%'")
        ]
        renders, failed = (sum(site[key] for site in told) for key in ("renders", "failed"))
        print(f"renders {renders} ({seconds / renders:.2f} s each), of them failed {failed}, kills {watched.kills}")
        print(f"URLs {len(web.urls())}, lost {len(lost)}, processes started {len(watched.started)}, left {len(left)}")
        print(f"memory of the browser: highest {max(watched.memory) >> 20} MiB, last {watched.memory[-1] >> 20} MiB")
        print(ended.out)
        is_fine = ended.code == 0 and not lost and not left and watched.kills == kills
        return is_fine and failed >= endless + kills and max(watched.memory) < MOST_MEMORY


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=490)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--endless", type=int, default=10)
    options = parser.parse_args()
    return 0 if soak(options.pages, options.kills, options.endless) else 1


if __name__ == "__main__":
    sys.exit(main())

"""How quickly a crawl is replayed on a web that answers in process, as `scrapy compare` runs it.

Strict order, one page at a time, in a process of its own. By the clock: on a machine that has other work it is less.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import NamedTuple

from focused.evaluate.runs import Job, Plan, Run, entries_of, run_tasks

ROUNDS = 3
PAGES = 1_000
ORDERINGS, SEEDS, AT_ONCE = 10, 5, 2  # of the comparison that the time is estimated of; crawls at once, a core each


class Replayed(NamedTuple):
    pages_per_s: float  # from the first page to the last
    start_s: float  # the process, before its first page and after its last
    cpu_ms: float  # a page

    @property
    def compare_min(self) -> float:
        """Minutes of a whole comparison, if every ordering costs what best-first does and each crawl has a core."""
        crawls = ORDERINGS * SEEDS
        return crawls * (self.start_s + PAGES / self.pages_per_s) / AT_ONCE / 60


def replayed() -> Replayed:
    """Medians of some crawls, one after the other; they share compiled modules, as those of a comparison do."""
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan("cycling", "sim:small,seed=1", PAGES, Path(folder))
        jobs = [Job(entries_of("best_first")[0], seed) for seed in range(ROUNDS)]
        found, begin = list[Replayed](), time.perf_counter()
        with closing(run_tasks([(plan, job) for job in jobs], 1)) as ended:
            for _, run in ended:
                now = time.perf_counter()
                found.append(_measured(run, now - begin))
                begin = now
    return Replayed(*map(median, zip(*found, strict=True)))


def _measured(run: Run, seconds: float) -> Replayed:
    assert len(run.urls) == PAGES, run.error
    return Replayed(run.pages_per_second, seconds - PAGES / run.pages_per_second, run.cpu_ms_per_page)

"""What the frontier costs: time as it grows, memory for a URL, and a pop beside Scrapy's.

Times are CPU times of this process. Run: python -m tests.bench.frontier
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from time import process_time
from types import SimpleNamespace
from typing import Any

import numpy as np
from scrapy import Request
from scrapy.pqueues import DownloaderAwarePriorityQueue
from scrapy.settings import Settings
from scrapy.squeues import FifoMemoryQueue

from focused.frontier import Frontier, Seen

SMALL = (10_000, 1_000)  # URLs, sites: 10 on each
LARGE = (10_000_000, 100_000)  # 100 on each
ROUND = 500  # cycles timed together


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of a piece of work."""
    start = process_time()
    work()
    return process_time() - start


def each(work: Callable[..., object], arguments: Iterable[Any]) -> Callable[[], object]:
    """The work done once for each of the arguments."""
    return lambda: [work(*row) for row in arguments]


def loaded(urls: int, sites: int) -> tuple[Frontier, float]:
    """A frontier of so many links with random scores on random sites, and what loading it cost."""
    random = np.random.default_rng(1)
    ids = np.arange(1, urls + 1, dtype=np.uint32)
    on, scores = random.integers(1, sites + 1, urls, dtype=np.uint32), random.random(urls)
    frontier = Frontier()
    return frontier, timed(lambda: frontier.load(ids, on, scores))


class Crawl:
    """A crawl that picks a link, ends its request, and pushes ten new links on random sites."""

    def __init__(self, frontier: Frontier, sites: int) -> None:
        self.frontier, self.sites = frontier, sites
        self.now, self.next_id = 0.0, len(frontier) + 1
        self.random = np.random.default_rng(2)

    def cycles(self) -> dict[str, float]:
        """µs a pick with its release, and a push of ten links."""
        starts = range(self.next_id, self.next_id + 10 * ROUND, 10)
        pushes = [(np.arange(start, start + 10), *self._links()) for start in starts]
        self.next_id += 10 * ROUND
        pick = timed(each(self.pick, [()] * ROUND))
        push = timed(each(self.frontier.push, pushes))
        return {"pick_us": pick / ROUND * 1e6, "push_10_us": push / ROUND * 1e6}

    def pick(self, rest: float = 1.0) -> None:
        """One page: picked, fetched in no time, its site at rest."""
        page = self.frontier.pick(self.now)
        assert page is not None
        self.frontier.release(self.frontier.site_of(page), self.now + rest)
        self.now += 0.01

    def visit_all(self) -> None:
        """Pick twice from every site, so that each has its heap of best links."""
        for _ in range(2):
            each(self.pick, [(1e6,)] * self.sites)()
            self.now += 1e6

    def _links(self) -> tuple[np.ndarray, np.ndarray]:
        return self.random.integers(1, self.sites + 1, 10), self.random.random(10)


def medians(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The median of each column."""
    return {name: round(median(row[name] for row in rounds), 2) for name in rounds[0]}


def frontier_growth() -> dict[str, float]:
    """A cycle (pick, release, push ten) with 1e7 URLs waiting on 1e5 sites, over one with 1e4 on 1e3.

    Measured right after loading, the dearest time: nearly every pick finds a site that must sort its links first.
    A site sorts once in eight picks or more, so in the long run a pick costs little more than on sites visited before.
    """
    small = medians([Crawl(loaded(*SMALL)[0], SMALL[1]).cycles() for _ in range(9)])
    frontier, seconds = loaded(*LARGE)
    crawl = Crawl(frontier, LARGE[1])
    large = medians([crawl.cycles() for _ in range(20)])
    crawl.visit_all()
    visited = medians([crawl.cycles() for _ in range(20)])
    numbers = {"frontier_growth_1e4_1e7": round(sum(large.values()) / sum(small.values()), 2)}
    for size, row in {"1e4": small, "1e7": large, "1e7_visited": visited}.items():
        numbers |= {f"{name}_{size}": value for name, value in row.items()}
    return numbers | {"load_urls_per_s": round(LARGE[0] / seconds)}


def resident() -> int:
    """Bytes of memory of this process that are really there."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def memory_of_both() -> dict[str, float]:
    """Bytes a URL of Seen and Frontier in this very process, which should be a fresh one."""
    urls, sites = LARGE
    random = np.random.default_rng(1)
    start = resident()
    seen = Seen()
    for at in range(0, urls, 100_000):
        seen.add(random.integers(-(2**63), 2**63 - 1, 100_000), np.arange(at + 1, at + 100_001))
    between = resident()
    frontier, _ = loaded(urls, sites)
    Crawl(frontier, sites).visit_all()
    end = resident()
    assert len(seen) == urls
    grown = {"frontier_bytes_per_url": end - start, "of_seen": between - start, "of_frontier": end - between}
    return {name: value / urls for name, value in grown.items()}


def frontier_bytes_per_url() -> dict[str, float]:
    """Growth of the resident memory of a fresh process by 1e7 URLs in Seen and Frontier."""
    code = "import json; from tests.bench.frontier import memory_of_both; print(json.dumps(memory_of_both()))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return {name: round(value, 1) for name, value in json.loads(done.stdout).items()}


def scrapy_queue(sites: int) -> DownloaderAwarePriorityQueue:
    """Scrapy's default queue with one request for each site."""
    downloader = SimpleNamespace(slots={}, get_slot_key=lambda request: request.url.split("/")[2])
    crawler = SimpleNamespace(settings=Settings(), engine=SimpleNamespace(downloader=downloader))
    queue = DownloaderAwarePriorityQueue(crawler, FifoMemoryQueue, "")  # type: ignore[arg-type]
    for site, score in enumerate(np.random.default_rng(1).permutation(sites).tolist()):
        queue.push(Request(f"http://site{site}.example/", priority=score))
    return queue


def pop_vs_scrapy_1e5_sites(sites: int = 100_000, pops: int = 50) -> dict[str, float]:
    """A pop of Scrapy's default queue over a pick and release of ours, one link on each of 1e5 sites."""
    queue = scrapy_queue(sites)
    theirs = timed(each(queue.pop, [()] * pops)) / pops
    frontier = Frontier()
    frontier.load(np.arange(1, sites + 1), np.arange(1, sites + 1), np.random.default_rng(1).random(sites))
    crawl = Crawl(frontier, sites)
    ours = timed(each(crawl.pick, [()] * 1000)) / 1000
    return {
        "pop_vs_scrapy_1e5_sites": round(theirs / ours),
        "scrapy_pop_us": round(theirs * 1e6, 1),
        "pick_us": round(ours * 1e6, 2),
    }


def seen_speed(urls: int = 10_000_000, batch: int = 100) -> dict[str, float]:
    """µs a key to find and to add, a hundred at a time, beside 1e7 others; and bulk loading."""
    random = np.random.default_rng(3)
    keys = random.integers(-(2**63), 2**63 - 1, urls + 20_000)
    seen = Seen()
    load = timed(lambda: seen.load(keys[:urls], np.arange(1, urls + 1)))
    known = [(keys[random.integers(0, urls, batch)],) for _ in range(200)]
    new = [(keys[at : at + batch],) for at in range(urls, urls + 20_000, batch)]
    ids = np.arange(1, batch + 1)
    times = {
        "seen_find_known_us": timed(each(seen.find, known)),
        "seen_find_new_us": timed(each(seen.find, new)),
        "seen_add_us": timed(each(seen.add, [(part, ids) for (part,) in new])),
    }
    speed = {name: round(value / 20_000 * 1e6, 3) for name, value in times.items()}
    return speed | {"seen_load_urls_per_s": round(urls / load)}


def main() -> None:
    """Print everything."""
    for measure in (frontier_growth, frontier_bytes_per_url, pop_vs_scrapy_1e5_sites, seen_speed):
        print(json.dumps(measure(), indent=2), flush=True)


if __name__ == "__main__":
    main()

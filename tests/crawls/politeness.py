"""What a server's log says about a crawler's manners."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.rig.plan import Shape
from tests.rig.run import Command, Ended
from tests.rig.web import Asked, LoopbackWeb

# The server writes down when it came to read a request, which on a busy machine is a little after it was sent.
GRACE = 0.03


@dataclass(frozen=True, slots=True)
class Manners:
    requests: int
    most_open: int  # requests of one site under way at once
    closest: float  # seconds between the starts of two requests to one site
    share: float  # of what the delays allow in the steady part
    ended: Ended

    def __str__(self) -> str:
        return (
            f"{self.requests} requests, at most {self.most_open} open per site, closest {self.closest:.3f} s apart, "
            f"{self.share:.1%} of what the delays allow, {self.ended.seconds:.1f} s in all"
        )


def by_site(log: list[Asked]) -> dict[str, list[Asked]]:
    sites: dict[str, list[Asked]] = defaultdict(list)
    for entry in log:
        sites[entry.site].append(entry)
    return sites


def closest(log: list[Asked]) -> float:
    pairs = [(a, b) for entries in by_site(log).values() for a, b in pairwise(entries)]
    return min((b.start - a.start for a, b in pairs), default=float("inf"))


def share_of_allowed(log: list[Asked], sites: int, delay: float) -> float:
    """In the middle, where every site has links waiting: requests made ÷ requests the delays allow."""
    start, length = log[0].start, len(log) / sites * delay
    low, high = start + 0.3 * length, start + 0.7 * length
    return sum(low <= entry.start < high for entry in log) / (sites * (high - low) / delay)


def measure(folder: Path, shape: Shape, delay: float) -> Manners:
    """A whole crawl with one request a site at a time, robots.txt included."""
    with LoopbackWeb(shape) as web:
        settings = {
            "DOWNLOAD_DELAY": delay,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "CONCURRENT_REQUESTS": shape.sites + 4,
            "ROBOTSTXT_OBEY": 1,
        }
        command = Command(folder / "data", {"topic": web.topic(folder, web.homes())}, settings)
        ended = command.run(300)
        log = web.log(robots=True)
        most_open = max(entry.open for entry in log)
        return Manners(len(log), most_open, closest(log), share_of_allowed(log, shape.sites, delay), ended)

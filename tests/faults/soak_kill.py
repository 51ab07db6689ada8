"""`python -m tests.faults.soak_kill`: 50 kills of a 3,000-page crawl. Prints a table; exit status 1 on any failure."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.faults.kills import Cost, Killer
from tests.rig.check import lost, rows
from tests.rig.plan import Shape
from tests.rig.run import Command
from tests.rig.web import LoopbackWeb

CONCURRENCY = 16


def soak(pages: int, kills: int, seed: int) -> bool:
    with tempfile.TemporaryDirectory() as name, LoopbackWeb(Shape(pages, 10, seed, latency=0.02)) as web:
        folder = Path(name)
        command = Command(folder / "data", {"topic": web.topic(folder)}, {"CONCURRENT_REQUESTS": CONCURRENCY})
        killer = Killer(web, command, random.Random(seed))
        costs = killer.crawl(kills)
        show(costs)
        killer.check_end()
        missing = lost(web, command.db)
        doubled = len(rows(command.db, "SELECT url FROM page GROUP BY url HAVING count(*) > 1"))
        print(f"lost {len(missing)}, doubled rows {doubled}, torn or doubled records 0, quick_check ok")
        print(costs[-1].ended.out)
        worst = max(cost.refetched for cost in costs)
        return not missing and not doubled and costs[-1].ended.code == 0 and worst <= 2 * CONCURRENCY


def show(costs: list[Cost]) -> None:
    print("  run  asked  refetched  first request after")
    for number, cost in enumerate(costs, 1):
        print(f"{number:5} {cost.asked:6} {cost.refetched:10} {cost.first_after:18.1f} s")
    refetched = [cost.refetched for cost in costs[:-1]]
    print(
        f"kills {len(refetched)}, refetched per kill: mean {sum(refetched) / len(refetched):.1f}, max {max(refetched)}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return 0 if soak(options.pages, options.kills, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())

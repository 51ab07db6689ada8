"""`python -m tests.faults.soak_fleet`: four workers on one PostgreSQL, killed, frozen, cut off. Status 1 on failure.

The log of the web's server and the files tell: nothing lost, nothing written twice, no site asked by two at once.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.fleet import GRACE, LEASE, Fleet
from tests.rig.plan import Shape
from tests.rig.postgres import PostgresServer
from tests.rig.web import LoopbackWeb

LATENCY = 0.4  # seconds of an answer: so slow that the pages last for all faults


def soak(fleet: Fleet, faults: list[str]) -> bool:
    begun, pages = time.monotonic(), fleet.web.shape.pages
    for number, fault in enumerate(faults, 1):
        fleet.wait_for(round(0.9 * pages * number / (len(faults) + 1)), 600)
        getattr(fleet, fault)()
        print(f"{time.monotonic() - begun:6.0f} s  {fleet.web.count():6} requests  {fault}", flush=True)
    ended = fleet.finish(1800)
    fleet.check()
    again = sum(fleet.web.asked().values()) - pages
    slowest = max(fleet.reclaims, default=0.0)
    print(f"{len(faults)} faults, 0 lost, 0 doubled, 0 sites asked by two at once, {again} requests asked again")
    print(f"sites of a silent worker were free after {slowest:.1f} s at most (lease {LEASE:g} s)")
    return all(one.code == 0 for one in ended) and slowest <= LEASE + GRACE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--freezes", type=int, default=10)
    parser.add_argument("--terminations", type=int, default=5)
    parser.add_argument("--crashes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    faults = ["kill"] * given.kills + ["freeze"] * given.freezes + ["terminate"] * given.terminations
    faults += ["crash"] * given.crashes
    chance.shuffle(faults)
    shape = Shape(given.pages, 40, given.seed, latency=LATENCY)
    server = PostgresServer(fsync="on", shared_buffers="128MB")
    with tempfile.TemporaryDirectory() as name, LoopbackWeb(shape) as web:
        with Fleet(web, server, Path(name), given.workers, chance) as fleet:
            return 0 if soak(fleet, faults) else 1


if __name__ == "__main__":
    sys.exit(main())

"""A crawl that is killed with `kill -9` again and again, and what each kill cost."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from tests.rig.check import forgotten, outputs_agree, settled
from tests.rig.run import Command, Ended, Run
from tests.rig.web import LoopbackWeb


@dataclass(slots=True)
class Cost:
    """Of one run: what it asked for, and what of that was asked for again, by itself or by the runs after it."""

    asked: int
    refetched: int  # each refetch is laid to the last run that had asked before: there it was under way, and lost
    first_after: float  # seconds from its start to its first request; 0: none was made
    ended: Ended


@dataclass(slots=True)
class Killer:
    """Runs the command, kills it at random moments, then lets it go to its end."""

    web: LoopbackWeb
    command: Command
    chance: random.Random
    costs: list[Cost] = field(default_factory=list)
    asked_by: dict[str, Cost] = field(default_factory=dict)  # the last run that asked for a URL

    def crawl(self, kills: int) -> list[Cost]:
        """The costs of each killed run; the last one is of the run that ended by itself."""
        for left in range(kills, 0, -1):
            cost = self.one(self.moment(left))
            assert cost.ended.code == -9, f"the crawl ended by itself before the kill: {cost.ended}"
            self.check()
        self.one(None)
        return self.costs

    def moment(self, left: int) -> tuple[int, float]:
        """After so many requests of this run, and so many seconds more; now and then already while it starts."""
        if self.chance.random() < 0.15:
            return 0, self.chance.uniform(0.05, 0.6)
        # Some pages more than wanted are fetched while the kill is on its way: keep room for them in the runs to come.
        room = self.web.shape.pages - len(set(self.web.asked())) - 15 * left
        return self.chance.randint(1, max(2, 2 * room // (left + 1))), self.chance.uniform(0, 0.02)

    def one(self, moment: tuple[int, float] | None) -> Cost:
        since, started = self.web.count(), time.monotonic()
        with Run(self.command) as run:
            if moment:
                while run.alive() and self.web.count() < since + moment[0]:
                    time.sleep(0.003)
                time.sleep(moment[1])
                ended = run.kill()
            else:
                ended = run.wait(180)
        log = self.web.log(since)
        cost = Cost(len(log), 0, log[0].start - started if log else 0.0, ended)
        self.costs.append(cost)
        for url in self.web.asked(since).elements():
            if url in self.asked_by:
                self.asked_by[url].refetched += 1
            self.asked_by[url] = cost
        return cost

    def check(self) -> None:
        """After any kill: what is done is known with its links. The outputs may have a tail that is not committed."""
        if self.command.db.exists() and self.command.db.stat().st_size:
            assert not forgotten(self.web, self.command.db)

    def check_end(self) -> None:
        outputs_agree(self.command.data)
        assert settled(self.command.db) == self.web.urls()

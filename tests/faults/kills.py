"""A crawl that is killed with `kill -9` again and again, and what each kill cost."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from tests.rig.check import forgotten, outputs_agree, settled
from tests.rig.run import Command, Ended, Run
from tests.rig.web import LoopbackWeb


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run: what it asked for, and what of that had been asked for by a run before it."""

    asked: int
    refetched: int
    first_after: float  # seconds from its start to its first request; 0: none was made
    ended: Ended


@dataclass(slots=True)
class Killer:
    """Runs the command, kills it at random moments, then lets it go to its end."""

    web: LoopbackWeb
    command: Command
    chance: random.Random

    def crawl(self, kills: int) -> list[Cost]:
        """The costs of each killed run; the last one is of the run that ended by itself."""
        costs: list[Cost] = []
        for left in range(kills, 0, -1):
            costs.append(self.one(self.moment(left)))
            assert costs[-1].ended.code == -9, f"the crawl ended by itself before the kill: {costs[-1].ended}"
            self.check()
        return [*costs, self.one(None)]

    def moment(self, left: int) -> tuple[int, float]:
        """After so many requests of this run, and so many seconds more; now and then already while it starts."""
        if self.chance.random() < 0.15:
            return 0, self.chance.uniform(0.2, 2)
        waiting = self.web.shape.pages - len(set(self.web.asked()))
        return self.chance.randint(1, max(2, 2 * waiting // (left + 1))), self.chance.uniform(0, 0.05)

    def one(self, moment: tuple[int, float] | None) -> Cost:
        since, before, started = self.web.count(), self.web.asked(), time.monotonic()
        with Run(self.command) as run:
            if moment:
                while run.alive() and self.web.count() < since + moment[0]:
                    time.sleep(0.003)
                time.sleep(moment[1])
                ended = run.kill()
            else:
                ended = run.wait(180)
        log, asked = self.web.log(since), self.web.asked(since)
        again = sum(count if url in before else count - 1 for url, count in asked.items())
        return Cost(len(log), again, log[0].start - started if log else 0.0, ended)

    def check(self) -> None:
        """After any kill: what is done is known with its links. The outputs may have a tail that is not committed."""
        if self.command.db.exists() and self.command.db.stat().st_size:
            assert not forgotten(self.web, self.command.db)

    def check_end(self) -> None:
        outputs_agree(self.command.data)
        assert settled(self.command.db) == self.web.urls()

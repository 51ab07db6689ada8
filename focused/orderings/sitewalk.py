"""The search of one site, step by step — xCrawl, Fig. 2.

    walk      from a random authority, link by link, until chance says to start again; then look for new hubs  (X-06 …)
    harvest   after so many walks without a new hub: everything that the hubs list beside what was accepted    (X-12)

Between two downloads it stands still: `want` names the next page, `read`, `lost` or `moved` say what became of it. All
that it knows can be written down, so that it goes on after a kill as if nothing had happened.

Differs: what the harvest brought to light may be a hub as well, and is harvested in turn; if there are new authorities
after it, walks begin again, until a harvest brings none: so further pages of a list are found on sites whose instances
do not link to each other. A walk does not step on one page twice; where all pages are known already it steps over them
without a download, at most 20 in a row.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from focused.orderings.sitegraph import DEFAULTS, Rules, SiteGraph

WALK, HARVEST, DONE = "walk", "harvest", "done"
MOST_KNOWN = 20  # pages stepped over in a row

Waits = Callable[[Sequence[int]], Sequence[bool]]  # which of some pages wait to be fetched


class Dice:
    """A seeded stream of numbers that can be put where it was."""

    def __init__(self, seed: int | str, drawn: int = 0) -> None:
        self._random = random.Random(seed)
        self.drawn = 0
        while self.drawn < drawn:
            self.roll()

    def roll(self) -> float:
        self.drawn += 1
        return self._random.random()

    def one_of(self, things: Sequence[int]) -> int:
        return things[int(self.roll() * len(things))]

    def in_proportion(self, things: Sequence[int], weights: Sequence[float]) -> int:
        bar, total = self.roll() * sum(weights), 0.0
        for thing, weight in zip(things, weights, strict=True):
            total += weight
            if bar < total:
                return thing
        return things[-1]


@dataclass
class SiteWalk:
    """One site; pages by their ids."""

    seed: str
    rules: Rules = DEFAULTS
    graph: SiteGraph = field(init=False)
    phase: str = WALK
    entries: list[int] = field(default_factory=list)  # seeds: walks begin here as long as nothing is accepted
    path: list[int] = field(default_factory=list)  # of the walk under way
    pending: int | None = None  # the page it waits for
    known_steps: int = 0  # since the last download
    dry: int = 0  # walks in a row that found no hub
    walks: int = 0
    left: list[int] = field(default_factory=list)  # hubs still to harvest, the one in hand first
    region: str | None = None  # of the hub in hand
    looked: int = 0  # how far the site was known when hubs were last looked for
    weighed: int = 0  # and when weights were last made
    harvested: int = 0  # authorities when the last harvest ended
    _restarts: Dice = field(init=False, repr=False, compare=False)
    _choices: Dice = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.graph = SiteGraph(self.rules)
        self._restarts, self._choices = Dice(f"{self.seed} restarts"), Dice(f"{self.seed} choices")

    # --- what next --------------------------------------------------------------------------------------------

    def want(self, waits: Waits) -> int | None:
        """The page to fetch next; None: nothing is left to do."""
        if self.pending is not None and not waits([self.pending])[0]:
            self.lost(self.pending)
        while self.pending is None and self.phase != DONE:
            if self.phase == WALK:
                self._step(waits)
            else:
                self._reap(waits)
        return self.pending

    def read(self, page: int, accepted: bool, targets: Sequence[int], paths: Sequence[str]) -> None:
        """A page of the site was had."""
        self.graph.add(page, accepted, targets, paths)
        if page != self.pending:
            return
        self.pending = None
        if self.phase == WALK:
            self.known_steps = 0
            self._stand_on(page)

    def lost(self, page: int) -> None:
        """It cannot be had: the walk starts again."""
        if page == self.pending:
            self.pending = None
            if self.phase == WALK:
                self._end_walk()

    def moved(self, page: int, target: int) -> None:
        """A redirect within the site: it waits for the other page now, if that is not known."""
        self.graph.move(page, target)
        if page == self.pending:
            self.pending = target

    # --- the walk ---------------------------------------------------------------------------------------------

    def _step(self, waits: Waits) -> None:
        if not self.path:
            self._start()
        link = self._select(waits)
        if link is None:
            self._end_walk()
        elif link not in self.graph.links:
            self.pending = link
        else:
            self.known_steps += 1
            self._stand_on(link)

    def _start(self) -> None:
        """From a known authority (X-06)."""
        self.path = [self._choices.one_of(list(self.graph.accepted) or self.entries)]
        if self.weighed != self.graph.events:
            self.weighed = self.graph.events
            self.graph.weigh()

    def _select(self, waits: Waits) -> int | None:
        """The best link to a page not yet had, else to one that was; None: no way leads on from here (X-09)."""
        targets = [target for target in self.graph.targets(self.path[-1]) if target not in self.path]
        ways = self._unseen(targets, waits)
        if not ways and self.known_steps < MOST_KNOWN:
            ways = [target for target in targets if target in self.graph.links]
        if not ways:
            return None
        weights = self.graph.link_weights(ways)
        if self.rules.sample:
            return self._choices.in_proportion(ways, weights)
        highest = max(weights)
        best = [target for target, weight in zip(ways, weights, strict=True) if weight == highest]
        return best[0] if len(best) == 1 else self._choices.one_of(best)

    def _unseen(self, pages: Sequence[int], waits: Waits) -> list[int]:
        """Those that wait to be fetched for the first time."""
        new = [page for page in pages if page not in self.graph.links]
        return [page for page, is_there in zip(new, waits(new), strict=True) if is_there] if new else []

    def _stand_on(self, page: int) -> None:
        self.path.append(page)
        if self._restarts.roll() < self.rules.restart:
            self._end_walk()

    def _end_walk(self) -> None:
        self.path, self.known_steps, self.walks = [], 0, self.walks + 1
        self.dry = 0 if self._new_hubs() else self.dry + 1
        if self.dry >= self.rules.max_iterations:
            self.phase, self.left = HARVEST, list(self.graph.hubs)
            self.harvested = self.harvested or len(self.graph.accepted)

    def _new_hubs(self) -> list[int]:
        """Only a site that has grown can have new ones."""
        if self.looked == self.graph.events:
            return []
        self.looked = self.graph.events
        return self.graph.new_hubs()

    # --- the harvest ------------------------------------------------------------------------------------------

    def _reap(self, waits: Waits) -> None:
        """The next link of the hub in hand, or the next hub."""
        if not self.left:
            self.left = self._new_hubs()
            if not self.left:
                self._end_harvest()
            return
        hub = self.left[0]
        if self.region is None:
            self.region = self.graph.region(hub)
        self.pending = next(iter(self._unseen(self.graph.listed(hub, self.region), waits)), None)
        if self.pending is None:
            self.left, self.region = self.left[1:], None

    def _end_harvest(self) -> None:
        """New authorities may lead to hubs that the old ones did not: walk once more, half as patient."""
        grown, self.harvested = len(self.graph.accepted) > self.harvested, len(self.graph.accepted)
        self.phase, self.dry = (WALK, (self.rules.max_iterations + 1) // 2) if grown else (DONE, self.dry)

    def close(self) -> None:
        """Nothing is done here any more, and of the graph only the hubs are kept."""
        self.phase, self.pending, self.left, self.region = DONE, None, [], None
        self.graph = SiteGraph(self.rules, hubs=self.graph.hubs)

    # --- kill and resume --------------------------------------------------------------------------------------

    def state(self) -> list[Any]:
        """All but the graph."""
        counters = [self.known_steps, self.dry, self.walks, self.looked, self.weighed, self.harvested]
        drawn = [self._restarts.drawn, self._choices.drawn]
        return [self.phase, self.entries, self.path, self.pending, self.left, self.region, counters, drawn]

    def restore(self, state: list[Any]) -> None:
        self.phase, self.entries, self.path, self.pending, self.left, self.region, counters, drawn = state
        self.known_steps, self.dry, self.walks, self.looked, self.weighed, self.harvested = counters
        self._restarts, self._choices = Dice(f"{self.seed} restarts", drawn[0]), Dice(f"{self.seed} choices", drawn[1])

    def replay(self, event: str, *values: Any) -> None:
        """What happened to the graph, `add` or `move`, happens again; weights are made where they were made."""
        getattr(self.graph, event)(*values)
        if self.graph.events == self.weighed:
            self.graph.weigh()

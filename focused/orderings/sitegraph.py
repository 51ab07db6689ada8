"""The graph of one site, and what its pages weigh — xCrawl, §2 (X-07, X-08, X-09, X-11, X-12).

Pages the validator accepted are authorities; pages that link to several of them are hubs. Weights flow from both along
the links and tell a walk where to go.

Differs: all weights are made when a walk starts; a page had on the way hands its weight on to what it links to, one
step far. Weights flow from the page a link is on, and are given again each round (X-A1, X-A2); hub scores come over
the links that leave a page (X-A4); a hub is a page with links to several authorities, not any with a score above zero
(X-A5); what was rejected is no authority while hubs are looked for, either.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from focused.hubs import Pins, Stop, link_keys, matrix_of, pinned_hits, propagate, propagate_as_printed
from models.model import Floats

SETTLED = 1e-8  # no weight changes by more than this share of the highest: it is stable


class Rules(NamedTuple):
    """What the paper leaves to be set; see XCrawl."""

    restart: float = 0.15
    max_iterations: int = 50
    damping: float = 0.85
    weight_rounds: int = 50
    hub_rounds: int = 50
    hub_min_authorities: int = 2
    pin_rejected: bool = True
    refresh_hubs: bool = False
    literal_steps: int = 0
    sample: bool = False


DEFAULTS = Rules()


@dataclass
class SiteGraph:
    """Pages by their ids. What is not yet had has no links; parallel links count once."""

    rules: Rules = DEFAULTS
    links: dict[int, list[int]] = field(default_factory=dict)  # page had → the pages of the site it links to
    paths: dict[int, list[str]] = field(default_factory=dict)  # the same of rejected pages: where in the DOM they are
    accepted: dict[int, None] = field(default_factory=dict)  # in the order they were had
    hubs: dict[int, float] = field(default_factory=dict)  # known hubs, each with its score when it was found
    hub_scores: dict[int, float] = field(default_factory=dict)  # of all pages, when hubs were last looked for
    moved: dict[int, int] = field(default_factory=dict)  # redirects
    events: int = 0  # pages had, and redirects
    _number: dict[int, int] = field(default_factory=dict, repr=False)  # page id → its place in the arrays
    _pages: list[int] = field(default_factory=list, repr=False)  # by their places
    _accepted: array[int] = field(default_factory=lambda: array("q"), repr=False)  # places of what was accepted
    _matrix: tuple[int, csr_array] = field(default=(-1, None), repr=False, compare=False)  # of so many events
    _sorted: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), repr=False, compare=False)
    _redirected: int = field(default=0, repr=False, compare=False)  # redirects that were followed in sorting links
    _sources: array[int] = field(default_factory=lambda: array("q"), repr=False)
    _targets: array[int] = field(default_factory=lambda: array("q"), repr=False)
    _flow: list[float] | None = field(default=None, repr=False, compare=False)  # what was propagated; None: nothing yet

    def add(self, page: int, accepted: bool, targets: Sequence[int], paths: Sequence[str] = ()) -> None:
        """A page was had and judged."""
        self.events += 1
        self.links[page] = list(targets)
        if accepted:
            self.accepted[page] = None
            self._accepted.append(self._numbered(page))
        else:
            self.paths[page] = list(paths)
        number, numbers = self._numbered(page), [self._numbered(target) for target in targets]
        self._targets.extend(numbers)
        self._sources.extend([number] * len(targets))
        if self._flow is not None:
            self._hand_on(self._flow, number, numbers)

    def move(self, page: int, target: int) -> None:
        """A redirect: what links to the one links to the other."""
        self.events += 1
        if self.stands_for(target) != page:  # else the redirects go round in a circle
            self.moved[page] = target
            self._numbered(page), self._numbered(target)

    def stands_for(self, page: int) -> int:
        while page in self.moved:
            page = self.moved[page]
        return page

    def targets(self, page: int) -> list[int]:
        """Where the links of a page lead, redirects followed; each once."""
        links = self.links.get(page, ())
        return list(dict.fromkeys(map(self.stands_for, links) if self.moved else links))

    # --- weights ------------------------------------------------------------------------------------------

    def weigh(self) -> None:
        """Weights of all pages, as far as the site is known now."""
        self._flow = self.propagated().tolist()

    def _hand_on(self, flow: list[float], page: int, targets: list[int]) -> None:
        """A page was had after the weights were made: what it links to gets its share, one step far."""
        flow += [(1 - self.rules.damping) / len(self._number)] * (len(self._number) - len(flow))
        for target in targets:
            flow[target] += self.rules.damping * flow[page] / len(targets)

    def link_weights(self, targets: Sequence[int]) -> list[float]:
        """linkWeight(l) = weight of the page it leads to / its links (X-09); of an unseen page as if it had one."""
        return [self._weight(target) / max(1, len(self.links.get(target, ()))) for target in targets]

    def _weight(self, page: int) -> float:
        number, flow = self._number[page], self._flow or ()
        propagated = flow[number] if number < len(flow) else 0.0
        return node_weight(float(page in self.accepted), self.hub_scores.get(page, 0.0), propagated)

    def propagated(self) -> Floats:
        """X-07: from accepted pages 1, from a hub the mean of its score and 1/n, from any other page 1/n."""
        init = np.full(len(self._number), 1 / max(1, len(self._number)))
        known = self._numbers(self.hubs)
        init[known] = (init[known] + list(self.hubs.values())) / 2
        init[np.array(self._accepted)] = 1.0
        rules = self.rules
        if rules.literal_steps:
            return propagate_as_printed(self._links(), init, rules.damping, rules.literal_steps)
        return propagate(self._links(), init, rules.damping, Stop(rules.weight_rounds, SETTLED))

    # --- hubs ---------------------------------------------------------------------------------------------

    def new_hubs(self) -> list[int]:
        """Pages that turn out to be hubs now (X-11); they are known from then on."""
        links, pages = self._links(), self._pages
        scores = pinned_hits(links, self._pins(), Stop(self.rules.hub_rounds)).hub
        above = np.flatnonzero(scores > 0)
        self.hub_scores = dict(zip(map(pages.__getitem__, above.tolist()), scores[above].tolist(), strict=True))
        is_accepted = np.zeros(len(pages))
        is_accepted[np.array(self._accepted)] = 1.0
        known = (links @ is_accepted)[above]
        able = {pages[number] for number in above[known >= self.rules.hub_min_authorities].tolist()}
        new = [page for page in self.paths if page in able and page not in self.hubs]
        self.hubs.update({page: self.hub_scores[page] for page in new})
        if self.rules.refresh_hubs:
            self.hubs = {page: self.hub_scores.get(page, score) for page, score in self.hubs.items()}
        return new

    def _pins(self) -> Pins:
        """What the validator said, and hubs as they were found."""
        hub, authority = np.full((2, len(self._number)), np.nan)
        if self.rules.pin_rejected:
            authority[self._numbers(self.paths)] = 0.0
        if not self.rules.refresh_hubs:
            known = self._numbers(self.hubs)
            hub[known], authority[known] = list(self.hubs.values()), 0.0
        accepted = np.array(self._accepted)
        hub[accepted], authority[accepted] = 0.0, 1.0
        return Pins(hub, authority)

    def region(self, hub: int) -> str:
        """The smallest part of a hub's page that holds all its links to accepted pages (X-12)."""
        pairs = zip(self.links[hub], self.paths[hub], strict=True)
        return common_ancestor([path for target, path in pairs if self.stands_for(target) in self.accepted])

    def listed(self, hub: int, region: str) -> list[int]:
        """What is linked to from this part of the page."""
        pairs, within = zip(self.links[hub], self.paths[hub], strict=True), f"{region}/"
        return [self.stands_for(target) for target, path in pairs if path.startswith(within) or path == region]

    # --- arrays -------------------------------------------------------------------------------------------

    def _numbered(self, page: int) -> int:
        number = self._number.setdefault(page, len(self._pages))
        if number == len(self._pages):
            self._pages.append(page)
        return number

    def _numbers(self, pages: Collection[int]) -> NDArray[np.int64]:
        return np.fromiter(map(self._number.__getitem__, pages), np.int64, len(pages))

    def _links(self) -> csr_array:
        """Made once for hubs and weights, as far as the site is known; only what is new has to be sorted in."""
        if self._matrix[0] != self.events:
            if self._redirected != len(self.moved):
                self._redirected, self._sorted = len(self.moved), np.zeros(0, np.int64)
            self._sorted = np.concatenate([self._sorted, self._keys_from(len(self._sorted))])
            self._sorted.sort(kind="stable")  # which is quick where most is in order
            self._matrix = self.events, matrix_of(self._sorted, len(self._number))
        return self._matrix[1]

    def _keys_from(self, start: int) -> NDArray[np.int64]:
        """The links from the nth on that was found, redirects followed."""
        targets = np.array(self._targets[start:], np.int64)
        if self.moved:
            place = np.arange(len(self._number))
            for page in self.moved:
                place[self._number[page]] = self._number[self.stands_for(page)]
            targets = place[targets]
        return link_keys(np.array(self._sources[start:], np.int64), targets)


def node_weight(*parts: float) -> float:
    """The mean of authority, hub and propagated weight of a page, of those that are not zero (X-08).

    >>> node_weight(0.0, 0.8, 0.2)
    0.5
    """
    known = [part for part in parts if part]
    return sum(known) / len(known) if known else 0.0


def common_ancestor(paths: Sequence[str]) -> str:
    """The lowest element above all these; of a single one its parent.

    >>> common_ancestor(["/html/body/div[2]/ul/li[1]/a", "/html/body/div[2]/ul/li[9]/b/a"])
    '/html/body/div[2]/ul'
    >>> common_ancestor(["/html/body/ul/li[1]/a"])
    '/html/body/ul/li[1]'
    """
    steps = [path.split("/")[:-1] for path in paths]
    shared = next((n for n, parts in enumerate(zip(*steps, strict=False)) if len(set(parts)) > 1), None)
    shortest = min(map(len, steps), default=0)
    return "/".join(steps[0][: shortest if shared is None else shared]) if steps else ""

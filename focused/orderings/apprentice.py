"""Validator and apprentice — the baseline of xCrawl, §3.1 (X-16), after Chakrabarti, Punera, Subramanyam 2002.

    a page is had: the validator accepts it or not, and the apprentice learns that of all known links that lead to it
    each link of the page is worth the apprentice's probability that its target will be accepted

The apprentice knows words and how far from the link they stand (models/apprentice.py), and nothing of the page itself.
Differs: of one page the last eight links are learned from; waiting links get new scores every `refresh` pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from focused.budget import SiteBudget
from focused.errors import SettingError
from focused.leaves import leaf_starts
from focused.orderings.base import Ids, Ordering, Rescored, Surroundings, Waiting
from focused.page import Link, Page
from models.apprentice import Apprentice, Features, features
from models.model import Floats

MOST_LINKS = 8  # that lead to one page and are remembered


@dataclass
class ApprenticeCrawler(Ordering):
    """Links that look like those to accepted pages first."""

    refresh: int = 100  # pages after which all waiting links are scored again
    _apprentice: Apprentice = field(init=False, repr=False, compare=False)
    _to: dict[int, deque[Features]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _had: int = field(default=0, init=False, repr=False)  # pages
    _under_way: dict[int, list[Features]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _parts: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)  # knows the site of a page

    def __post_init__(self) -> None:
        if self.refresh < 1:
            raise SettingError(f"ordering_args: refresh={self.refresh} is below 1: give at least 1.")

    def bind(self, around: Surroundings) -> None:
        super().bind(around)
        self._apprentice = Apprentice(around.vocabulary)

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting = waiting
        return waiting.pick(now)

    def observe(self, page: Page) -> None:
        """Its incoming links become examples."""
        self._had += 1
        for link in self._to.get(page.id, ()):
            self._apprentice.learn(link, page.relevant)
        self._drop(page.id)

    def score(self, page: Page) -> Floats:
        """Several pages may be scored before the links of the first are found."""
        self._under_way[page.id] = own = features(page, leaf_starts(page.tree, page.words))
        return self._apprentice.odds(own)

    def score_again(self, page: Page) -> Floats:
        return self._apprentice.odds(features(page, leaf_starts(page.tree, page.words)))

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        """The links wait; what is known of them is kept until their page is had."""
        by_link = {id(link): own for link, own in zip(page.links, self._under_way.pop(page.id), strict=True)}
        for link, target in zip(links, ids.tolist(), strict=True):
            own = by_link.get(id(link))
            if own is not None and target != page.id:
                known = self._to.setdefault(target, deque(maxlen=MOST_LINKS))
                known.append(own)
                self._parts[self._name(target)] = known

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        self._drop(page_id)

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        """The links lead to the other page."""
        if links := self._to.get(page_id):
            known = self._to.setdefault(target_id, deque(maxlen=MOST_LINKS))
            known.extend(links)
            self._parts[self._name(target_id)] = known
        self._drop(page_id)

    def _drop(self, page_id: int) -> None:
        self._under_way.pop(page_id, None)
        if self._to.pop(page_id, None) is not None:
            self._parts[self._name(page_id)] = None

    def _name(self, page_id: int) -> str:
        """Of the links to a page: they go with its site."""
        return f"site:{self._site_of(page_id)}:to:{page_id}"

    def _site_of(self, page_id: int) -> int:
        return self._waiting.site_of(page_id) if self._waiting is not None else 0

    def rescored(self) -> Rescored | None:
        """Now and then, by what was learned since."""
        if not self._had or self._had % self.refresh or not self._to:
            return None
        ids, links = list(self._to), list(self._to.values())
        odds = self._apprentice.odds([link for known in links for link in known])
        starts = np.cumsum([0, *map(len, links)])[:-1]
        return Rescored(np.array(ids, np.int64), np.maximum.reduceat(odds, starts))

    def budget(self) -> SiteBudget:
        """The paper's baseline leaves no site."""
        return SiteBudget()

    def state(self) -> dict[str, Any]:
        changed, self._parts = self._parts, {}
        parts = {name: known and [self._apprentice.names(link) for link in known] for name, known in changed.items()}
        learned = {f"knows:{name}": counts for name, counts in self._apprentice.changes().items()}
        return {**parts, **learned, "had": self._had} if parts or learned else {}

    def restore(self, parts: dict[str, Any]) -> None:
        self._had = parts.get("had", 0)
        self._apprentice.restore({name[6:]: part for name, part in parts.items() if name.startswith("knows:")})
        self.adopt(parts)

    def adopt(self, parts: dict[str, Any]) -> None:
        """Links to the pages of sites that come; what was learned stays each worker's own."""
        for name, links in parts.items():
            if name.startswith("site:"):
                self._to[int(name.rpartition(":")[2])] = deque(map(self._apprentice.named, links), MOST_LINKS)

    def leave(self, site: int) -> None:
        for page in [page for page in self._to if self._site_of(page) == site]:
            del self._to[page]

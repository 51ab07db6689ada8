"""Tunnelling — Tsoi 2003: through pages of low score to those of high score behind them.

    T = the visit tree, B = the pages of T with a link to a page outside T
    while B is not empty:
        p = the page of B with the highest relevance, the first visited of equals         (S-03)
        E = relatives of p: all pages of T as far below the (r-1)th ancestor of p as p    (S-02)
        from each e in E, breadth first up to d links: fetch what is not in T, pass through what is

d = r = 1 is the basic focused crawler. What failed counts as visited and leads nowhere; the target of a redirect takes
its place. The links of a round may be fetched side by side; in strict order they come one by one, as above.
adaptive: d and r begin as 1 and grow when the precision of 100 pages falls below half of the best so far (S-06).

Differs: the printed choice of p takes the worst page of B, and no page at all with itself in B; meant is the best.
Differs: while the sites of a round rest, the best waiting link of another site is fetched. A link that is tried
again, or whose site was closed when its round came, is fetched before the next round if it is better than all of B.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from typing import Any, ClassVar

import numpy as np

from focused.errors import SettingError
from focused.exploration import Knobs, Node, Round, VisitTree
from focused.orderings.base import Ids, Ordering, Waiting
from focused.page import Link, Page
from focused.store.rows import Colleague
from models.model import Floats

AT_ONCE = 200  # links of a round that are looked through for one that can be taken now


@dataclass
class Tunnel(Ordering):
    """Relatives of the best page, explored to a depth."""

    tells: ClassVar[str] = "knobs"
    r: int = 2  # degree of relatedness: 1 the page itself, 2 its siblings, 3 its cousins, too
    d: int = 1  # depth of exploration
    adaptive: bool = False  # begin with 1 and 1, whatever r and d are, and let them grow
    _tree: VisitTree = field(default_factory=VisitTree, init=False, repr=False)
    _border: list[tuple[float, int, int]] = field(default_factory=list, init=False, repr=False)  # see _offer
    _moved: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # redirects
    _under_way: dict[int, int] = field(default_factory=dict, init=False, repr=False)  # link: its page, in the round
    _round: Round | None = field(default=None, init=False, repr=False)
    _knobs: Knobs = field(init=False, repr=False)
    _news: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)  # knows the site of a page

    def __post_init__(self) -> None:
        if self.d < 1 or self.r < 1:
            raise SettingError(f"ordering_args: r={self.r},d={self.d}: give r >= 1 and d >= 1; 1 and 1 do not tunnel.")
        self._knobs = Knobs(1, 1) if self.adaptive else Knobs(self.d, self.r)

    # --- the visit tree ---------------------------------------------------------------------------------------

    def score(self, page: Page) -> Floats:
        """Of a link: the relevance of the best page it is on. Its trail names that page."""
        trail = {"parent": page.id}
        for link in page.links:
            link.trail = trail
        return np.full(len(page.links), page.relevance)

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        parent = self._under_way.pop(page.id, None) or (page.trail or {}).get("parent")
        node = self._tree.add(page.id, parent, page.relevance, array("I", ids.tolist()))
        self._offer(page.id, node)
        self._news[f"site:{page.site_id}:page:{page.id}"] = [node.parent, node.number, node.relevance, ids.tolist()]
        if self.adaptive:
            self._knobs.count(page.relevant)
            self._news["knobs"] = asdict(self._knobs)

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        self._under_way.pop(page_id, None)

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        self._under_way.pop(page_id, None)
        if self._stands_for(target_id) != page_id:  # else the redirects go round in a circle
            self._moved[page_id] = target_id
            site = self._waiting.site_of(page_id) if self._waiting is not None else 0
            self._news[f"site:{site}:moved:{page_id}"] = target_id

    def _stands_for(self, page_id: int) -> int:
        """The page itself, or what it redirects to."""
        while page_id in self._moved:
            page_id = self._moved[page_id]
        return page_id

    def _offer(self, page_id: int, node: Node) -> None:
        if node.links:
            heappush(self._border, (-node.relevance, node.number, page_id))

    # --- rounds -----------------------------------------------------------------------------------------------

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting = waiting
        while self._round is not None or self._begin(waiting, now):
            assert self._round is not None
            taken = self._explore(self._round, waiting, now)
            if taken is not None:
                return taken
            if not self._round.is_over:
                break
            self._round = self._news["round"] = None
        return waiting.pick(now)

    def _begin(self, waiting: Waiting, now: float) -> bool:
        """Steps 2 and 3, unless a link waits that is better than the border: a seed, or one left by its round."""
        best = waiting.best(now, 1)
        page_id = self._best_of_border(waiting) if best else None
        if page_id is None or waiting.score_of(best)[0] > self._tree[page_id].relevance:
            return False
        heappop(self._border)
        relatives = self._tree.relatives(page_id, self._knobs.r)
        self._round = Round(self._knobs.d, deque(relatives))
        self._news["round"] = [self._round.d, relatives]
        return True

    def _best_of_border(self, waiting: Waiting) -> int | None:
        """Pages all of whose links are visited leave the border here."""
        while self._border:
            page_id = self._border[0][2]
            links = map(self._stands_for, self._tree[page_id].links)
            if any(waiting.place_of(link) == "waiting" for link in links):
                return page_id
            heappop(self._border)
        return None

    def _explore(self, this: Round, waiting: Waiting, now: float) -> int | None:
        """Step 4: the next link of the round that can be taken now."""
        while (taken := self._take(this, waiting, now)) is None:
            if len(this.links) >= AT_ONCE or not self._expand(this, waiting):
                return None
        return taken

    def _take(self, this: Round, waiting: Waiting, now: float) -> int | None:
        kept: list[tuple[int, int]] = []
        for at, (link, page_id) in enumerate(this.links):
            place = self._stands_for(link), page_id
            if self._is_open(place[0], waiting):
                kept.append(place)
                if waiting.take(place[0], now):
                    self._under_way[place[0]] = page_id
                    this.links[: at + 1] = kept
                    return place[0]
        this.links = kept
        return None

    def _expand(self, this: Round, waiting: Waiting) -> bool:
        """Add the links of the next page of the round; False: there is none, or its links are not known yet."""
        while this.queue or this.relatives:
            if not this.queue:
                this.enter(this.relatives.popleft(), this.d)
            elif self._expand_one(this, waiting):
                return True
            elif this.queue:
                return False
        return False

    def _expand_one(self, this: Round, waiting: Waiting) -> bool:
        for _ in range(len(this.queue)):
            page_id, left = this.queue.popleft()
            place = self._stands_for(page_id)
            if place in self._tree:
                for link in self._tree[place].links:
                    this.links.append((link, place))
                    this.enter(link, left - 1)
                return True
            if self._is_open(place, waiting):
                this.queue.append((page_id, left))
        return False

    def _is_open(self, page_id: int, waiting: Waiting) -> bool:
        """Whether a page is to be had in this round: it waits, or it is under way. What is to be tried again is not."""
        where = waiting.place_of(page_id)
        if where == "waiting" or (where == "in_flight" and page_id in self._under_way):
            return True
        self._under_way.pop(page_id, None)
        return False

    # --- kill and resume, explain -----------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        news, self._news = self._news, {}
        return news

    def restore(self, parts: dict[str, Any]) -> None:
        """The round begins again at its first relative and passes through what it has visited: the same way on."""
        self.adopt(parts)
        if "knobs" in parts:
            self._knobs = Knobs(**parts["knobs"])
        if "round" in parts:
            d, relatives = parts["round"]
            self._round = Round(d, deque(relatives))

    def adopt(self, parts: dict[str, Any]) -> None:
        """Pages of sites that come stand below those they were visited from, as far as these are known here, too."""
        own = [(*name.split(":")[2:], part) for name, part in parts.items() if name.startswith("site:")]
        self._moved |= {int(page): target for kind, page, target in own if kind == "moved"}
        nodes = [(part, int(page)) for kind, page, part in own if kind == "page"]
        for (parent, _, relevance, links), page_id in sorted(nodes, key=lambda node: node[0][1]):
            node = self._tree.get(page_id) or self._tree.add(page_id, parent, relevance, array("I", links))
            self._offer(page_id, node)

    def hear(self, colleagues: Sequence[Colleague]) -> None:
        """Who has had no page yet goes as far as the others have come to; from then on its own pages say how far."""
        if self.adaptive and self._knobs == Knobs(1, 1):
            others = [Knobs(one.said["d"], one.said["r"], one.said["best"]) for one in colleagues]
            self._knobs = max(others, key=lambda knobs: knobs.d + knobs.r, default=self._knobs)

    def terms(self, page: Page, index: int) -> dict[str, float]:
        return {"page": page.relevance}

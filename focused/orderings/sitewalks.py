"""The searches of all sites of an xCrawl, and how they survive a kill.

What is kept: each page once, when it was had; the hubs of a site when they were looked for; where its walk stands,
whenever that changed. When a site is done its pages are forgotten. All of it is named by its site, "site:7:page:12",
so that it goes with the site to another worker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from focused.orderings.sitegraph import DEFAULTS, Rules
from focused.orderings.sitewalk import SiteWalk, Waits
from focused.page import Page


@dataclass
class SiteWalks:
    rules: Rules = DEFAULTS
    _sites: dict[int, SiteWalk] = field(default_factory=dict)  # in the order they were begun
    _why: dict[int, str] = field(default_factory=dict)  # of those that are done
    _parts: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)  # changed since `state`
    _changed: dict[int, None] = field(default_factory=dict, repr=False, compare=False)  # sites, in the same time
    _hubs: dict[int, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)  # what was kept of them

    def __len__(self) -> int:
        return len(self._sites)

    def all(self) -> Iterator[SiteWalk]:
        return iter(self._sites.values())

    def begin(self, site: int, seed: str) -> None:
        if site not in self._sites:
            self._sites[site] = SiteWalk(seed, self.rules)
            self._changed[site] = None

    def is_under_way(self, site: int) -> bool:
        return site in self._sites and site not in self._why

    def in_turn(self, most: int) -> list[int]:
        """The sites under way, the one that has cost least first."""
        open_ = [site for site in self._sites if site not in self._why][:most]
        return sorted(open_, key=lambda site: len(self._sites[site].graph.links))

    def weight_of(self, site: int, page: int, accepted: bool) -> float:
        """Of a page that was just had, as far as it is known without a look at the whole site."""
        walk = self._sites.get(site)
        return 1.0 if accepted else walk.graph.hub_scores.get(page, 0.0) if walk is not None else 0.0

    # --- what happens -----------------------------------------------------------------------------------------

    def want(self, site: int, waits: Waits) -> int | None:
        if not self.is_under_way(site):
            return None
        walk = self._sites[site]
        before, page = walk.pending, walk.want(waits)
        if page is None:
            self._end(site, f"searched: {len(walk.graph.accepted)} accepted, {len(walk.graph.hubs)} hubs")
        if page is None or page != before:
            self._changed[site] = None
        return page

    def chosen(self, site: int) -> int | None:
        """The page it waits for, as far as that was said."""
        return self._sites[site].pending

    def read(self, site: int, page: Page, targets: Sequence[int], paths: Sequence[str]) -> None:
        if not self.is_under_way(site):
            return
        walk = self._sites[site]
        if page.depth == 0 and page.id not in walk.entries:
            walk.entries.append(page.id)
        walk.read(page.id, page.relevant, targets, paths)
        kept = None if page.relevant else list(paths)
        self._parts[f"site:{site}:page:{page.id}"] = [walk.graph.events, list(targets), kept]
        self._changed[site] = None

    def lost(self, site: int, page: int) -> None:
        if self.is_under_way(site):
            self._sites[site].lost(page)
            self._changed[site] = None

    def moved(self, site: int, page: int, target: int) -> None:
        if self.is_under_way(site):
            self._sites[site].moved(page, target)
            self._parts[f"site:{site}:moved:{page}"] = [self._sites[site].graph.events, target]
            self._changed[site] = None

    def give_up(self, site: int) -> None:
        """A site that does not answer."""
        if self.is_under_way(site):
            self._end(site, "unreachable")

    def why_over(self, site: int) -> str | None:
        return self._why.get(site)

    def _end(self, site: int, why: str) -> None:
        self._why[site] = why
        walk = self._sites[site]
        self._parts.update({f"site:{site}:page:{page}": None for page in walk.graph.links})
        self._parts.update({f"site:{site}:moved:{page}": None for page in walk.graph.moved})
        walk.close()
        self._changed[site] = None

    # --- kill and resume --------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        parts, self._parts = self._parts, {}
        for site in self._changed:
            walk, graph = self._sites[site], self._sites[site].graph
            number = list(self._sites).index(site)
            parts[f"site:{site}:walk"] = [number, walk.seed, self._why.get(site), walk.state()]
            looked = (walk.looked, len(graph.hubs))
            if self._hubs.get(site) != looked:
                self._hubs[site] = looked
                parts[f"site:{site}:hubs"] = [list(graph.hubs.items()), list(graph.hub_scores.items())]
        self._changed.clear()
        return parts

    def restore(self, parts: dict[str, Any]) -> None:
        """All that `state` said of some sites; what is known of others stays as it is."""
        known: dict[int, dict[str, Any]] = {}
        for name, part in parts.items():
            _, site, what = name.split(":", 2)
            known.setdefault(int(site), {})[what] = part
        for number, own in sorted(known.items(), key=lambda item: item[1]["walk"][0]):
            self._restore(number, own)

    def _restore(self, site: int, parts: dict[str, Any]) -> None:
        _, seed, why, state = parts["walk"]
        walk = self._sites[site] = SiteWalk(seed, self.rules)
        walk.restore(state)
        if why is not None:
            self._why[site] = why
        hubs, scores = parts.get("hubs", ([], []))
        walk.graph.hubs, walk.graph.hub_scores = dict(map(tuple, hubs)), dict(map(tuple, scores))
        happened = [(part[0], name, part[1:]) for name, part in parts.items() if name not in ("walk", "hubs")]
        for _, name, (targets, *paths) in sorted(happened):
            event, _, page = name.partition(":")
            if event == "moved":
                walk.replay("move", int(page), targets)
            else:
                walk.replay("add", int(page), paths[0] is None, targets, paths[0] or ())

    def leave(self, site: int) -> None:
        """It goes on elsewhere: all that is known of it stays in the store."""
        for known in (self._sites, self._why, self._hubs, self._changed):
            known.pop(site, None)

"""The internal crawls that are under way. What happens to each is kept until it ends, so that no kill can end it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from focused.orderings.internal import Begun, Internal, Rules


@dataclass
class UnderWay:
    """Sites by number, in the order they were begun. After a kill everything happens to them once more, in memory."""

    _sites: dict[int, Internal] = field(default_factory=dict)
    _events: dict[int, int] = field(default_factory=dict)  # how many are kept of a site
    _parts: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)  # changed since `state`

    def __len__(self) -> int:
        return len(self._sites)

    def __contains__(self, site: object) -> bool:
        return site in self._sites

    def __iter__(self) -> Iterator[int]:
        return iter(list(self._sites))

    def __getitem__(self, site: int) -> Internal:
        return self._sites[site]

    def get(self, site: int) -> Internal | None:
        return self._sites.get(site)

    def begin(self, site: int, begun: Begun, rules: Rules) -> None:
        self._sites[site] = Internal(begun, rules)
        self._keep(site, list(begun))

    def happens(self, site: int, event: str, *values: Any) -> Internal:
        """One of read, lost, moved; see Internal."""
        crawl = self._sites[site]
        getattr(crawl, event)(*values)
        self._keep(site, [event, *values])
        return crawl

    def end(self, site: int) -> Internal:
        for number in range(self._events.pop(site)):
            self._parts[_name(site, number)] = None
        return self._sites.pop(site)

    def state(self) -> dict[str, Any]:
        parts, self._parts = self._parts, {}
        return parts

    def restore(self, parts: dict[str, Any], rules: Rules) -> None:
        kept: dict[int, dict[int, Any]] = {}
        for name in parts:
            if name.startswith("event:"):
                _, site, number = name.split(":")
                kept.setdefault(int(site), {})[int(number)] = parts[name]
        for of_site, events in sorted(kept.items(), key=lambda item: Begun(*item[1][0]).turn):
            crawl = self._sites[of_site] = Internal(Begun(*events[0]), rules)
            self._events[of_site] = len(events)
            for at in range(1, len(events)):
                event, *values = events[at]
                getattr(crawl, event)(*values)

    def leave(self, site: int) -> None:
        """It goes on elsewhere: what happened to it stays in the store."""
        self._sites.pop(site, None)
        self._events.pop(site, None)

    def _keep(self, site: int, event: list[Any]) -> None:
        number = self._events.get(site, 0)
        self._events[site] = number + 1
        self._parts[_name(site, number)] = event


def _name(site: int, number: int) -> str:
    return f"event:{site}:{number}"

"""Link probing — Shchekotykhin et al. (xCrawl), §3.2, X-14: hover over and click on what may lead somewhere.

    for each trigger of the page:  hover, click (or choose, in a list); note where the page would have gone
        if the page has changed into a state not seen before: probe what has newly appeared, depth first
        if a trigger is gone: load the page again, replay the actions that led to it

Differs: events are made by script (probe.js), where the paper moves a mouse: they reach what is hidden, and cost no
time for movement. As in the paper nothing is typed into text fields, and no form is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from focused.page import Revealed
from middlewares.browser import is_alive

if TYPE_CHECKING:
    from playwright.async_api import Page


@dataclass(frozen=True, slots=True)
class Limits:
    depth: int = 3
    actions: int = 300
    repeats: int = 20  # of one trigger that brings more each time ("load more")
    scrolls: int = 20


class Action(NamedTuple):
    key: str  # of the element: its first DOM path and its text
    kind: str  # hover, click or choose


@dataclass(slots=True)
class Probe:
    """One page; `found` is filled as it goes on, so that a clock that runs out loses nothing."""

    page: Page
    load: Callable[[], Awaitable[None]]  # loads the page anew
    limits: Limits = field(default_factory=Limits)
    found: list[Revealed] = field(default_factory=list)
    actions: int = 0
    _states: set[str] = field(default_factory=set)
    _known: set[str] = field(default_factory=set)  # triggers that have been listed

    async def run(self, seconds: float) -> list[Revealed]:
        """Everything the page leads to, as far as limits, time and the page itself allow."""
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(max(0.0, seconds)):
                self._states.add(await self.page.evaluate("__focused.state()"))
                await self._scroll()
                await self._explore([])
        except TimeoutError:
            pass  # what was found until then is what was found
        except Error:
            if not await is_alive(self.page):
                raise
        return self.found

    async def _scroll(self) -> None:
        """Lists that grow when their end is seen."""
        for _ in range(self.limits.scrolls):
            if not await self._state_after("__focused.scroll()"):
                return

    async def _explore(self, way: list[Action]) -> None:
        """Try what is new on the page; `way`: the actions that led here."""
        for key, kinds in await self._new():
            for kind in kinds:
                if self.actions >= self.limits.actions:
                    return
                await self._try(way, Action(key, kind))

    async def _new(self) -> list[tuple[str, list[str]]]:
        listed = [(one["key"], one["acts"]) for one in await self.page.evaluate("__focused.list()")]
        new = [one for one in listed if one[0] not in self._known]
        self._known.update(key for key, _ in new)
        return new

    async def _try(self, way: list[Action], action: Action) -> None:
        state = await self._act(action)
        if state is None and await self._return_to(way):
            state = await self._act(action)
        for _ in range(self.limits.repeats):
            if not state or state in self._states:
                return
            self._states.add(state)
            if len(way) < self.limits.depth:
                await self._explore([*way, action])
            state = await self._act(action)

    async def _return_to(self, way: list[Action]) -> bool:
        """Load the page again and replay; False if that leads elsewhere today."""
        await self.load()
        for action in way:
            await self.page.evaluate("__focused.list()")
            if await self._act(action) is None:
                return False
        await self.page.evaluate("__focused.list()")
        return True

    async def _act(self, action: Action) -> str | None:
        """The state it led to, empty if nothing changed; None: there is no such trigger now."""
        self.actions += 1
        return await self._state_after("one => __focused.act(one)", list(action))

    async def _state_after(self, script: str, given: Any = None) -> str | None:
        outcome = await self.page.evaluate(script, given)
        self.found += revealed(outcome["found"])
        return None if outcome["missing"] else str(outcome["state"])


def revealed(found: list[dict[str, str]]) -> list[Revealed]:
    return [Revealed(str(one["url"]), str(one["text"]), str(one["path"])) for one in found]

"""The live monitor: a dot for each page, the moving average, the numbers (Chakrabarti 1999, F-09, F-19 to F-22)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from focused.console.crawls import opened, shared
from focused.console.keeping import LARGE, Kept
from focused.console.rendering import page, rendered
from focused.evaluate import tables
from focused.store.answers import Event, SiteRow, Summary
from focused.store.live import Dot, averages, dots, is_running, last_events, last_page_at, last_visit
from focused.store.queries import Reading
from focused.store.yields import YieldRow, yields

BEAT = 1.0  # seconds between two looks at the crawl
LATELY = 30.0  # seconds over which the speed is measured
SITES, EVENTS, YIELDS = 15, 12, 8


class Panel(NamedTuple):
    """What stands around the plot."""

    summary: Summary
    numbers: list[tuple[str, str]]
    alarms: list[str]
    sites: list[SiteRow]
    events: list[Event]
    yields: list[YieldRow]
    is_running: bool


class Pulse:
    """What one watcher of a crawl is told, whenever something is new."""

    def __init__(self, panels: Kept[Panel] | None = None) -> None:
        self._panels = panels or Kept()  # of all watchers
        self._told: tuple[object, ...] = ()
        self._shown: Panel | None = None

    def beat(self, reading: Reading) -> bytes | None:
        """The picture as JSON; None if nothing has changed since the last one."""
        last, name = last_visit(reading), reading.folder.name
        now = (last, last_events(reading), reading.meta().get("stopped_at"))
        if now == self._told and self._shown is not None and self._panels.fresh(name) is self._shown:
            return None
        is_first, is_new, self._told = not self._told, now != self._told, now
        found = dots(reading, last)
        told = {"last": last, **(drawn(reading, found, last) if is_new else {})}
        if not (is_first and last > LARGE and self._panels.old(name) is None):  # the plot does not wait for the numbers
            self._shown = self._panels.get(name, lambda: panel_of(reading))
            told["panel"] = rendered("panel.html", panel=with_speed(self._shown, found))
        return orjson.dumps(told)


def with_speed(panel: Panel, found: list[Dot]) -> Panel:
    """Speed is that of this moment; a crawl that does not run has none."""
    speed = f"{pages_per_second(found, time.time()):.1f}" if panel.is_running else "–"
    return panel._replace(numbers=[*panel.numbers, ("pages/s", speed)])


def panel_of(reading: Reading) -> Panel:
    with reading.snapshot():
        summary, running = reading.summary(), is_running(reading)
        if running:  # what is noted of its end is of an earlier run
            summary = replace(summary, finished=last_page_at(reading), reason="")
        return Panel(
            summary,
            tables.headline(summary),
            tables.alarms_of(reading, summary),
            reading.top_sites(SITES),
            reading.events(EVENTS)[::-1],
            yields(reading, YIELDS),
            running,
        )


def pages_per_second(found: list[Dot], now: float) -> float:
    """Of the last half minute; the newest pages are all there."""
    lately = [dot.at for dot in found if dot.at > now - LATELY]
    return len(lately) / max(1.0, now - min(lately)) if lately else 0.0


def drawn(reading: Reading, found: list[Dot], last: int) -> dict[str, Any]:
    """The columns of the plot."""
    line = averages(reading, last)
    return {
        "dots": dict(zip(Dot._fields, zip(*found, strict=True), strict=False)),
        "average": {
            "visit": [point.visit for point in line],
            "at": [point.at for point in line],
            "relevance": [round(point.relevance, 4) for point in line],
        },
    }


def view(request: Request) -> Response:
    with opened(request) as reading:
        meta, last, panels = reading.meta(), last_visit(reading), shared(request).panels
        name = reading.folder.name
        panel = panels.old(name) if last > LARGE else panels.get(name, lambda: panel_of(reading))
        shown = with_speed(panel, dots(reading, last)) if panel else None
        return page(request, "monitor.html", panel=shown, meta=meta, crawl_topic=meta.get("topic", ""))


async def stream(request: Request) -> Response:
    """Server-sent events: one a second, if there is something to tell."""
    await run_in_threadpool(lambda: opened(request).close())  # says at once that there is no such crawl
    return StreamingResponse(_beats(request), media_type="text/event-stream")


async def _beats(request: Request) -> AsyncIterator[bytes]:
    pulse = Pulse(shared(request).panels)

    def beat() -> bytes | None:
        with opened(request) as reading:
            return pulse.beat(reading)

    while not shared(request).ending.is_set():
        told = await run_in_threadpool(beat)
        yield b"data: " + told + b"\n\n" if told else b": nothing new\n\n"
        await asyncio.sleep(BEAT)

"""The live monitor: a dot for each page, the moving average, the numbers (Chakrabarti 1999, F-09, F-19 to F-22)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from focused.console.crawls import opened, shared
from focused.console.rendering import page, rendered
from focused.evaluate import tables
from focused.store.answers import Event, SiteRow, Summary
from focused.store.live import Dot, averages, dots, last_events, last_page_at, last_visit
from focused.store.queries import Reading
from focused.store.yields import YieldRow, yields

BEAT = 1.0  # seconds between two looks at the crawl
LATELY = 30.0  # seconds over which the speed is measured
SITES, EVENTS, YIELDS = 15, 12, 8
SPARING = 20  # a question that takes a second is asked every 20 seconds


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

    def __init__(self) -> None:
        self._told: tuple[object, ...] = ()
        self._panel: Panel | None = None
        self._asked_again = 0.0

    def beat(self, reading: Reading) -> bytes | None:
        """The picture as JSON; None if nothing has changed since the last one."""
        last = last_visit(reading)
        now = (last, last_events(reading), reading.meta().get("stopped_at"))
        if now == self._told and time.time() < self._asked_again:
            return None
        is_new, self._told = now != self._told, now
        found = dots(reading, last)
        speed = pages_per_second(found, time.time())
        panel = self._asked(reading)
        numbers = [*panel.numbers, ("pages/s", f"{speed:.1f}")]
        html = rendered("panel.html", panel=panel._replace(numbers=numbers), crawl=reading.folder.name)
        picture = drawn(reading, found, last) if is_new else {}
        return orjson.dumps({"last": last, "panel": html, **picture})

    def _asked(self, reading: Reading) -> Panel:
        """The numbers of the whole crawl; what is slow to answer is asked for less often."""
        begun = time.time()
        if self._panel is None or begun >= self._asked_again:
            self._panel = panel_of(reading)
            self._asked_again = time.time() + max(2 * BEAT, SPARING * (time.time() - begun))
        return self._panel


def panel_of(reading: Reading) -> Panel:
    with reading.snapshot():
        summary = reading.summary()
        return Panel(
            summary,
            tables.headline(summary),
            tables.alarms_of(reading, summary),
            reading.top_sites(SITES),
            reading.events(EVENTS)[::-1],
            yields(reading, YIELDS),
            is_running(reading),
        )


def is_running(reading: Reading) -> bool:
    """As far as the store can tell: a page was had after the last stop, and not long ago."""
    stopped = float(reading.meta().get("stopped_at", 0))
    return last_page_at(reading) > max(stopped, time.time() - 60)


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
        meta = reading.meta()
        return page(request, "monitor.html", panel=panel_of(reading), meta=meta, crawl_topic=meta.get("topic", ""))


async def stream(request: Request) -> Response:
    """Server-sent events: one a second, if there is something to tell."""
    await run_in_threadpool(lambda: opened(request).close())  # says at once that there is no such crawl
    return StreamingResponse(_beats(request), media_type="text/event-stream")


async def _beats(request: Request) -> AsyncIterator[bytes]:
    pulse = Pulse()

    def beat() -> bytes | None:
        with opened(request) as reading:
            return pulse.beat(reading)

    while not shared(request).ending.is_set():
        told = await run_in_threadpool(beat)
        yield b"data: " + told + b"\n\n" if told else b": nothing new\n\n"
        await asyncio.sleep(BEAT)

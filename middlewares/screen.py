"""A response shown in the browser: what its scripts made of it, and the links it leads to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from scrapy.http import Response

from focused.page import Revealed
from middlewares.browser import Browser
from middlewares.probe import Limits, Probe, revealed
from middlewares.supply import Allows, Download, Kept, Supply

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab

CALM = 60  # ms without a change after which a page is taken to be complete
MOST_HTML = 8 * 1024 * 1024  # characters of it
LOADING = 1 / 3  # of the time there is, after which it is taken as it is


class Shown(NamedTuple):
    html: str
    links: list[Revealed]  # also those that are not in the HTML: in shadow trees, behind clicks


@dataclass
class Screen:
    """Raises TimeoutError for a page that hangs, PageBroke for one that ruins itself, BrowserDied."""

    browser: Browser
    download: Download
    seconds: float
    probes: Limits | None = None  # None: the page is only looked at
    kept: Kept = field(default_factory=Kept)

    async def show(self, response: Response, allows: Allows) -> Shown:
        supply = Supply(response, self.download, allows, self.kept)
        async with self.browser.page(response.url, supply.answer) as tab, asyncio.timeout(self.seconds) as clock:
            await self._load(tab, supply)
            html, found = await tab.evaluate("most => [__focused.html(most), __focused.links()]", MOST_HTML)
            links = revealed(found)
            if self.probes is not None:
                left = (clock.when() or 0.0) - asyncio.get_running_loop().time()
                links += await Probe(tab, lambda: self._load(tab, supply), self.probes).run(0.9 * left)
        return Shown(html, links + [Revealed(url, "", "") for url in supply.left])

    async def _load(self, tab: Tab, supply: Supply) -> None:
        supply.await_page()
        await tab.goto(supply.url, wait_until="domcontentloaded")
        patience = 1000 * LOADING * self.seconds
        await tab.evaluate("([most, calm]) => __focused.quiet(most, calm)", [patience, CALM])

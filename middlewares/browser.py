"""The browser: one Chromium at a time, started when it is needed, replaced when it is worn or dead.

It reaches no network: names do not resolve, its proxy is a closed door, and whatever a page asks for is answered by
`middlewares.supply` out of the crawler's own downloader. Each site has a context of its own, used for some pages and
then closed: nothing one site left in the browser is seen by another, and closing gives the memory back.

Differs: Playwright itself is used, not the download handler of scrapy-playwright. That one lets the browser connect on
its own, past the check of addresses, and has no place for a page that was fetched already.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from focused.urls import homepage_of, site_of

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Dialog, Page, Playwright, Route

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
AT_ONCE = 2  # pages open at a time
MOST_IDLE = 4  # tabs kept for more pages of their sites: opening one takes most of the time a page takes
TIRED, WORN = 20, 200  # pages after which a tab, and the browser, is replaced: that bounds what they leak
PATIENCE = 30.0  # seconds for the browser to start, to open or to close something
HASTE = 2.0  # seconds for a tab to become empty; one that takes longer is closed
CLOSED_DOOR = "http://127.0.0.1:9"
ARGUMENTS = [
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its older name
    "--disable-quic",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--mute-audio",
    "--js-flags=--max-old-space-size=256",
]

Answer = Callable[["Route"], Coroutine[Any, Any, None]]


class BrowserDied(Exception):
    """It ended while it had a page, or could not be started."""


class PageBroke(Exception):
    """The browser is fine, but there is nothing to be had from this page."""


def why_missing(given: str) -> str | None:
    """What a browser needs and this machine has not; None if all is there."""
    if find_spec("playwright") is None:
        return "the package 'playwright' is not installed: run `pip install playwright`"
    if path_of(given) is None:
        where = f"there is no program {given} (FOCUSED_BROWSER)" if given else "no Chromium was found on the PATH"
        return f"{where}: install one (on Debian: apt install chromium) or give its path as FOCUSED_BROWSER"
    return None


def path_of(given: str) -> str | None:
    """Where the browser is: the one that was asked for, or the first that is found."""
    return next(filter(None, map(shutil.which, [given] if given else NAMES)), None)


@dataclass(eq=False)
class Tab:
    """A page of the browser in a context of its own, for one site; `answer` is asked what its requests get."""

    page: Page
    site: str
    used: int = 0
    answer: Answer | None = None
    _replies: set[asyncio.Task[None]] = field(default_factory=set)  # under way

    async def reply(self, route: Route) -> None:
        reply = asyncio.ensure_future(self.answer(route) if self.answer is not None else route.abort())
        self._replies.add(reply)
        reply.add_done_callback(self._replies.discard)
        with contextlib.suppress(asyncio.CancelledError):
            await reply

    async def close(self) -> bool:
        for reply in self._replies:
            reply.cancel()
        return await _in_time(self.page.context.close())

    async def forget(self, origin: str) -> bool:
        """Whether it is fit for another page of its site: empty, with nothing left of the last one."""
        self.answer, self.used = None, self.used + 1
        return self.used < TIRED and await _in_time(self._forget(origin), HASTE)

    async def _forget(self, origin: str) -> None:
        await self.page.goto("about:blank")
        session = await self.page.context.new_cdp_session(self.page)
        await session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        await session.detach()
        await self.page.context.clear_cookies()


@dataclass(eq=False, slots=True)
class Running:
    """A browser, and the driver that is its parent: they live and end together."""

    driver: Playwright
    chromium: Chromium
    used: int = 0
    open: int = 0
    idle: list[Tab] = field(default_factory=list)  # the longest unused first

    def tab_for(self, site: str) -> Tab | None:
        """One that showed a page of the site before."""
        tab = next((tab for tab in self.idle if tab.site == site), None)
        if tab is not None:
            self.idle.remove(tab)
        return tab

    async def keep(self, tab: Tab) -> bool:
        """For the next page of its site; False: another could not be closed for it."""
        self.idle.append(tab)
        return len(self.idle) <= MOST_IDLE or await self.idle.pop(0).close()

    async def close(self) -> None:
        for end in (self.chromium.close(), self.driver.stop()):
            await _in_time(end)


class Browser:
    """`async with browser.page(url, answer) as page`; BrowserDied or PageBroke if that did not go well."""

    def __init__(self, path: str, agent: str) -> None:
        self.path = path
        self.agent = agent
        self._running: Running | None = None
        self._is_over = False
        self._starting = asyncio.Lock()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._script = resources.files("middlewares").joinpath("probe.js").read_text("utf-8")

    @asynccontextmanager
    async def page(self, url: str, answer: Answer) -> AsyncIterator[Page]:
        """An empty page for a URL."""
        from playwright.async_api import Error  # not earlier: who renders nothing shall not pay for it

        async with self._room:
            running = await self._started()
            running.used += 1
            running.open += 1
            tab: Tab | None = None
            is_fine = False
            try:
                tab = running.tab_for(site_of(url)) or await self._opened(running.chromium, site_of(url))
                tab.answer = answer
                yield tab.page
                is_fine = True
            except Error as error:
                is_fault_of_page = tab is not None and await is_alive(tab.page)
                raise (PageBroke if is_fault_of_page else BrowserDied)(str(error).splitlines()[0]) from error
            finally:
                running.open -= 1
                await self._leave(running, tab, url if is_fine else None)

    async def _opened(self, chromium: Chromium, site: str) -> Tab:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._new_tab(chromium, site)
        except TimeoutError as error:
            raise BrowserDied("it opens no page") from error

    async def _new_tab(self, chromium: Chromium, site: str) -> Tab:
        context = await chromium.new_context(user_agent=self.agent, service_workers="block", accept_downloads=False)
        await context.add_init_script(self._script)
        tab = Tab(await context.new_page(), site)
        await context.route("**/*", tab.reply)
        context.on("page", _close)  # a window that a page opens
        tab.page.on("dialog", _dismiss)
        tab.page.set_default_timeout(0)  # whoever uses the page has a clock
        return tab

    async def _leave(self, running: Running, tab: Tab | None, url: str | None) -> None:
        """A tab that is fine waits for the next page of its site. A browser that cannot close one is given up."""
        if tab is None:
            is_sound = False
        elif url is not None and await tab.forget(homepage_of(url)[:-1]):
            is_sound = await running.keep(tab)
        else:
            is_sound = await tab.close()
        if self._running is running and (not is_sound or running.used >= WORN):
            self._running = None
        if self._running is not running and not running.open:
            await running.close()

    async def _started(self) -> Running:
        async with self._starting:
            if self._is_over:
                raise BrowserDied("the crawl is over")
            if self._running is not None and not self._running.chromium.is_connected():
                dead, self._running = self._running, None
                if not dead.open:
                    await dead.close()
            if self._running is None:
                self._running = await self._start()
            return self._running

    async def _start(self) -> Running:
        from playwright.async_api import Error, async_playwright

        manager = async_playwright()
        driver = await manager.start()
        try:
            chromium = await driver.chromium.launch(
                executable_path=self.path,
                args=ARGUMENTS,
                chromium_sandbox=os.geteuid() != 0,  # root has none
                proxy={"server": CLOSED_DOOR, "bypass": "<-loopback>"},
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=1000 * PATIENCE,
            )
        except Error as error:
            await _in_time(driver.stop())
            raise BrowserDied(f"{self.path} does not start: {str(error).splitlines()[0]}") from error
        _expect_death(getattr(manager, "_client", None))
        return Running(driver, chromium)

    async def close(self) -> None:
        """For good; whoever waits for a page gets none."""
        self._is_over = True
        async with self._starting:
            running, self._running = self._running, None
        if running is not None:
            await running.close()


def _expect_death(client: Any) -> None:
    """Playwright sets an error that nobody asks for when its driver is killed, and asyncio would complain of it."""
    with contextlib.suppress(AttributeError):  # it is not promised to be there
        client._transport.on_error_future.add_done_callback(_look_at)


def _look_at(error: asyncio.Future[Any]) -> None:
    if not error.cancelled():
        error.exception()


async def is_alive(page: Page) -> bool:
    """Whether the page still answers, and so everything between it and us."""
    return await _in_time(_answer(page), HASTE)


async def _answer(page: Page) -> None:
    """A page that is just replacing itself is asked again."""
    from playwright.async_api import Error

    while True:
        try:
            await page.evaluate("1")
            return
        except Error as error:
            if "context was destroyed" not in str(error):
                raise


async def _close(window: Page) -> None:
    await _in_time(window.close())


async def _dismiss(dialog: Dialog) -> None:
    await _in_time(dialog.dismiss())


async def _in_time(work: Awaitable[Any], seconds: float = PATIENCE) -> bool:
    """Whether it was done; what is dead or stuck does not answer, and that is no news."""
    with contextlib.suppress(Exception):
        await asyncio.wait_for(work, seconds)
        return True
    return False

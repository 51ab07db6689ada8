"""A tab and the browser are replaced after some pages: what they leak, they give back."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from middlewares import browser
from middlewares.browser import Browser, path_of

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Page, Route


async def refused(route: Route) -> None:
    await route.abort()


async def seven_pages() -> list[tuple[Page, Chromium | None, bool]]:
    """The tab and the Chromium that each of seven pages of a site had, and whether the tab before it is gone."""
    owner, seen = Browser(path_of("") or "", "focused tests"), []
    for _ in range(7):
        async with owner.page("http://one.example/", refused) as page:
            is_new = bool(seen) and page is not seen[-1][0]
            seen.append((page, page.context.browser, is_new and seen[-1][0].is_closed()))
    await owner.close()
    assert not any(chromium.is_connected() for _, chromium, _ in seen if chromium)
    return seen


def test_a_tab_is_replaced_when_tired_and_the_browser_when_worn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "TIRED", 3)
    monkeypatch.setattr(browser, "WORN", 5)
    seen = asyncio.run(seven_pages())
    tabs, browsers = ([len(list(same)) for _, same in groupby(seen, key=lambda one: one[n])] for n in (0, 1))
    assert tabs == [3, 2, 2]  # three pages; two, after which the browser is worn; the rest
    assert browsers == [5, 2]
    assert [gone for _, _, gone in seen] == [False, False, False, True, False, True, False]


def test_twenty_pages_a_tab_and_two_hundred_a_browser() -> None:
    """docs/rendering.md says so."""
    assert (browser.TIRED, browser.WORN) == (20, 200)

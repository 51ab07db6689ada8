"""What the browser is given: every request of a page is answered here, by the crawler's own downloader or not at all.

So scripts reach what the crawler may reach and nothing else: same egress policy, same limits, and on a frozen web the
web itself. The page is not fetched again: the browser gets what was downloaded.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from focused.urls import canonical, site_of

if TYPE_CHECKING:
    from playwright.async_api import Request as Asked
    from playwright.async_api import Route

WANTED = frozenset(("document", "script", "xhr", "fetch", "stylesheet"))  # images, fonts, media and the rest are not
KEPT = frozenset(("script", "stylesheet"))  # the same on many pages of a site
MOST_REQUESTS = 100  # of one page
MOST_KEPT = 32 * 1024 * 1024  # bytes
MAX_HOPS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# They speak of the bytes on the wire, or would let a page do what nobody asked for.
_NOT_PASSED_ON = frozenset(
    ("content-encoding", "content-length", "transfer-encoding", "connection", "content-disposition", "refresh", "link")
)
_ASKED_ALONG = ("accept", "accept-language")

Download = Callable[[Request], Awaitable[Response]]
Allows = Callable[[str], bool]


class Given(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Kept:
    """Scripts and style sheets of the last pages: asked for once, not once a page."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._given: OrderedDict[str, Given] = OrderedDict()
        self._size = 0

    def get(self, url: str) -> Given | None:
        if url in self._given:
            self._given.move_to_end(url)
        return self._given.get(url)

    def put(self, url: str, given: Given) -> None:
        if url not in self._given:
            self._given[url] = given
            self._size += len(given.body)
        while self._size > self._most:
            self._size -= len(self._given.popitem(last=False)[1].body)


class Supply:
    """Answers for one page. `left`: where its scripts wanted to go; they do not get there."""

    def __init__(self, page: Response, download: Download, allows: Allows, kept: Kept) -> None:
        self.url = page.url
        self.left: list[str] = []
        self._page = given_by(page)
        self._page.headers.setdefault("content-type", "text/html")  # as relevance reads it; Chromium would guess
        self._download = download
        self._allows = allows  # what robots.txt of the page's site says
        self._kept = kept
        self._answers: dict[str, Given] = {}  # a page that is loaded again asks for the same again
        self._asked = 0
        self._is_awaited = False

    def await_page(self) -> None:
        """The next navigation is ours."""
        self._is_awaited = True

    async def answer(self, route: Route) -> None:
        from playwright.async_api import Error

        with contextlib.suppress(Error):  # the page may be gone by now
            given = await self._answer_to(route.request)
            if given is None:
                await route.abort("blockedbyclient")
            else:
                await route.fulfill(status=given.status, headers=given.headers, body=given.body)

    async def _answer_to(self, asked: Asked) -> Given | None:
        if asked.is_navigation_request() and _is_main(asked):
            return self._navigate(asked)
        if asked.method != "GET" or asked.resource_type not in WANTED or self._asked >= MOST_REQUESTS:
            return None
        url = canonical(asked.url)
        if url is None:
            return None
        given = self._answers.get(url) or self._kept.get(url)
        if given is None:
            self._asked += 1
            given = await self._fetched(url, asked.headers)
        if given is not None:
            self._answers[url] = given
            if asked.resource_type in KEPT and given.status == 200:
                self._kept.put(url, given)
        return given

    def _navigate(self, asked: Asked) -> Given:
        if self._is_awaited:
            self._is_awaited = False
            return self._page
        if asked.method == "GET":
            self.left.append(asked.url)
        return Given(204, {}, b"")  # "No content" leaves the browser where it is

    async def _fetched(self, url: str, headers: dict[str, str]) -> Given | None:
        """Redirects are followed here: the browser would follow them past everybody."""
        along = {name: headers[name] for name in _ASKED_ALONG if name in headers}
        for _ in range(1 + MAX_HOPS):
            if site_of(url) == site_of(self.url) and not self._allows(url):
                return None
            meta = {"download_slot": site_of(url)}
            request = Request(url, callback=NO_CALLBACK, headers=along, meta=meta, dont_filter=True)
            try:
                response = await self._download(request)
            except Exception:  # refused by the egress policy, or nobody answered: for the page it is the same
                return None
            target = response.headers.get(b"Location") if response.status in REDIRECTS else None
            next_url = canonical(target.decode("utf-8", "replace"), url) if target else None
            if next_url is None:
                return given_by(response)
            url = next_url
        return None


def given_by(response: Response) -> Given:
    return Given(response.status, dict(_passed_on(response)), response.body)


def _passed_on(response: Response) -> Iterator[tuple[str, str]]:
    for name, values in response.headers.items():
        text = name.decode("latin-1").lower()
        if text not in _NOT_PASSED_ON:
            yield text, ", ".join(value.decode("latin-1") for value in values)


def _is_main(asked: Asked) -> bool:
    """Of the page itself; a window it opens is none of ours and stays empty, too."""
    from playwright.async_api import Error

    try:
        return asked.frame.parent_frame is None
    except Error:  # a window that is not there yet
        return True

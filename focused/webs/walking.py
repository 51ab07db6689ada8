"""Pages of a frozen web, breadth first from some of them: what a search engine that had visited it would know."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from focused.page import Page, PageReader
from focused.urls import canonical, site_of
from focused.webs.base import Web

MOVED = {301, 302, 303, 307, 308}


def _any(url: str) -> bool:
    return True


def pages_of_site(web: Web, home: str, reader: PageReader) -> Iterator[Page]:
    """Only those of the site of the first page."""
    site = site_of(home)
    return pages_from(web, [home], reader, lambda url: site_of(url) == site)


def pages_from(
    web: Web, starts: Sequence[str], reader: PageReader, is_wanted: Callable[[str], bool] = _any
) -> Iterator[Page]:
    """Without end on a web without end: take as many as are wanted."""
    waiting, seen = deque(starts), set(starts)
    while waiting:
        url = waiting.popleft()
        answer = web.fetch(url)
        kind = answer.headers.get("Content-Type", "")
        links: list[str] = []
        if answer.status in MOVED:
            target = canonical(answer.headers.get("Location", ""), url)
            links = [target] if target else []
        elif answer.status == 200 and kind.startswith("text/html"):
            page = reader.read(url, answer.body, kind)
            links = [link.url for link in page.links]
            yield page
        new = [link for link in dict.fromkeys(links) if link not in seen and is_wanted(link)]
        seen.update(new)
        waiting.extend(new)

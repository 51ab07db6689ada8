"""What a crawl has found: tables, full-text search, files to take away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from focused.console.crawls import opened, shared
from focused.console.keeping import LARGE
from focused.console.rendering import page, rendered
from focused.evaluate import tables
from focused.evaluate.export import WRITERS, default_file
from focused.evaluate.learned import learned
from focused.store.answers import Choice
from focused.store.live import last_visit
from focused.store.queries import Reading
from focused.store.shared_search import index_of
from focused.webs.texts import Texts

ROWS = 50
LEARNED = "learned"
PARTS = (*tables.PARTS, LEARNED)
SLOW = ("websites", "hubs", "promotions", "categories")  # these look at all pages or all links
PATIENCE = 2.0  # seconds that a search waits for new pages to be taken in; the rest follows in the background
FORMATS = ("csv", "jsonl")
IN_MEMORY = 1 << 20


def view(request: Request) -> Response:
    """Of a large crawl the tables that take long to count follow one by one."""
    words = request.query_params.get("q", "").strip()[:500]
    with opened(request) as reading:
        topic = reading.meta().get("topic", "")
        if words:
            return _search(request, reading, words, topic)
        later = SLOW if last_visit(reading) > LARGE else ()
        sections = [section for name in PARTS if name not in later for section in _part(reading, name)]
        shown: dict[str, Any] = {"sections": sections, "later": later, "formats": FORMATS}
        return page(request, "results.html", words="", crawl_topic=topic, **shown)


def piece(request: Request) -> Response:
    """Tables of a large crawl, as a piece of its page."""
    name, crawl = request.path_params["part"], request.path_params["crawl"]
    if name not in PARTS:
        raise HTTPException(404, f"There is no part '{name}' of the results.")
    with opened(request) as reading:
        sections = shared(request).sections.get(f"{crawl}/{name}", lambda: _part(reading, name))
        return HTMLResponse(rendered("sections.html", sections=sections, crawl=crawl))


def _part(reading: Reading, name: str) -> list[tables.Section]:
    return learned(reading) if name == LEARNED else tables.part(reading, name, ROWS)


def _search(request: Request, reading: Reading, words: str, topic: str) -> Response:
    """Nobody waits for pages that are being taken in already."""
    growing, crawl = shared(request).growing, request.path_params["crawl"]
    until = time.monotonic() + PATIENCE * (crawl not in growing)
    index = index_of(reading)
    taken_in = index.grow(Texts(reading), lambda: time.monotonic() < until)
    pages = last_visit(reading)
    found = {"hits": index.search(words), "taken_in": taken_in, "pages": pages}
    rest = BackgroundTask(_take_in, request) if taken_in < pages and crawl not in growing else None
    return page(request, "search.html", background=rest, words=words, crawl_topic=topic, found=found)


def _take_in(request: Request) -> None:
    """The rest of the pages, after the answer was sent."""
    growing, crawl = shared(request).growing, request.path_params["crawl"]
    growing.add(crawl)
    try:
        with opened(request) as reading:
            index_of(reading).grow(Texts(reading), lambda: not shared(request).ending.is_set())
    finally:
        growing.discard(crawl)


def download(request: Request) -> Response:
    kind = request.query_params.get("format", "csv")
    if kind not in FORMATS:
        raise HTTPException(400, f"There is no format '{kind}' here: use {' or '.join(FORMATS)}, or `scrapy export`.")
    choice = Choice(relevant=request.query_params.get("relevant") == "1")
    file = SpooledTemporaryFile(IN_MEMORY)
    with opened(request) as reading, reading.snapshot():
        WRITERS[kind](reading, choice, file)  # type: ignore[arg-type]  # a spooled file is one in all but its class
    name = quote(f"{request.path_params['crawl']}-{default_file(kind, choice)}")
    head = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    return StreamingResponse(_pieces(file), media_type="application/octet-stream", headers=head)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(1 << 16):
            yield piece

"""Why this page: the path from a seed with every score, and the pages around it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from focused.console.crawls import opened, shared
from focused.console.rendering import page
from focused.evaluate.explain import explain
from focused.store.answers import LinkRow
from focused.store.queries import Reading

NEIGHBOURS = 50


def view(request: Request) -> Response:
    with opened(request) as reading:
        url, topic = _url(request, reading), reading.meta().get("topic", "")
        with_parts = bool(request.query_params.get("parts"))
        terms = shared(request).terms_for(shared(request).settings, topic, reading) if with_parts else None
        found = explain(reading, url, terms) if url else None
        links: list[LinkRow] = []
        if found and found.path:
            links = reading.links_from(found.path[-1].page.id, NEIGHBOURS)
        shown = {"url": url, "found": found, "links": links, "with_parts": with_parts}
        return page(request, "explain.html", crawl_topic=topic, shown=shown)


def _url(request: Request, reading: Reading) -> str:
    """The page that is asked about, by its number or its URL."""
    number = request.query_params.get("page", "")
    if not number:
        return request.query_params.get("url", "").strip()
    known = reading.page(int(number)) if number.isdecimal() and len(number) < 19 else None
    if known is None:
        raise HTTPException(404, f"This crawl has no page {number[:20]}.")
    return known.url

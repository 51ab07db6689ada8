"""A link on its way through the house: leased from the frontier, fetched, read, finished."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from math import inf
from typing import Any

import orjson
from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from focused.page import Link, Page
from focused.store.rows import Kept, Lease

KEY = "focused_visit"  # the one key we put into request.meta


@dataclass(slots=True)
class Visit:
    """What is known of a leased link, and what its fetch has brought so far."""

    id: int
    url: str
    site_id: int
    token: int
    score: float
    depth: int
    hops: int
    tries: int
    picked_at: float = 0.0  # by the clock that never jumps
    rival: float = -inf  # the best score that was left behind then, of the sites that were ready
    trail: dict[str, Any] | None = None
    request: dict[str, Any] | None = None  # a spider's own request
    kept: Kept | None = None  # what was had of the page before; None: it is the first visit
    read: Page | None = None  # the page, where it had to be read before it is judged
    page: Page | None = None  # and once it is judged
    status: int | None = None
    fetched_at: float | None = None
    heard: float | None = None  # when the answer began, by the clock that never jumps: the site's rest begins then
    answered: float | None = None  # and when all of it was there
    leased: Awaitable[None] | None = None  # not to be fetched before this is done; None: it is
    exchange: Any = None  # the response, kept until it is written to the WARC
    links: list[Link] | None = None  # what the spider keeps; None: all links of the page
    requests: list[Any] = field(default_factory=list)  # what the spider asks for itself
    items: list[Any] = field(default_factory=list)
    has_begun: bool = False  # its download
    is_open: bool = True

    @classmethod
    def of(cls, lease: Lease, now: float, rival: float = -inf, kept: Kept | None = None) -> Visit:
        """Begins with a lease."""
        trail, request = (orjson.loads(text) if text else None for text in (lease.trail, lease.request))
        return cls(*lease[:8], now, rival, trail, request, kept)


def visit_of(request: Request | None) -> Visit | None:
    """The visit a request carries out, if it is one of ours."""
    return request.meta.get(KEY) if request is not None else None


class Refused(IgnoreRequest):
    """The link may not be fetched; the outcome says why."""

    def __init__(self, outcome: str, detail: str = "") -> None:
        super().__init__(detail or outcome)
        self.outcome = outcome


class Postponed(IgnoreRequest):
    """The link goes back untouched; its site is ready again after so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:.1f} s")
        self.seconds = seconds

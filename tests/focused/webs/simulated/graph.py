"""The link graph of a simulated web, for tests that measure it; links as a browser would find them."""

from __future__ import annotations

from urllib.parse import urljoin

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from focused.webs.simulated.shape import DOCUMENT, INDEX, LINKS
from focused.webs.simulated.web import SimWeb


def links_in(url: str, body: bytes) -> list[tuple[str, str]]:
    """Absolute URL and anchor of every link and frame."""
    nodes = LexborHTMLParser(body).css("a[href], frame[src]")
    hrefs = [node.attributes.get("href") or node.attributes.get("src") or "" for node in nodes]
    return [(urljoin(url, href), node.text()) for href, node in zip(hrefs, nodes, strict=True)]


def targets(web: SimWeb, page: int) -> list[int]:
    """Pages that a page links to, boilerplate included, without making its HTML.

    As a browser finds them: dead links, detours and links to a copy count as links to the page that was meant, links
    made by scripts count, the way into a trap does not.
    """
    place, linker = web.shape.place(page), web.markup.linker
    if place.kind == DOCUMENT:
        return []
    frame = linker.navigation(place.site)
    if web.markup.thinness(place) == "frames":
        return frame[1:5]
    pager = linker.pager(place) if place.kind in (INDEX, LINKS) else []
    found = dict.fromkeys([*frame, *linker.own(place), *pager, *linker.partners(place.site)])
    return [target for target in found if target != page]


def tail_exponent(values: list[int], least: int) -> float:
    """Maximum likelihood exponent of a discrete power law above `least` (Clauset, Shalizi, Newman 2009, eq. 3.7)."""
    tail = np.array([value for value in values if value >= least], dtype=float)
    return float(1 + len(tail) / np.log(tail / (least - 0.5)).sum())

"""Scores of links that somebody else than the ordering has chosen: a spider, or an earlier visit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import orjson

from focused.discovery import Asked, Source
from focused.page import Link, Page
from focused.urls import key_of
from focused.visit import Visit
from models.model import Floats


def as_it_was(old: Floats, new: Floats) -> Floats:
    """A link that a page has had before gains nothing by a second look at the page."""
    return old


def links_of(visit: Visit, page: Page, more: Sequence[Link]) -> tuple[Sequence[Link], Floats]:
    """What the spider keeps of a page's links, and what the ordering adds; a score that is no number: not followed."""
    links, scores = page.links, page.scores
    if visit.links is not None:
        links, scores = visit.links, scores_of(visit, page)
    refused = [i for i, link in enumerate(links) if link.nofollow]
    if refused:
        scores[refused] = np.nan
    if more:
        links, scores = [*links, *more], np.append(scores, [link.score for link in more])
    return links, scores


def scores_of(visit: Visit, page: Page) -> Floats:
    """Scores of the links a spider kept; those it added are as good as the page."""
    known = dict(zip((link.url for link in page.links), page.scores.tolist(), strict=True))
    return np.array([known.get(link.url, page.relevance) for link in visit.links or []], np.float64)


def redirected(visit: Visit, target: str) -> tuple[Asked, float, Source, str | None]:
    """What a redirect asks for: its target, as good as the link that led to it and one hop further."""
    trail = orjson.dumps(visit.trail).decode() if visit.trail else None
    stored = orjson.dumps({**visit.request, "url": target}).decode() if visit.request else None
    return Asked(target, key_of(target), stored), visit.score, Source(visit.id, visit.depth, visit.hops + 1), trail


def score_asked(asked: Asked, visit: Visit) -> float:
    """Of a spider's own request: the score of that link on the page, else the page's relevance."""
    page = visit.page
    if page is None:
        return asked.bonus + (visit.score if np.isfinite(visit.score) else 0.0)
    scores = (s for link, s in zip(page.links, page.scores.tolist(), strict=True) if link.url == asked.url and s == s)
    return asked.bonus + next(scores, page.relevance)

"""Why this page, or why not: the path from a seed, the scores on it, and what became of the page."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from focused.errors import SettingError
from focused.evaluate.wording import clean, moment
from focused.store.answers import LinkRow, PageRow, SiteRow
from focused.store.queries import Reading
from focused.store.rows import AGAIN, DONE, GIVEN_UP, LEASED
from focused.urls import canonical, key_of, site_of

Terms = Callable[[PageRow, PageRow], Mapping[str, float]]  # (page, page it links to) → the parts of the link's score

_NO_LINK = "no fetched page has a link that the ordering would follow"


@dataclass(slots=True, frozen=True)
class Step:
    """A page on the path, and the link that led to it; a seed has none."""

    page: PageRow
    link: LinkRow | None
    terms: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Explanation:
    url: str
    verdict: str
    path: list[Step] = field(default_factory=list)
    links: list[LinkRow] = field(default_factory=list)  # from other pages, the best first
    nearest: list[str] = field(default_factory=list)  # known URLs of the same site, if this one is not


def explain(reading: Reading, url: str, terms: Terms | None = None) -> Explanation:
    wanted = canonical(url)
    if wanted is None:
        raise SettingError(f"'{clean(url)}' is not an http(s) URL: write it as https://host/path.")
    site = reading.site(site_of(wanted))
    page = reading.find(key_of(wanted))
    if page is None or site is None:
        return _unknown(reading, wanted, site)
    path = _path(reading, page, terms)
    others = [link for link in reading.links_to(page.id, limit=11) if link.page_id != page.parent_id]
    return Explanation(wanted, verdict(reading, page, site), path, others[:10])


def _path(reading: Reading, page: PageRow, terms: Terms | None) -> list[Step]:
    pages = reading.path_to(page.id)
    steps = [Step(pages[0], None)]
    for parent, child in pairwise(pages):
        parts = terms(parent, child) if terms else {}
        steps.append(Step(child, reading.link(parent.id, child.id), parts))
    return steps


def _unknown(reading: Reading, url: str, site: SiteRow | None) -> Explanation:
    if site is None:
        return Explanation(url, f"never discovered: {_NO_LINK} to {site_of(url)}")
    near = heapq.nlargest(5, reading.urls_of(site), key=lambda known: _shared(known, url))
    closed = f"; the site was closed: {site.why}" if site.state == "closed" else ""
    return Explanation(url, f"never discovered: {_NO_LINK} to it{closed}", nearest=near)


def _shared(one: str, other: str) -> int:
    """Length of the common beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def verdict(reading: Reading, page: PageRow, site: SiteRow) -> str:
    """What became of a known page, in one sentence."""
    if page.state in (DONE, AGAIN):
        return _had(page)
    if page.state == GIVEN_UP:
        return _given_up(page)
    if page.state == LEASED:
        return "being fetched, or it was when the crawl was killed: the next run takes it up again"
    if site.state == "closed":
        return f"not fetched, its site was closed: {site.why}"
    again = f"; tried {page.tries} times, last outcome {page.outcome}" if page.tries else ""
    later = f", not before {moment(page.not_before)}" if page.not_before else ""
    return f"waiting: {reading.waiting_before(page):,} better links go first{later}{again}"


def _had(page: PageRow) -> str:
    if page.visit is None:
        return f"answered on {moment(page.fetched_at)} with status {page.status}, without a page: {page.outcome}"
    judged = "could not be judged" if page.relevance is None else f"relevance {page.relevance:.3f}"
    kind = "relevant" if page.relevant else "not relevant"
    return f"fetched as page {page.visit:,} on {moment(page.fetched_at)}, status {page.status}: {judged}, {kind}"


_REFUSED = {
    "robots": "robots.txt of {host} does not allow it",
    "robots_unreachable": "robots.txt of {host} could not be had (no such host, no answer, or an error of the server), "
    "and without it nothing there is asked for",
    "crawl_delay": "robots.txt of {host} asks for more time between two pages than a crawl waits",
    "egress": "{host} has no public address; FOCUSED_ALLOW_ADDRESSES names others that may be asked",
}


def _given_up(page: PageRow) -> str:
    if page.outcome in _REFUSED:
        return f"refused: {_REFUSED[page.outcome].format(host=page.host)}"
    return f"given up after {'1 try' if page.tries == 1 else f'{page.tries} tries'}, last outcome {page.outcome}"


def lines(explanation: Explanation) -> Iterable[str]:
    """For the terminal."""
    yield clean(explanation.url, 2000)
    yield f"  {clean(explanation.verdict, 500)}"
    for name, part in (
        ("Path from a seed, each page gave the next its score", _path_lines),
        ("Linked from", _link_lines),
        ("Nearest known", _near_lines),
    ):
        if found := list(part(explanation)):
            yield from ("", f"{name}:", *found)


def _path_lines(explanation: Explanation) -> Iterable[str]:
    for at, step in enumerate(explanation.path):
        page = step.page
        relevance = f", relevance {page.relevance:.3f}" if page.relevance is not None else ""
        origin = "seed" if at == 0 and page.depth == 0 else f"score {_number(page.score)}"
        yield f"  {at}. {clean(page.url, 2000)}"
        yield f"     depth {page.depth}, {origin}{relevance}, {page.outcome or 'not fetched'}"
        if page.hops and step.link is not None:
            yield "     by redirect"
        elif step.link is not None:
            yield f'     by the link "{clean(step.link.anchor)}" at {clean(step.link.dom_path, 500)}'
        for name, value in step.terms.items():
            yield f"       {clean(name):<24} {value:.4f}"


def _link_lines(explanation: Explanation) -> Iterable[str]:
    for link in explanation.links:
        yield f'  {_number(link.score):>8}  {clean(link.url, 2000)}  "{clean(link.anchor, 80)}"'


def _near_lines(explanation: Explanation) -> Iterable[str]:
    yield from (f"  {clean(url, 2000)}" for url in explanation.nearest)


def _number(score: float | None) -> str:
    return "-" if score is None else f"{score:.4f}" if math.isfinite(score) else "first"

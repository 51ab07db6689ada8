"""What a crawl could reach on a frozen web: every page that a chain of links leads to from the seeds.

Each URL is asked once, by the rules of a crawl: robots.txt, nofollow, canonical URLs, at most so many links a page. A
redirect costs a request but no page: a link to it is a link to the page at its end. The limits that are part of a way
of crawling (depth, pages a site, politeness) do not bind here.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from focused.egress import EgressPolicy
from focused.evaluate.likeness import Terms
from focused.evaluate.webgraph import Graph
from focused.outcomes import MOST_HOPS
from focused.page import PageReader
from focused.robots import Robots
from focused.urls import canonical, homepage_of, site_of
from focused.webs.base import Answer, Web
from models.model import PageModel
from models.text import counted

HTML = ("text/html", "application/xhtml")
MOVED = frozenset((301, 302, 303, 307, 308))
NOTHING = -1  # no page is there
OFTEN = 100  # pages between two words about how far it is

Told = Callable[[int], None]


@dataclass(slots=True, frozen=True)
class Rules:
    """What binds every crawl, however it chooses."""

    agent: str | None = "focused"  # None: robots.txt is not obeyed
    allow: tuple[str, ...] = ()  # addresses that are not public
    largest: int = 0  # bytes of a page; 0: any number


@dataclass(slots=True, frozen=True)
class Reach:
    """The pages within reach, in order of their distance from the seeds; numbers are places in `urls`."""

    urls: list[str]
    graph: Graph
    seeds: list[int]
    is_whole: bool  # False: there are more, but the limit was reached


class Atlas:
    """A frozen web as far as it has been explored, for any number of seed sets."""

    def __init__(self, web: Web, reader: PageReader, model: PageModel, rules: Rules) -> None:
        self._web, self._reader, self._model, self._rules = web, reader, model, rules
        self._egress = EgressPolicy(rules.allow, None)
        self._robots: dict[str, Robots] = {}
        self._ids: dict[str, int] = {}
        self._urls: list[str] = []
        self._leads: dict[int, int] = {}  # URL asked → itself if it is a page, where it redirects to, or NOTHING
        self._links: dict[int, array[int]] = {}
        self.verdicts: dict[str, bool] = {}  # of the model that steers, by URL
        self.terms: dict[str, Terms] = {}

    def reach(self, seeds: Iterable[str], limit: int, told: Told = lambda _: None, also: Collection[str] = ()) -> Reach:
        """`limit`: pages, the nearest; beyond them only those among `also`. `told` hears how many were found so far."""
        first = [self._id(url) for url in map(canonical, seeds) if url is not None]
        wanted = set(map(self._id, also))
        places: dict[int, int] = {}
        waiting, seen, is_whole = deque(first), set(first), True
        while waiting:
            link = waiting.popleft()
            if len(places) >= limit and link not in wanted:
                is_whole = False
                continue
            page = self._page_at(link)
            if page == NOTHING or page in places:
                continue
            places[page] = len(places)
            fresh = [link for link in self._links[page] if link not in seen]
            seen.update(fresh)
            waiting.extend(fresh)
            if len(places) % OFTEN == 0:
                told(len(places))
        urls = [self._urls[page] for page in places]
        begin = dict.fromkeys(places[page] for page in map(self._known_page, first) if page in places)
        return Reach(urls, self._graph(places), list(begin), is_whole)

    def _graph(self, places: dict[int, int]) -> Graph:
        return Graph.of([self._targets(page, places) for page in places])

    def _targets(self, page: int, places: dict[int, int]) -> list[int]:
        found = dict.fromkeys(places.get(self._known_page(link), NOTHING) for link in self._links[page])
        return [place for place in found if place not in (NOTHING, places[page])]

    # --- what is at a URL ---------------------------------------------------------------------------------

    def _id(self, url: str) -> int:
        known = self._ids.setdefault(url, len(self._urls))
        if known == len(self._urls):
            self._urls.append(url)
        return known

    def _page_at(self, url_id: int) -> int:
        """The page a link leads to, over redirects."""
        for _ in range(1 + MOST_HOPS):
            if url_id not in self._leads:
                self._leads[url_id] = self._ask(self._urls[url_id])
            leads = self._leads[url_id]
            if leads in (url_id, NOTHING):
                return leads
            url_id = leads
        return NOTHING

    def _known_page(self, url_id: int) -> int:
        """The same of what has been asked already; the rest leads nowhere."""
        for _ in range(1 + MOST_HOPS):
            leads = self._leads.get(url_id, NOTHING)
            if leads in (url_id, NOTHING):
                return leads
            url_id = leads
        return NOTHING

    def _ask(self, url: str) -> int:
        if not self._may_ask(url):
            return NOTHING
        answer = self._web.fetch(url)
        if answer.status in MOVED:
            target = canonical(_header(answer, "location"), url)
            return NOTHING if target is None or target == url else self._id(target)
        kind = _header(answer, "content-type")
        if not 200 <= answer.status < 300 or (kind and not kind.lower().startswith(HTML)):
            return NOTHING
        if 0 < self._rules.largest < len(answer.body):
            return NOTHING
        return self._read(url, answer, kind)

    def _read(self, url: str, answer: Answer, kind: str) -> int:
        robots_tag = _header(answer, "x-robots-tag")
        page = self._reader.read(url, answer.body, kind, answer.status, robots_tag=robots_tag)
        links = [] if page.nofollow else [self._id(link.url) for link in page.links if not link.nofollow]
        page_id = self._id(url)
        self._links[page_id] = array("q", links)
        self.verdicts[url] = self._model.judge(page).relevant
        self.terms[url] = counted(page.judged_terms)
        return page_id

    def _may_ask(self, url: str) -> bool:
        if self._egress.refuses_url(url) is not None:
            return False
        if self._rules.agent is None:
            return True
        site = site_of(url)
        if site not in self._robots:
            self._robots[site] = self._robots_of(homepage_of(url), self._rules.agent)
        robots = self._robots[site]
        return not robots.is_unreachable and not robots.is_parked and robots.allows(url)

    def _robots_of(self, homepage: str, agent: str) -> Robots:
        url: str | None = f"{homepage}robots.txt"
        for _ in range(1 + MOST_HOPS):
            if url is None:
                break
            answer = self._web.fetch(url)
            url = canonical(_header(answer, "location"), url) if answer.status in MOVED else None
        return Robots.parse(answer.status, answer.body, agent)


def _header(answer: Answer, name: str) -> str:
    return next((value for key, value in answer.headers.items() if key.lower() == name), "")

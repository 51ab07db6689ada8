"""Website classifier against homepage classifier on the embedded web — Ester 2004, §5.2, Table 2 (W-22, W-23, W-27).

Both learn from sites of one simulated web and judge sites of others. The website classifier learns from the first 25
pages of each site, breadth first, and reads a site page by page until it is sure; the homepage classifier learns from
homepages and looks at nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import mean
from typing import NamedTuple
from urllib.parse import urljoin

import numpy as np

from focused.evaluate.websites import pages_per_site
from focused.examples import Examples
from focused.examples.simulated import SITE_PAGES, example_sites
from focused.page import Page, PageReader
from focused.training.quality import scores
from focused.urls import site_of
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb
from focused.webs.walking import pages_of_site
from models.centroids import Centroids
from models.model import OTHER, RELEVANT
from models.text import Vocabulary
from models.website import Website

TOPICS = ("animals/horses", "science/astronomy", "recreation/sailing", "recreation/cycling", "home/gardening")
SEEDS = range(1, 6)
LEARNED_FROM = 1_000  # the seed of the web both learn from
WEB = "sim:medium,seed={seed}"
MOST_PAGES = 50  # of a site to judge it by (W-16)
P_THRESHOLD = 0.9
PAPERS_P_THRESHOLD = {"recreation/cycling": 0.8}  # Table 2: mountain biking 0.8; horses, astronomy and sailing 0.9
HOPS = 5


class Site(NamedTuple):
    home: str
    is_good: bool


class Judged(NamedTuple):
    is_good: bool
    verdict: bool
    pages: int


class Row(NamedTuple):
    """One topic on one web."""

    topic: str
    seed: int
    p_err: float
    homepage: tuple[float, float, float]  # precision, recall, F
    website: tuple[float, float, float]
    pages_per_site: float
    good_sites: int


class Visitor:
    """Reads pages of one web."""

    def __init__(self, web: SimWeb, reader: PageReader) -> None:
        self.web, self.reader = web, reader

    def page(self, url: str) -> Page | None:
        """The HTML behind a URL; redirects are followed on its own site."""
        for _ in range(HOPS):
            status, headers, body = self.web.fetch(url)
            target = urljoin(url, headers["Location"]) if "Location" in headers else ""
            if status == 200 and headers.get("Content-Type", "").startswith("text/html"):
                return self.reader.read(url, body, headers["Content-Type"])
            if not target or site_of(target) != site_of(url):
                return None
            url = target
        return None

    def first_pages(self, home: str, most: int) -> Iterator[Page]:
        """Breadth first from the homepage (W-05)."""
        return islice(pages_of_site(self.web, home, self.reader), most)


def inside(page: Page) -> list[str]:
    """The links of a page that stay on its site."""
    return [link.url for link in page.links if site_of(link.url) == site_of(page.url)]


def sites_of(web: SimWeb, topic: str) -> list[Site]:
    """A sample of both kinds, in random order; the same for the same web."""
    return [Site(home, main == topic) for home, main in example_sites(web, topic)]


def taught(visitor: Visitor, sites: Sequence[Site], pages: int) -> Centroids:
    """The page classifier, learned from the first pages of each site; 1: from its homepage only."""
    examples = Examples(visitor.reader)
    for site in sites:
        for page in visitor.first_pages(site.home, pages):
            examples.take(page, RELEVANT if site.is_good else OTHER, page.url)
    return Centroids.fit(visitor.reader.vocabulary, examples.pages, lam="fit", p_err="fit")


def by_homepage(visitor: Visitor, model: Centroids, site: Site) -> Judged:
    page = visitor.page(site.home)
    return Judged(site.is_good, page is not None and model.judge(page).relevance > 0.5, 1)


def by_website(visitor: Visitor, model: Centroids, site: Site, p_threshold: float = P_THRESHOLD) -> Judged:
    """Page by page, those first that are linked from pages that speak clearly (W-13), until the site is decided."""
    found = Website.begun(p_err=model.p_err, p_threshold=p_threshold)
    waiting: dict[str, list[float]] = {site.home: []}
    seen, downloads = {site.home}, 0
    while waiting and downloads < MOST_PAGES and not found.decided:
        url = max(waiting, key=lambda known: mean(waiting[known]) if waiting[known] else 1.0)  # ties: discovery
        del waiting[url]
        downloads += 1
        page = visitor.page(url)
        if page is None:
            continue
        relevance = model.judge(page).relevance
        found.add([relevance, 1 - relevance])
        for link in inside(page):
            if link not in seen:
                seen.add(link)
                waiting[link] = []
            if link in waiting:
                waiting[link].append((relevance - 0.5) ** 2)
    return Judged(site.is_good, found.verdict, downloads)


def figures(judged: Sequence[Judged]) -> tuple[float, float, float]:
    return scores(np.array([one.is_good for one in judged]), np.array([one.verdict for one in judged]))


def measured(topic: str, seeds: Sequence[int], web: str = WEB) -> Iterator[Row]:
    """One row a web; the models learn once, from another one."""
    reader = PageReader(Vocabulary())
    school = Visitor(_opened(web, LEARNED_FROM), reader)
    sites = sites_of(school.web, topic)
    of_pages, of_homes = taught(school, sites, SITE_PAGES), taught(school, sites, 1)
    p_threshold = PAPERS_P_THRESHOLD.get(topic, P_THRESHOLD)
    for seed in seeds:
        visitor = Visitor(_opened(web, seed), reader)
        tried = sites_of(visitor.web, topic)
        homes = [by_homepage(visitor, of_homes, site) for site in tried]
        whole = [by_website(visitor, of_pages, site, p_threshold) for site in tried]
        pages = pages_per_site([(one.pages, one.verdict) for one in whole])
        good = sum(site.is_good for site in tried)
        yield Row(topic, seed, of_pages.p_err, figures(homes), figures(whole), pages, good)


def _opened(web: str, seed: int) -> SimWeb:
    found = open_web(web.format(seed=seed))
    assert isinstance(found, SimWeb)
    return found

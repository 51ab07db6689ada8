"""The ruler for whole websites — Ester, Kriegel, Schubert 2004, §3.3 and §5 (W-20..W-24, W-26).

A screened site is (pages fetched from it, whether it is relevant), in the order the sites were finished. A crawl of
pages has no such order; all its sites then make one window.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from focused.urls import homepage_of, site_of
from models.website import P_ERR, Website, judged

Sites = Sequence[tuple[int, bool]]
HARVEST_WINDOW, PPRS_WINDOW = 1000, 5000  # pages (Fig. 6, Fig. 7)


def last_pages(sites: Sites, pages: int) -> Sites:
    """The sites finished last that together cost at most so many pages.

    >>> last_pages([(4, True), (2, False), (6, True), (1, False), (3, False), (5, True)], pages=9)
    [(1, False), (3, False), (5, True)]
    """
    spent, kept = 0, 0
    for count, _ in reversed(sites):
        spent += count
        if spent > pages:
            break
        kept += 1
    return sites[len(sites) - kept :]


def pprs(sites: Sites) -> float:
    """Pages per relevant site (W-20): low is good; infinite without a relevant one.

    >>> sites = [(4, True), (2, False), (6, True), (1, False), (3, False), (5, True)]
    >>> pprs(sites), pprs(last_pages(sites, 9)), pprs(sites[1:2])
    (7.0, 9.0, inf)
    """
    relevant = sum(is_relevant for _, is_relevant in sites)
    return sum(pages for pages, _ in sites) / relevant if relevant else math.inf


def website_harvest(sites: Sites) -> float:
    """Share of the screened sites that are relevant (W-21); 0 for none.

    >>> website_harvest([(4, True), (2, False), (6, True), (1, False), (3, False), (5, True)])
    0.5
    """
    return sum(is_relevant for _, is_relevant in sites) / len(sites) if sites else 0.0


def pages_per_site(sites: Sites) -> float:
    """Mean pages fetched from a site (W-23); 0 for none.

    >>> pages_per_site([(4, True), (2, False), (6, True)])
    4.0
    """
    return sum(pages for pages, _ in sites) / len(sites) if sites else 0.0


def single_page_share(hosts: Iterable[Hashable]) -> float:
    """Share of the sites of which a crawl has one page only (W-24), from the site of each page; 0 for none.

    >>> single_page_share("aabcccde")
    0.6
    """
    counts = Counter(hosts).values()
    return sum(count == 1 for count in counts) / len(counts) if counts else 0.0


class Verdicts(NamedTuple):
    precision: float
    recall: float
    f: float


def f_measure(precision: float, recall: float) -> float:
    """2PR / (P + R) (W-22).

    >>> round(f_measure(0.84, 0.97), 6), f_measure(0.0, 0.0)
    (0.900331, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def verdicts(found: Collection[Hashable], relevant: Collection[Hashable]) -> Verdicts:
    """Precision, recall and F of the sites called relevant, against those that are (W-22).

    >>> verdicts(found={"a", "b", "x"}, relevant={"a", "b", "c", "d"})
    Verdicts(precision=0.6666666666666666, recall=0.5, f=0.5714285714285715)
    """
    right = len(set(found) & set(relevant))
    precision = right / len(set(found)) if found else 0.0
    recall = right / len(set(relevant)) if relevant else 1.0
    return Verdicts(precision, recall, f_measure(precision, recall))


def relevant_sites(pages: Mapping[str, bool]) -> dict[str, bool]:
    """For each site whether at least half of its pages are relevant, from the URLs of pages.

    >>> relevant_sites({"http://a/1": True, "http://a/2": False, "http://b/": False})
    {'a': True, 'b': False}
    """
    counts: Counter[str] = Counter()
    relevant: Counter[str] = Counter()
    for url, is_relevant in pages.items():
        counts[site_of(url)] += 1
        relevant[site_of(url)] += is_relevant
    return {site: 2 * relevant[site] >= count for site, count in counts.items()}


def sites_by_homepage(pages: Mapping[str, bool]) -> set[str]:
    """Of a crawl of pages: the sites whose homepage was fetched and judged relevant (W-26 i).

    >>> sites_by_homepage({"http://a/": True, "http://b/": False, "http://c/deep": True})
    {'a'}
    """
    return {site_of(url) for url, is_relevant in pages.items() if is_relevant and url == homepage_of(url)}


def sites_by_pages(pages: Mapping[str, float], p_err: float = P_ERR) -> dict[str, Website]:
    """Of a crawl of pages: each site judged by those of its pages that happened to be fetched (W-26 ii).

    `pages`: the confidence of each. The prior is even.

    >>> {site: found.verdict for site, found in sites_by_pages({"http://a/1": 0.9, "http://a/2": 0.6}).items()}
    {'a': True}
    """
    sites: dict[str, list[tuple[float, float]]] = {}
    for url, confidence in pages.items():
        sites.setdefault(site_of(url), []).append((confidence, 1 - confidence))
    return {site: judged(told, Website.begun(p_err=p_err)) for site, told in sites.items()}


def top_sites(pages: Mapping[str, bool], most: int = 100) -> list[str]:
    """The sites with most relevant pages, best first; of equal ones the first met.

    >>> top_sites({"http://a/": False, "http://b/": True, "http://c/1": True, "http://c/2": True})
    ['c', 'b']
    """
    relevant = Counter(site_of(url) for url, is_relevant in pages.items() if is_relevant)
    return [site for site, _ in islice(relevant.most_common(), most)]

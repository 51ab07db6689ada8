"""Numbers of one crawl that claims are about. More is better in all of them."""

from __future__ import annotations

from collections import Counter
from functools import partial

from focused.evaluate.claims.claim import Measure
from focused.evaluate.claims.outcome import Outcome, mean
from focused.evaluate.metrics import area, mean_recall
from focused.evaluate.websites import sites_by_homepage, sites_by_pages, top_sites, verdicts


def harvest_between(begin: float, end: float, name: str) -> Measure:
    """Harvest in a part of the crawl, from one share of its pages to another."""
    return Measure(name, lambda outcome: mean(outcome.part(begin, end)))


def harvest_of_first(pages: int) -> Measure:
    """Harvest as it was after so many pages."""
    return Measure(f"harvest of the first {pages:,} pages", lambda outcome: mean(outcome.found[:pages]))


def over_base_rate(begin: int, end: int) -> Measure:
    """Harvest between two pages as a multiple of what pages drawn blindly from the whole web would have."""
    name = f"harvest of pages {begin} to {end} / base rate of the topic on that web"
    return Measure(name, lambda outcome: mean(outcome.found[begin:end]) / outcome.base_rate)


HARVEST = harvest_between(0.0, 1.0, "harvest")
AREA = Measure("area under the harvest curve", lambda outcome: area(outcome.found))
SIMILARITY = Measure("average similarity", lambda outcome: mean(outcome.likeness))
RELEVANT = Measure("relevant pages", lambda outcome: float(sum(outcome.found)))
ORDERING_SHARE = Measure("share of the processor's time for the ordering", lambda outcome: outcome.run.ordering_share)
RENDERING_SHARE = Measure("share of the time in the browser", lambda outcome: outcome.run.rendering_share)
PAGES = Measure("pages had", lambda outcome: float(len(outcome.found)))


def share_of_relevance(least: float, below: float, name: str) -> Measure:
    """Share of the pages whose relevance, as the model says, is in this range."""
    return Measure(name, lambda outcome: mean([least <= value < below for value in outcome.run.relevance]))


# --- websites ----------------------------------------------------------------------------------------------


def called_sites(outcome: Outcome) -> set[str]:
    """Sites that the crawl calls relevant; where it judged no site, by its pages that happened to be fetched (W-26)."""
    run = outcome.run
    if run.judges_sites:
        return {site for site, is_relevant in run.verdicts.items() if is_relevant}
    pages = dict(zip(run.urls, run.relevance, strict=True))
    return {site for site, found in sites_by_pages(pages).items() if found.verdict}


def right_sites(outcome: Outcome) -> list[str]:
    """Sites that the crawl calls relevant and that are."""
    called = called_sites(outcome)
    return [site for site in outcome.websites if site in called]


def _per_hundred(outcome: Outcome) -> float:
    return 100 * len(right_sites(outcome)) / len(outcome.found)


def _website_harvest(outcome: Outcome) -> float:
    return len(right_sites(outcome)) / len(set(outcome.sites))


def _f(outcome: Outcome) -> float:
    """Of the sites that were screened."""
    return verdicts(called_sites(outcome), outcome.websites).f


def _homepage_f(outcome: Outcome) -> float:
    """Of the same sites, judged by their homepages alone (W-27); a homepage that was not had says no."""
    called = sites_by_homepage(dict(zip(outcome.run.urls, outcome.run.judged, strict=True)))
    return verdicts(called, outcome.websites).f


def _single_pages(outcome: Outcome) -> float:
    """Of the relevant sites found, those of which one page was had (W-24)."""
    counts = Counter(outcome.sites)
    return mean([counts[site] == 1 for site in right_sites(outcome)])


def _late_sites(outcome: Outcome) -> float:
    """Relevant sites first met in the last quarter, as a share of what a quarter brings on average."""
    first = dict(reversed(list(zip(outcome.sites, range(len(outcome.sites)), strict=True))))
    late = [site for site in outcome.websites if first[site] >= 0.75 * len(outcome.sites)]
    return 4 * len(late) / len(outcome.websites) if outcome.websites else 0.0


SITES_PER_HUNDRED = Measure("relevant sites found per 100 pages", _per_hundred)
WEBSITE_HARVEST = Measure("website harvest", _website_harvest)
F = Measure("F of the verdicts", _f)
HOMEPAGE_F = Measure("F by homepages alone", _homepage_f)
PAGES_PER_SITE = Measure("pages per site", lambda outcome: len(outcome.found) / len(set(outcome.sites)))
SINGLE_PAGES = Measure("share of relevant sites known by one page", _single_pages)
LATE_SITES = Measure("relevant sites of the last quarter / of a mean quarter", _late_sites)


# --- far away ----------------------------------------------------------------------------------------------


def _far_sites(outcome: Outcome, links: int) -> float:
    """Share of the hundred best sites whose nearest page is so many links or more from the seeds (F-28)."""
    best = top_sites(dict(zip(outcome.run.urls, outcome.found, strict=True)), 100)
    nearest: dict[str, int] = {}
    for site, depth in zip(outcome.sites, outcome.run.depths, strict=True):
        nearest[site] = min(depth, nearest.get(site, depth))
    return mean([nearest[site] >= links for site in best])


def far_sites(links: int) -> Measure:
    return Measure(
        f"share of the 100 best sites {links} or more links from the seeds", partial(_far_sites, links=links)
    )


# --- catalogues --------------------------------------------------------------------------------------------


def _site_recall(outcome: Outcome, begin: float, end: float) -> float:
    """Mean over the shops of found / existing (X-18); of those between two shares of the list, the largest first."""
    had = Counter(site for site, found in zip(outcome.sites, outcome.found, strict=True) if found)
    shops = sorted(outcome.existing, key=lambda shop: (-outcome.existing[shop], shop))
    some = shops[round(begin * len(shops)) : round(end * len(shops))]
    return mean_recall([had[shop] for shop in some], [outcome.existing[shop] for shop in some])


SITE_RECALL = Measure("mean recall of the sites", partial(_site_recall, begin=0.0, end=1.0))
LARGE_RECALL = Measure("mean recall of the larger half", partial(_site_recall, begin=0.0, end=0.5))
SMALL_RECALL = Measure("mean recall of the smaller half", partial(_site_recall, begin=0.5, end=1.0))

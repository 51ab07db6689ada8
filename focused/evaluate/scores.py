"""The scores of one crawl of a comparison, and what they are over several seeds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from focused.evaluate import websites
from focused.evaluate.metrics import area, area_of_oracle, average_similarity, harvest_rate, recall, similar
from focused.evaluate.oracle import oracle
from focused.evaluate.reach import Reach
from focused.evaluate.robustness import overlap
from focused.evaluate.runs import Run
from focused.urls import site_of

Scores = dict[str, float]


class Stat(NamedTuple):
    """A score over the seeds; None where there is none: the crawl failed, or the number is infinite."""

    mean: float | None
    sd: float | None
    each: list[float | None]

    @classmethod
    def of(cls, values: Sequence[float | None]) -> Stat:
        """
        >>> Stat.of([0.25, None, 0.75])
        Stat(mean=0.5, sd=0.3535533905932738, each=[0.25, None, 0.75])
        >>> Stat.of([7.0, math.inf])
        Stat(mean=None, sd=None, each=[7.0, None])
        """
        known = [value for value in values if value is not None]
        each = [value if value is not None and math.isfinite(value) else None for value in values]
        if not known or not all(map(math.isfinite, known)):
            return cls(None, None, each)
        return cls(fmean(known), stdev(known) if len(known) > 1 else 0.0, each)


@dataclass(slots=True, frozen=True)
class Case:
    """One seed set: what is within its reach, what of that is relevant, what the oracle would fetch."""

    relevant: dict[str, bool]  # of every page within reach
    best: list[str]
    likeness: Mapping[str, float]
    is_whole: bool = True  # False: there is more, but the limit was reached

    @classmethod
    def of(cls, reach: Reach, relevant: Sequence[bool], likeness: Mapping[str, float], pages: int) -> Case:
        order = oracle(reach.graph, reach.seeds, np.asarray(relevant, bool), pages)
        known = dict(zip(reach.urls, relevant, strict=True))
        return cls(known, [reach.urls[page] for page in order], likeness, reach.is_whole)

    @property
    def wanted(self) -> list[str]:
        """The relevant pages within reach."""
        return [url for url, is_relevant in self.relevant.items() if is_relevant]

    @property
    def best_found(self) -> list[bool]:
        """Which of the oracle's pages are relevant."""
        return [self.relevant[url] for url in self.best]


def scores_of(run: Run, found: Sequence[bool], case: Case, pages: int) -> Scores:
    """`found`: which of the run's pages are really relevant."""
    had = [url for url, is_relevant in zip(run.urls, found, strict=True) if is_relevant]
    scores = {
        "area_of_oracle": area_of_oracle(found, case.best_found),
        "harvest": harvest_rate(found),
        "recall": recall(had, case.wanted),
        "area": area(found, pages),
        "pages": float(len(found)),
        "relevant": float(sum(found)),
        **_likeness_scores([case.likeness.get(url, 0.0) for url in run.urls]),
        **_site_scores(run, case),
    }
    if run.cpu_ms_per_page:
        scores |= {"pages_per_second": run.pages_per_second, "cpu_ms_per_page": run.cpu_ms_per_page}
    return scores


def _likeness_scores(likeness: Sequence[float]) -> Scores:
    """What the evaluator of Batsakis 2007, §4.2 says: pages above 0.75, their share, the mean of all (B-27, B-28)."""
    alike = similar(likeness)
    return {
        "similar_pages": float(alike.sum()),
        "similar_harvest": harvest_rate(alike),
        "average_similarity": average_similarity(likeness),
    }


def _site_scores(run: Run, case: Case) -> Scores:
    """A site is relevant if at least half of its pages within reach are."""
    truth = websites.relevant_sites(case.relevant)
    pages, last = Counter(map(site_of, run.urls)), {site_of(url): number for number, url in enumerate(run.urls)}
    sites = [(pages[site], truth.get(site, False)) for site in sorted(last, key=last.__getitem__)]
    scores = {
        "pprs": websites.pprs(sites),
        "website_harvest": websites.website_harvest(sites),
        "pages_per_site": websites.pages_per_site(sites),
        "single_page_share": websites.single_page_share(map(site_of, run.urls)),
    }
    if run.judges_sites:
        scores |= _last_scores(sites)
    return scores | _verdict_scores(run, truth) if run.judged else scores


def _last_scores(sites: websites.Sites) -> Scores:
    """How it stood at the end, over the sites that were finished last (Ester 2004, Fig. 6 and 7; W-20, W-21)."""
    return {
        "pprs_last": websites.pprs(websites.last_pages(sites, websites.PPRS_WINDOW)),
        "website_harvest_last": websites.website_harvest(websites.last_pages(sites, websites.HARVEST_WINDOW)),
    }


def _verdict_scores(run: Run, truth: Mapping[str, bool]) -> Scores:
    """Where a crawl has no verdict of its own, at least half of what it fetched must be relevant to its model."""
    said = run.verdicts or websites.relevant_sites(dict(zip(run.urls, run.judged, strict=True)))
    verdicts = websites.verdicts([site for site in said if said[site]], [site for site in truth if truth[site]])
    return {"precision": verdicts.precision, "recall_sites": verdicts.recall, "f": verdicts.f}


def seed_overlap(run: Run, others: Sequence[Run]) -> float:
    """How much of what it fetched is also fetched from other seeds, at the same number of pages (F-26)."""
    return fmean(overlap(run.urls, other.urls, min(len(run.urls), len(other.urls))) for other in others)

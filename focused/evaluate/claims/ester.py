"""Ester, Kriegel, Schubert 2004, §5: whole websites."""

from __future__ import annotations

from dataclasses import replace

from focused.evaluate.claims.checks import Each, Within, more
from focused.evaluate.claims.claim import Claim, Paper, Setup, Study
from focused.evaluate.claims.measures import (
    HOMEPAGE_F,
    LATE_SITES,
    PAGES_PER_SITE,
    SINGLE_PAGES,
    SITES_PER_HUNDRED,
    WEBSITE_HARVEST,
    F,
)
from focused.evaluate.claims.within_checks import AboveHomepage, AmongBest

# As the paper trains it (§5.2, Table 1): on the first pages of example websites; how sharp confidences are, and how
# often the classifier errs, is measured by cross-validation on them (W-07, W-08).
MODEL = '[model]\nkind = "centroids"\nlam = "fit"\np_err = "fit"'
SETUP = Setup("sim:medium", ("horses", "astronomy", "sailing", "cycling"), 1000, MODEL, examples="sites")
COMBINED, LOCAL, GLOBAL = (Study(SETUP, f"website:edge={edge}") for edge in ("combined", "local", "global"))
# A site is left as soon as it is classified (§5.2), with the confidence that Table 2 has for the topic.
VERDICTS = (
    Study(replace(SETUP, topics=("horses", "astronomy", "sailing")), "website:l_threshold=0"),
    Study(replace(SETUP, topics=("cycling",)), "website:l_threshold=0;p_threshold=0.8"),
)
FAST = Study(SETUP, "website:p_threshold=0.7")
PAGES = Study(SETUP, "page_crawler")

PAPER = Paper(
    "W",
    "Ester, Kriegel, Schubert 2004, a focused website crawler",
    (
        Claim(
            "W1a",
            "§5.2",
            "Reading a few pages of a site judges it better than its homepage alone does, on every topic.",
            [AboveHomepage(verdict, F, HOMEPAGE_F) for verdict in VERDICTS],
        ),
        Claim(
            "W1b",
            "§5.2",
            "It takes three to eight pages a site.",
            [Within(verdict, PAGES_PER_SITE, 3.0, 8.0) for verdict in VERDICTS],
        ),
        Claim(
            "W2",
            "§5.3",
            "Combined edge weights are best or second best on every topic.",
            [AmongBest(COMBINED, (LOCAL, GLOBAL), WEBSITE_HARVEST)],
        ),
        Claim(
            "W3",
            "§5.3",
            "With p = 0.9 fewer pages are needed for a relevant site than by a page crawler, on 3 of 4 topics.",
            [Each(more(COMBINED, PAGES, SITES_PER_HUNDRED), least=3)],
        ),
        Claim(
            "W4",
            "§5.3",
            "With p = 0.7 fewer than by either, on all four topics.",
            [Each(more(FAST, PAGES, SITES_PER_HUNDRED)), Each(more(FAST, COMBINED, SITES_PER_HUNDRED))],
        ),
        Claim(
            "W5",
            "§5.3",
            "About half of the relevant sites that a page crawler finds rest on a single page.",
            [Within(PAGES, SINGLE_PAGES, 0.4, 0.6)],
        ),
        Claim(
            "W6",
            "§5.3",
            "Relevant sites keep coming until the end.",
            [Within(COMBINED, LATE_SITES, 0.5)],
        ),
    ),
    "A site is found if the crawl calls it relevant and at least half of its pages are; the sites of a page crawl are "
    "judged by the pages that happened to be fetched, with the same classifier (§5.1). Pages per relevant site (pprs) "
    "are given the other way round, as relevant sites per 100 pages, which is finite where none was found. Cycling "
    "stands for mountain biking; 1,000 pages a crawl.",
)

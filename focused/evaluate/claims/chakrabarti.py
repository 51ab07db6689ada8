"""Chakrabarti, van den Berg, Dom 1999, §5: soft and hard focus."""

from __future__ import annotations

from dataclasses import replace

from focused.evaluate.claims.chakrabarti_checks import FindsMissed, HigherOverlap, Overlap, SiteOverlap
from focused.evaluate.claims.checks import Each, Within, more
from focused.evaluate.claims.claim import Claim, Paper, Setup, Study
from focused.evaluate.claims.measures import (
    HARVEST,
    PAGES,
    RELEVANT,
    far_sites,
    harvest_between,
    over_base_rate,
    share_of_relevance,
)

TAXONOMY = '[model]\nkind = "taxonomy"\n[taxonomy]\ngood = ["{topic}"]'
BRANCH = '[model]\nkind = "taxonomy"\n[taxonomy]\ngood = ["business/investing", "business/law"]'
# What the search for seeds brought up was looked through by hand (§5.2), so all of them are on the topic.
LENGTH = 3000  # pages
SETUP = Setup("sim:medium", ("cycling", "investing"), LENGTH, TAXONOMY, screened=True)
CYCLING = replace(SETUP, topics=("cycling",))
INVESTING = replace(SETUP, topics=("investing",))
BUSINESS = replace(INVESTING, model=BRANCH)
TWICE = replace(SETUP, pairs=True)
TWICE_CYCLING = replace(CYCLING, pairs=True)

SOFT, HARD, UNFOCUSED = (Study(SETUP, name) for name in ("soft_focus", "hard_focus", "unfocused"))
PLAIN = Study(SETUP, "soft_focus:distil=false")  # promotes nothing
EARLY = harvest_between(0.0, 0.1, "harvest of the first tenth")
SURE = share_of_relevance(0.9, 1.01, "share of pages with R ≥ 0.9")

PAPER = Paper(
    "F",
    "Chakrabarti, van den Berg, Dom 1999, focused crawling",
    (
        Claim(
            "F1",
            "§5.2",
            "An unfocused crawl from the same seeds loses the topic within about a hundred fetches.",
            # What is left of the topic then is what a page drawn blindly has of it; twice that is still next to none.
            [
                Within(UNFOCUSED, harvest_between(0.1, 1.0, "harvest after the first tenth"), most=0.1),
                Each(Within(UNFOCUSED, over_base_rate(100, 400), most=2.0)),
            ],
        ),
        Claim(
            "F2a",
            "§5.2",
            "Soft and hard focus keep a third to a half of what they fetch on the topic, over thousands of pages, on "
            "a co-operative topic (cycling) and on a competitive one (investing).",
            [Each(Within(SOFT, HARVEST, 0.33)), Each(Within(HARD, HARVEST, 0.33))],
        ),
        Claim("F2b", "§5.2", "Neither runs out of links.", [Within(SOFT, PAGES, LENGTH), Within(HARD, PAGES, LENGTH)]),
        Claim(
            "F2c",
            "§5.2",
            "On cycling soft focus is slightly better.",
            [more(Study(CYCLING, "soft_focus"), Study(CYCLING, "hard_focus"), HARVEST)],
        ),
        Claim("F2d", "§5.2", "Hard focus is slow to warm up.", [more(SOFT, HARD, EARLY)]),
        Claim(
            "F3",
            "§5.2",
            "Most pages of a focused crawl are judged surely relevant, few of an unfocused one.",
            [Within(SOFT, SURE, 0.33), more(SOFT, UNFOCUSED, SURE), Within(UNFOCUSED, SURE, most=0.1)],
        ),
        Claim(
            "F4a",
            "§5.3",
            "Crawls from disjoint seeds come to fetch ever more of the same pages and of the same sites: over 60 % of "
            "the pages on either topic.",
            [Each(Overlap(Study(TWICE, "soft_focus"), least=0.6))],
        ),
        Claim(
            "F4b",
            "§5.3",
            "They meet more on a co-operative topic (cycling) than on a competitive one (investing).",
            [HigherOverlap(Study(TWICE, "soft_focus"), "cycling", "investing")],
        ),
        Claim(
            "F4c",
            "§5.3",
            "On the co-operative topic (cycling) they come to share 90 % of their pages.",
            [Overlap(Study(TWICE_CYCLING, "soft_focus"), least=0.9)],
        ),
        Claim(
            "F5",
            "§5.4",
            "They agree on the best sites better than on pages.",
            [SiteOverlap(Study(TWICE, "soft_focus"))],
        ),
        Claim(
            "F6a",
            "§5.5",
            "Some of the best sites are far from the seeds, five links and more.",
            [Within(SOFT, far_sites(5), 0.01)],
        ),
        Claim(
            "F6b",
            "§5.5",
            "Many of the best sites are ten links and more from the seeds.",
            [Within(SOFT, far_sites(10), 0.1)],
        ),
        Claim("F7a", "§5.6", "Nearly half of the effort is useful.", [Within(SOFT, HARVEST, 0.4)]),
        Claim(
            "F7b",
            "§5.6",
            "Two hours on a desktop find more than 3,000 relevant sites.",
            missing="the live Web: a simulated one has no network to wait for",
        ),
        Claim(
            "F8a",
            "§5.7",
            "Following what the best hubs point to finds relevant pages that would have been ignored.",
            # The paper's query takes all that the best hubs link to and was not tried, and counts what came of it.
            [FindsMissed(Study(SETUP, "soft_focus:poor=1"), PLAIN)],
        ),
        Claim(
            "F8b",
            "§5.7",
            "So it does where only what waits with a poor estimate is promoted: soft focus as it comes.",
            # Until the first promotion both are the same crawl: what only one has came of the promotions.
            [FindsMissed(SOFT, PLAIN)],
        ),
        Claim(
            "F9",
            "§5.1",
            "A topic whose pages do not link to each other is crawled better with the topic beside it.",
            [more(Study(BUSINESS, "hard_focus"), Study(INVESTING, "hard_focus"), RELEVANT)],
        ),
    ),
    "3,000 pages a crawl, of a web of 100,000. Harvest is by the web's own truth, not by the classifier's R. A crawl "
    "begins with five pages, not with a few dozen: these would be half of the sites that such a web has on the topic. "
    "The two crawls of a pair have 30 % each of a list of twenty (of thirteen where a web has no more to offer).",
)

"""Tsoi et al. 2003, §4: depth d and relatedness r."""

from __future__ import annotations

from focused.evaluate.claims.checks import more
from focused.evaluate.claims.claim import Claim, Paper, Setup, Study
from focused.evaluate.claims.measures import harvest_between

FAR = ("gardening", "horses", "investing", "sailing")
SETUP = Setup("sim:medium", ("cycling", "astronomy", *FAR), 1000, '[model]\nkind = "naive_bayes"', FAR)
PLAIN, WIDE, WIDER, DEEP, DEEPER = (
    Study(SETUP, f"tunnel:d={d};r={r}") for d, r in ((1, 1), (1, 2), (1, 3), (2, 1), (3, 1))
)
EARLY = harvest_between(0.0, 0.1, "precision after a tenth of the crawl")
LATE = harvest_between(0.0, 1.0, "precision at the end")

PAPER = Paper(
    "S",
    "Tsoi et al. 2003, a simple focused crawler",
    (
        Claim(
            "S1",
            "§4",
            "Early in the crawl d = 1 and r = 1 find most.",
            [more(PLAIN, other, EARLY) for other in (WIDE, WIDER, DEEP, DEEPER)],
        ),
        Claim("S2a", "§4", "Later r = 2 is better.", [more(WIDE, PLAIN, LATE)]),
        Claim("S2b", "§4", "Later d = 2 is better.", [more(DEEP, PLAIN, LATE)]),
        Claim(
            "S3",
            "§4",
            "The larger d or r, the more pages that are not relevant come in.",
            [more(WIDE, WIDER, LATE), more(DEEP, DEEPER, LATE)],
        ),
        Claim(
            "S4",
            "§5",
            "Nothing has to be trained besides the scorer.",
            given="by construction: the ordering learns nothing, it has d and r",
        ),
    ),
    "Six topics instead of one, four of which begin two or three links away from the nearest page on them; 1,000 pages "
    "of a web of 100,000 instead of WT10g.",
)

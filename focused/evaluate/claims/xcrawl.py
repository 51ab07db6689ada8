"""Shchekotykhin, Jannach, Friedrich, §3.1: all instances on the sites that have them."""

from __future__ import annotations

from focused.evaluate.claims.checks import Each, Within, alike, more, more_by, not_more
from focused.evaluate.claims.claim import Claim, Paper, Setup, Study
from focused.evaluate.claims.measures import (
    HARVEST,
    LARGE_RECALL,
    ORDERING_SHARE,
    RENDERING_SHARE,
    SITE_RECALL,
    SMALL_RECALL,
    harvest_of_first,
)
from focused.evaluate.claims.within_checks import AtSameCost, GainGrows

SETUP = Setup("sim:catalogue", ("cameras", "notebooks"), 8000, "", starts=12)
XCRAWL, APPRENTICE = Study(SETUP, "xcrawl"), Study(SETUP, "apprentice")
# "The number of iterations was first set to a relatively high value", and the restart was varied with that.
LONG = Study(SETUP, "xcrawl:max_iterations=200")
RESTARTS = [Study(SETUP, f"xcrawl:max_iterations=200;restart={restart}") for restart in ("0.05", "0.1", "0.2", "0.3")]
# It does not say what ended these crawls: also at the same cost, with fewer pages than there are things to find.
EARLY = harvest_of_first(2000)
BROWSER = ("FOCUSED_RENDER=always", "FOCUSED_PROBE=1")
SHOWN = Study(Setup("sim:catalogue", ("cameras",), 40, "", starts=12, settings=BROWSER), "xcrawl")

PAPER = Paper(
    "X",
    "Shchekotykhin, Jannach, Friedrich, xCrawl",
    (
        Claim(
            "X1a",
            "§3.1, Table 2",
            "xCrawl finds a larger part of what the sites have than an apprentice, in every domain.",
            [AtSameCost(Each(more(XCRAWL, APPRENTICE, SITE_RECALL)))],
        ),
        Claim(
            "X1b",
            "§3.1",
            "It gains most on large sites, which have a number of different sections.",
            [AtSameCost(GainGrows(XCRAWL, APPRENTICE, LARGE_RECALL, SMALL_RECALL))],
        ),
        Claim(
            "X1c",
            "§3.1, Table 2",
            "It finds nine of ten (0.89 to 0.95 by domain), and on large sites at least 0.3 more than the apprentice.",
            [
                Within(XCRAWL, SITE_RECALL, least=0.9),
                AtSameCost(more_by(0.3, XCRAWL, APPRENTICE, LARGE_RECALL)),
            ],
        ),
        Claim(
            "X2",
            "§3.1",
            "Among restarts of 0.05 to 0.3 none harvests more than 0.15.",
            [not_more(other, LONG, measure) for measure in (HARVEST, EARLY) for other in RESTARTS],
        ),
        Claim("X3", "§3.1", "After 50 iterations more bring nothing.", [alike(LONG, XCRAWL, HARVEST)]),
        Claim(
            "X4a",
            "§3.1",
            "Hubs and the graph take a small part of the time.",
            [Within(XCRAWL, ORDERING_SHARE, most=0.15)],
        ),
        Claim(
            "X4b",
            "§3.1",
            "Rendering takes about half.",
            [Within(SHOWN, RENDERING_SHARE, least=0.35, most=0.65)],
        ),
    ),
    "Two domains of six shops each, simulated, instead of four of the Web; shops of more than 200 things have six "
    "sections, the others three. Both crawls begin with two pages a shop, where the paper's baseline was given the "
    "sites. xCrawl goes on until it ends; the apprentice is given as many pages, not as many hours.",
)

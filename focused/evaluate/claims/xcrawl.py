"""Shchekotykhin, Jannach, Friedrich, §3.1: all instances on the sites that have them."""

from __future__ import annotations

from focused.evaluate.claims.checks import Each, Within, alike, more, not_more
from focused.evaluate.claims.claim import Claim, Paper, Setup, Study
from focused.evaluate.claims.measures import HARVEST, LARGE_RECALL, ORDERING_SHARE, SITE_RECALL, SMALL_RECALL
from focused.evaluate.claims.within_checks import AtSameCost, GainGrows

SETUP = Setup("sim:catalogue", ("cameras", "notebooks"), 8000, "", starts=12)
XCRAWL, APPRENTICE = Study(SETUP, "xcrawl"), Study(SETUP, "apprentice")
RESTARTS = [Study(SETUP, f"xcrawl:restart={restart}") for restart in ("0.05", "0.1", "0.3")]
LONG = Study(SETUP, "xcrawl:max_iterations=200")

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
            "It gains most on large sites.",
            [AtSameCost(GainGrows(XCRAWL, APPRENTICE, LARGE_RECALL, SMALL_RECALL))],
        ),
        Claim(
            "X2",
            "§3.1",
            "Among restarts of 0.05 to 0.3 none harvests more than 0.15.",
            [not_more(other, XCRAWL, HARVEST) for other in RESTARTS],
        ),
        Claim("X3", "§3.1", "After 50 iterations more bring nothing.", [alike(LONG, XCRAWL, HARVEST)]),
        Claim(
            "X4a",
            "§3.1",
            "Hubs and the graph take a small part of the time.",
            [Within(XCRAWL, ORDERING_SHARE, most=0.15)],
        ),
        Claim("X4b", "§3.1", "Rendering takes about half.", missing="times by task, of crawls in a browser"),
    ),
    "Two domains of six shops each, simulated, instead of four of the Web. Both crawls begin with two pages a shop. "
    "xCrawl goes on until it ends; the apprentice is given as many pages, not as many hours.",
)

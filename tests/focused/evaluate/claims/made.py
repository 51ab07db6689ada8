"""Outcomes made by hand, and a claim small enough to be tried in a test."""

from __future__ import annotations

from focused.evaluate.claims.checks import more
from focused.evaluate.claims.claim import Claim, Measure, Paper, Setup, Study
from focused.evaluate.claims.measures import HARVEST
from focused.evaluate.claims.outcome import Outcome
from focused.evaluate.runs import Run

SETUP = Setup("sim:small", ("cycling", "horses"), 10, '[model]\nkind = "similarity"', seeds=3)
ONE, TWO = Study(SETUP, "one"), Study(SETUP, "two:n=2;on=page")
SMALL = Setup("sim:small,pages=1000", ("cycling",), 40, '[model]\nkind = "similarity"', seeds=2, likeness=True)
BEST, BREADTH = Study(SMALL, "best_first"), Study(SMALL, "breadth_first")
NUMBER = Measure("number", lambda outcome: outcome.run.pages_per_second)

PAPER = Paper(
    "T",
    "A paper of our own",
    (
        Claim("T1", "§1", "Best-first finds more than breadth-first.", [more(BEST, BREADTH, HARVEST)]),
        Claim("T2", "§2", "So does magic.", [more(Study(SMALL, "magic"), BREADTH, HARVEST)]),
        Claim("T3", "§3", "Water is wet.", given="by construction"),
        Claim("T4", "§4", "It is quick.", missing="a watch"),
    ),
    "Nothing differs.",
)


def outcome(number: float = 0.0, found: str = "", sites: str = "") -> Outcome:
    """`found` is 1 or 0 a page, `sites` a letter a page."""
    urls = [f"http://{site}/{place}" for place, site in enumerate(sites or "a" * len(found))]
    run = Run(urls, [sign == "1" for sign in found], pages_per_second=number)
    return Outcome(run, [sign == "1" for sign in found])


def results(one: dict[str, list[float]], two: dict[str, list[float]]) -> dict[Study, dict[tuple[str, int], Outcome]]:
    """The numbers of two studies, by topic."""
    return {
        study: {(topic, seed): outcome(number) for topic, each in numbers.items() for seed, number in enumerate(each)}
        for study, numbers in ((ONE, one), (TWO, two))
    }

"""Batsakis 2007, §4: best-first, semantic and learning crawlers."""

from __future__ import annotations

from dataclasses import replace

from focused.evaluate.claims.checks import alike, more, not_more
from focused.evaluate.claims.claim import Claim, Measure, Paper, Setup, Study
from focused.evaluate.claims.measures import HARVEST, SIMILARITY

FAR = ("gardening", "horses", "investing", "sailing")
WORDS = Setup("sim:medium", ("cycling", "astronomy", *FAR), 1000, '[model]\nkind = "similarity"', FAR, likeness=True)
SESSIONS = Setup("sim:medium", FAR, 1000, '[model]\nkind = "similarity"', FAR, likeness=True)

BREADTH = Study(WORDS, "breadth_first")
PAGE, ANCHOR, BOTH = (Study(WORDS, f"best_first:on={on}") for on in ("page", "anchor", "both"))
EHRIG, SSRM, SYNSET = (Study(WORDS, f"semantic:measure={measure}") for measure in ("ehrig", "ssrm", "synset"))
HMM, XMEANS = (Study(SESSIONS, f"hmm:hybrid=none;clusters={clusters}") for clusters in ("kmeans", "xmeans"))
HYBRID, HYBRID_ANCHOR = (Study(SESSIONS, f"hmm:hybrid={hybrid}") for hybrid in ("page", "anchor"))
FEWER_RELEVANT, FEWER_OTHERS = (
    Study(replace(SESSIONS, fewer=fewer), "hmm:hybrid=page") for fewer in ("relevant", "other")
)
MEASURES: tuple[Measure, ...] = (HARVEST, SIMILARITY)

PAPER = Paper(
    "B",
    "Batsakis 2007, best-first, semantic, learning and hybrid crawlers",
    (
        Claim(
            "B1a",
            "§4.4",
            "Page and anchor together find more than the anchor alone, by both measures.",
            [more(BOTH, ANCHOR, measure) for measure in MEASURES],
        ),
        Claim(
            "B1b",
            "§4.4",
            "The anchor finds more than the page, by both measures.",
            [more(ANCHOR, PAGE, measure) for measure in MEASURES],
        ),
        Claim(
            "B1c",
            "§4.4",
            "The page finds more than breadth-first, by both measures.",
            [more(PAGE, BREADTH, measure) for measure in MEASURES],
        ),
        Claim(
            "B2a",
            "§4.5",
            "Similarity of meaning after Ehrig does not beat best-first.",
            [not_more(EHRIG, BOTH, measure) for measure in MEASURES],
        ),
        Claim(
            "B2b",
            "§4.5",
            "Nor does SSRM.",
            [not_more(SSRM, BOTH, measure) for measure in MEASURES],
        ),
        Claim(
            "B2c",
            "§4.5",
            "Expansion by synonyms beats best-first by a little.",
            [more(SYNSET, BOTH, measure) for measure in MEASURES],
        ),
        Claim(
            "B3",
            "§4.6",
            "Hidden states over clusters by k-means or by X-means do equally well.",
            [alike(HMM, XMEANS, measure) for measure in MEASURES],
        ),
        Claim(
            "B4a",
            "§4.6",
            "The hybrid with page and anchor finds more than the hybrid with the page.",
            [more(HYBRID_ANCHOR, HYBRID, measure) for measure in MEASURES],
        ),
        Claim(
            "B4b",
            "§4.6",
            "The hybrid with the page finds more than hidden states alone.",
            [more(HYBRID, HMM, measure) for measure in MEASURES],
        ),
        Claim(
            "B5",
            "§4.6",
            "Relevant pages to learn from matter more than others: a quarter of these does less harm than of those.",
            [more(FEWER_OTHERS, FEWER_RELEVANT, measure) for measure in MEASURES],
        ),
    ),
    "Harvest is by the web's own truth, not by similarity above 0.75 to one of 50 pages. Four of the six topics begin "
    "two or three links away from the nearest page on them, as in the thesis; the learning crawlers run on these four.",
)

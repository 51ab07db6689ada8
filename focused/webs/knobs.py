"""The numbers behind the simulated web, and where each comes from.

Broder: Broder et al. 2000, Graph structure in the Web. Huberman: Huberman and Adamic 1999, Growth dynamics of the
World-Wide Web. Davison: Davison 2000, Topical locality in the Web. Ester, Chakrabarti, Tsoi: papers of this project.
A number without a name is ours. How telling words and anchors are was set once, so that plain best-first stands to
breadth-first about as on real webs (1.4 to 2.5 times its harvest); nothing was fitted to any other ordering.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from focused.errors import WebError

PRESETS = {"small": 10_000, "medium": 100_000, "large": 1_000_000}


class Trait(NamedTuple):
    """How one topic lives on the web."""

    share: float  # of all pages
    locality: float  # of the links from its pages to other sites, so many stay on the topic
    rivals: bool = False  # competitors that do not link to each other: Ester §6, commercial sites; Chakrabarti §1


# Measured on real webs (P(same topic) of a link against the base): astronomy .37/.02, .54/.05; birds .25/.04;
# mathematics .60/.09; games and physics hardly above the base.
TRAITS = {
    "recreation/cycling": Trait(0.045, 0.50),
    "recreation/sailing": Trait(0.035, 0.42),
    "recreation/mountaineering": Trait(0.035, 0.42),
    "recreation/chess": Trait(0.025, 0.60),
    "home/gardening": Trait(0.055, 0.45),
    "home/cooking": Trait(0.070, 0.35),
    "science/astronomy": Trait(0.045, 0.60),
    "science/computing": Trait(0.080, 0.40),
    "science/medicine": Trait(0.080, 0.45),
    "business/investing": Trait(0.060, 0.40, rivals=True),
    "business/law": Trait(0.055, 0.35, rivals=True),
    "animals/horses": Trait(0.040, 0.42),
    "animals/birds": Trait(0.045, 0.30),
    "animals/dogs": Trait(0.050, 0.45),
    "arts/music": Trait(0.080, 0.22),
    "arts/photography": Trait(0.050, 0.25),
    "other/general": Trait(0.150, 0.15),
}


@dataclass(frozen=True, slots=True)
class Knobs:
    pages: int = 10_000
    seed: int = 1

    # --- sites ---
    size_exponent: float = 1.8  # P(site has n pages) ~ n^-1.8; Huberman: 1.6 to 1.9
    size_least: int = 4
    size_most: float = 0.65  # the largest possible site has pages^0.65 pages, so that none is the whole web
    main_sections: float = 0.45  # of a site's further sections are on its main topic
    sibling_sections: float = 0.25  # ... on another leaf of its branch; the others are on anything
    strays: float = 0.08  # pages that are on something else than their section
    hubs: float = 0.60  # sites with a page of links to other sites
    thin_frames: float = 0.12  # homepages that are a frameset; Ester §3.2, Fig. 4: often without text
    thin_words: float = 0.18  # homepages of a few words
    islands: float = 0.12  # small sites that are reached only over 1 to 3 pages on other topics; Tsoi §1

    # --- links ---
    # P(page has k links) ~ k^-2.7 (Broder: 2.72); what is drawn is flatter, because repeats are dropped afterwards.
    out_exponent: float = 2.1
    out_least: int = 6
    out_most: int = 200
    in_exponent: float = 2.1  # P(page has k in-links) ~ k^-2.1; Broder: 2.1
    fame: float = 0.7  # a section is linked to from other sites in proportion to size^0.7, times chance
    inside: float = 0.55  # of a page's own links stay on its site, boilerplate not counted
    own_section: float = 0.60  # of those stay in the section
    sibling_links: float = 0.15  # of the links to other sites go to another leaf of the branch
    hub_locality: float = 0.75  # of a hub's links are on its topic
    to_home: float = 0.55  # of links to other sites go to the homepage; Ester §5: most do
    rival_links: float = 0.2  # what is left of the locality between rivals
    dead: float = 0.04  # links to pages that are gone
    moved: float = 0.02  # links to an old place that redirects
    telling_anchors: float = 0.60  # anchors with the words of the target's title; Davison: anchors resemble the target
    half_anchors: float = 0.15  # anchors with one of them; the others are "more", "click here" ...

    # --- text ---
    words_median: float = 330.0  # length is log-normal
    words_sigma: float = 0.75
    words_least: int = 80
    words_most: int = 1500
    topical: float = 0.12  # mean share of a page's words that come from its topic's vocabulary
    incidental: float = 0.12  # share of words that are the page's own and no topic's
    mixed: float = 0.15  # pages about two topics
    synonyms: float = 0.30  # pages that use the other word for the same thing
    bland_titles: float = 0.12  # titles that say nothing
    documents: float = 0.012  # pages that are PDF


def knobs_of(preset: str, options: dict[str, str]) -> Knobs:
    """The knobs of "sim:<preset>,<option>=<value>..."; any field may be set."""
    if preset not in PRESETS:
        raise WebError(f"simulated web '{preset}' is unknown: choose one of {', '.join(PRESETS)}")
    values: dict[str, int | float] = {"pages": PRESETS[preset]}
    kinds = {field.name: int if field.type == "int" else float for field in fields(Knobs)}
    for name, text in options.items():
        if name not in kinds:
            raise WebError(f"option '{name}' of web 'sim:{preset}' is unknown: choose among {', '.join(kinds)}")
        try:
            values[name] = kinds[name](text)
            if not 0 <= values[name] < float("inf"):
                raise ValueError(text)
        except ValueError:
            raise WebError(f"option '{name}' of web 'sim:{preset}' is '{text}': give a number, 0 or more") from None
    if values["pages"] < 100:
        raise WebError(f"option 'pages' of web 'sim:{preset}' is {values['pages']}: give at least 100")
    return replace(Knobs(), **values)  # type: ignore[arg-type]

"""The numbers behind the simulated web, and where each comes from.

Broder: Broder et al. 2000, Graph structure in the Web. Huberman: Huberman and Adamic 1999, Growth dynamics of the
World-Wide Web. Davison: Davison 2000, Topical locality in the Web. Bharat: Bharat and Broder 1999, Mirror, mirror on
the Web. Bar-Yossef: Bar-Yossef et al. 2004, Sic transit gloria telae. Ntoulas: Ntoulas et al. 2006, Detecting spam web
pages through content analysis. Ester, Chakrabarti, Tsoi, Shchekotykhin: papers of this project. A number without a
name is ours. How telling words and anchors are was set once, so that plain best-first stands to breadth-first about as
on real webs (1.4 to 2.5 times its harvest); nothing was fitted to any other ordering.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from focused.errors import WebError

# What a preset sets; all else is as below. The pages of mirrors, traps and shops come on top of `pages`.
PRESETS: dict[str, dict[str, int | float]] = {
    "small": {"pages": 10_000},
    "medium": {"pages": 100_000},
    "large": {"pages": 1_000_000},
    "catalogue": {"pages": 2_000, "shops": 6},
    "hostile": {
        "pages": 10_000,
        "traps": 0.06,
        "trap_pages": 1_000_000,
        "script_menus": 0.15,
        "script_links": 0.08,
        "stuffed": 0.138,
        "huge": 0.004,
        "broken": 0.25,
        "miscoded": 0.08,
        "chains": 0.02,
        "loops": 0.01,
        "bad_robots": 0.20,
    },
}


class Trait(NamedTuple):
    """How one topic lives on the web."""

    share: float  # of all pages
    locality: float  # of the links from its pages to other sites, so many stay on the topic
    rivals: bool = False  # competitors that do not link to each other: Ester §6, commercial sites; Chakrabarti §1


# Measured on real webs, P(same topic) of a link against the base. All links of Schools Wikipedia: Science .58/.24,
# Astronomy .37/.02, Birds .25/.035. Links across sites of the Debian web: mathematics .60/.09, astronomy .54/.05,
# multimedia .52/.08, but physics .05/.06 and games .01/.04: the two arts here are as hard as these.
TRAITS = {
    "recreation/cycling": Trait(0.045, 0.50),
    "recreation/sailing": Trait(0.035, 0.42),
    "recreation/mountaineering": Trait(0.035, 0.42),
    "recreation/chess": Trait(0.025, 0.60),
    "home/gardening": Trait(0.055, 0.45),
    "home/cooking": Trait(0.070, 0.35),
    "science/astronomy": Trait(0.045, 0.70),
    "science/computing": Trait(0.080, 0.40),
    "science/medicine": Trait(0.080, 0.45),
    "business/investing": Trait(0.060, 0.40, rivals=True),
    "business/law": Trait(0.055, 0.35, rivals=True),
    "animals/horses": Trait(0.040, 0.42),
    "animals/birds": Trait(0.045, 0.30),
    "animals/dogs": Trait(0.050, 0.45),
    "arts/music": Trait(0.080, 0.00),
    "arts/photography": Trait(0.050, 0.00),
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
    out_exponent: float = 1.95
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

    # --- what is in the way on any web ---
    mirrors: float = 0.10  # sites with a copy on another host; Bharat: a tenth of the hosts with more than 100 URLs
    mirror_least: int = 50  # pages of a site that somebody copies
    mirror_links: float = 0.25  # of the links from other sites to a copied one go to the copy
    traps: float = 0.015  # sites that lead into pages without end
    trap_pages: int = 300  # where that end is nevertheless, so that a whole web can be walked
    script_menus: float = 0.06  # sites whose menu is made by a script
    script_links: float = 0.02  # pages on which half of the links are made by a script
    soft_missing: float = 0.25  # sites that answer 200 for a page that is gone; Bar-Yossef: a quarter of dead links

    # --- what is in the way on a hostile one; shares of content pages, of links, of sites ---
    stuffed: float = 0.0  # pages of keywords about nothing; hostile: Ntoulas, 13.8 % of the pages judged
    huge: float = 0.0  # pages of huge_bytes
    huge_bytes: int = 1_500_000  # never 2 MB
    broken: float = 0.0  # pages whose HTML is broken
    miscoded: float = 0.0  # pages that are not in the charset they say
    chains: float = 0.0  # links over 2 to 17 redirects
    loops: float = 0.0  # links into redirects that never end
    bad_robots: float = 0.0  # sites whose robots.txt is a wall, a flood, a lie or a loop

    # --- a catalogue ---
    shops: int = 0  # sites that present cameras, and as many with notebooks; Shchekotykhin §4: six each
    lookalikes: float = 0.80  # size of each section that only looks like it (printers, monitors ...)
    shop_scripts: float = 0.50  # shops whose menu is made by a script; Shchekotykhin §3.2: why xCrawl needs a browser
    per_list: int = 25  # entries on one page of a shop's index


def knobs_of(preset: str, options: dict[str, str]) -> Knobs:
    """The knobs of "sim:<preset>,<option>=<value>..."; any field may be set."""
    if preset not in PRESETS:
        raise WebError(f"simulated web '{preset}' is unknown: choose one of {', '.join(PRESETS)}")
    values = dict(PRESETS[preset])
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
    if values.get("per_list", 1) < 1:
        raise WebError(f"option 'per_list' of web 'sim:{preset}' is {values['per_list']}: give at least 1")
    if values["pages"] < 100:
        raise WebError(f"option 'pages' of web 'sim:{preset}' is {values['pages']}: give at least 100")
    return replace(Knobs(), **values)  # type: ignore[arg-type]

"""How the pages are dealt out: sites of heavy-tailed size, each a run of page numbers, cut into sections on one topic.

Built once from the seed. These tables are all the simulated web keeps: some 20 numbers a site, nothing a page.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from focused.webs.simulated.dice import Stream
from focused.webs.simulated.knobs import TRAITS, Knobs
from focused.webs.simulated.words import Words

Numbers = npt.NDArray[np.int64]
PER_INDEX = 40  # entries on one page of a section's index
BIG = 8  # a site of fewer pages has one section and no page of links


@dataclass(slots=True)
class Sites:
    start: list[int]  # its first page number; one more entry than sites
    topic: list[int]
    links: list[int]  # how many pages of links to other sites
    first: list[int]  # its first section; one more entry than sites


@dataclass(slots=True)
class Sections:
    start: list[int]  # its first page number
    size: list[int]
    topic: list[int]
    site: list[int]
    indices: list[int]  # how many of its pages are its index


def index_pages(size: int) -> int:
    """A section of more than a few pages begins with its index, the last page of which may list one more."""
    return 0 if size < 6 else -(-(size - 1) // (PER_INDEX + 1))


def site_sizes(knobs: Knobs) -> Numbers:
    """Sizes from a power law cut at both ends, until they hold all pages."""
    power = 1.0 - knobs.size_exponent
    low, high = float(knobs.size_least), max(float(knobs.pages) ** knobs.size_most, knobs.size_least + 1.0)
    dice = Stream(knobs.seed, "sizes")
    sizes: Numbers = np.zeros(0, dtype=np.int64)
    while sizes.sum() < knobs.pages:
        more = np.array(dice.units(sizes.size, 1024))
        drawn = (low**power + more * (high**power - low**power)) ** (1.0 / power)
        sizes = np.concatenate([sizes, drawn.astype(np.int64)])
    ends = np.cumsum(sizes)
    sizes = sizes[: int(np.searchsorted(ends, knobs.pages)) + 1]
    sizes[-1] -= sizes.sum() - knobs.pages
    return sizes if sizes[-1] >= knobs.size_least else _joined(sizes)


def _joined(sizes: Numbers) -> Numbers:
    """What is left over goes to the site before it."""
    sizes[-2] += sizes[-1]
    return sizes[:-1]


def site_topics(sizes: Numbers, knobs: Knobs, words: Words) -> list[int]:
    """A topic for each site, largest first, drawn by what each topic still lacks of its share of the pages."""
    lack = np.array([TRAITS[path].share for path in words.topics])
    lack *= sizes.sum() / lack.sum()
    dice = Stream(knobs.seed, "topics")
    topics = [0] * len(sizes)
    for site in np.argsort(-sizes, kind="stable").tolist():
        sums = np.cumsum(np.maximum(lack, 0.0))
        topic = min(int(np.searchsorted(sums, dice.unit(site) * sums[-1], side="right")), len(lack) - 1)
        topics[site] = topic
        lack[topic] -= sizes[site]
    return topics


def front_pages(size: int, links: int) -> int:
    """Pages before the first section: home, then about, contact and the pages of links, where the site has them."""
    return 1 + (size >= BIG) + (size >= 2 * BIG) + links


class Dealer:
    """Cuts sites into sections."""

    def __init__(self, knobs: Knobs, words: Words) -> None:
        self.knobs, self.words = knobs, words
        self.dice = Stream(knobs.seed, "sections")
        self.shares = list(accumulate(TRAITS[path].share for path in words.topics))

    def deal(self) -> tuple[Sites, Sections]:
        sizes = site_sizes(self.knobs)
        topics = site_topics(sizes, self.knobs, self.words)
        sites = Sites([0], topics, [], [0])
        sections = Sections([], [], [], [], [])
        for site, size in enumerate(sizes.tolist()):
            sites.links.append(self._links(site, size, topics[site]))
            self._cut(site, size, sites, sections)
            sites.start.append(sites.start[-1] + size)
            sites.first.append(len(sections.start))
        return sites, sections

    def _links(self, site: int, size: int, topic: int) -> int:
        """How many pages of links a site has; rivals seldom have one."""
        wanted = self.knobs.hubs * (self.knobs.rival_links if TRAITS[self.words.topics[topic]].rivals else 1.0)
        if size < BIG or Stream(self.knobs.seed, "hubs").unit(site) >= wanted:
            return 0
        return 1 + (size > 100) + (size > 400)

    def _cut(self, site: int, size: int, sites: Sites, sections: Sections) -> None:
        begin = sites.start[-1] + front_pages(size, sites.links[-1])
        left = size - front_pages(size, sites.links[-1])
        draws = self.dice.units(site, 25)
        count = 1 if size < 2 * BIG else min(8, 1 + int(np.log2(left / BIG)) + int(draws[0] < 0.5))
        parts = [1.2, *(0.2 + 0.6 * u for u in draws[1:count])]
        for n, part in enumerate(parts):
            taken = left if n == count - 1 else max(1, int(left * part / sum(parts[n:])))
            sections.start.append(begin)
            sections.size.append(taken)
            sections.indices.append(index_pages(taken))
            sections.topic.append(sites.topic[site] if n == 0 else self._topic(sites.topic[site], draws[8 + 2 * n :]))
            sections.site.append(site)
            begin, left = begin + taken, left - taken

    def _topic(self, main: int, draws: list[float]) -> int:
        """What a further section is about: the site's topic, a leaf beside it, or anything."""
        siblings = self.words.siblings(main)
        if draws[0] < self.knobs.main_sections:
            return main
        if draws[0] < self.knobs.main_sections + self.knobs.sibling_sections and siblings:
            return siblings[int(draws[1] * len(siblings))]
        return self.any_topic(draws[1])

    def any_topic(self, draw: float) -> int:
        """A topic by its share of the web."""
        return bisect_right(self.shares, draw * self.shares[-1])

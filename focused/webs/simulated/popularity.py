"""Which page a link goes to, once its topic is known: the famous ones, most of the time.

The rth page of a section is linked to in proportion to r^-b; b = 1 / (a - 1) gives in-degrees a power law with
exponent a.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import exp

from focused.webs.simulated.dice import Stream
from focused.webs.simulated.shape import Shape


class Popularity:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.to_home = shape.knobs.to_home
        self._power = 1.0 - 1.0 / (shape.knobs.in_exponent - 1.0)
        self._sections: list[list[int]] = [[] for _ in shape.words.topics]
        fame = self._fame()
        for section, site in enumerate(shape.sections.site):
            if not shape.is_island(site):
                self._sections[shape.sections.topic[section]].append(section)
        everything = [section for sections in self._sections for section in sections]
        # In a web of a few hundred pages a topic may have no page at all: a link meant for it goes anywhere.
        self._sections = [sections or everything for sections in self._sections]
        self._sums = [list(accumulate(fame[section] for section in sections)) for sections in self._sections]

    def _fame(self) -> list[float]:
        dice = Stream(self.shape.knobs.seed, "fame")
        power = self.shape.knobs.fame
        # The sum of four uniform numbers is near enough to normal: chance makes some sections e times as famous.
        chance = (sum(dice.units(section, 4)) - 2.0 for section in range(len(self.shape.sections.size)))
        return [size**power * exp(1.7 * luck) for size, luck in zip(self.shape.sections.size, chance, strict=True)]

    def section(self, topic: int, draw: float) -> int:
        """A section on this topic, on any site that is not an island."""
        sums = self._sums[topic]
        return self._sections[topic][min(bisect_right(sums, draw * sums[-1]), len(sums) - 1)]

    def page(self, topic: int, draws: tuple[float, float, float]) -> int:
        """A page to link to from another site: the homepage of a site on the topic, or a page of a section."""
        section = self.section(topic, draws[0])
        site = self.shape.sections.site[section]
        if draws[1] < self.to_home and self.shape.sites.topic[site] == topic:
            return self.shape.sites.start[site]
        return self.within(self.shape.content(section), draws[2])

    def within(self, pages: range, draw: float) -> int:
        """One of these pages, the first ones more often."""
        rank = (draw * ((len(pages) + 1) ** self._power - 1.0) + 1.0) ** (1.0 / self._power) - 1.0
        return pages[min(int(rank), len(pages) - 1)]

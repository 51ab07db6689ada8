"""Islands: small sites on a topic that are reached only through one to three pages on other topics (Tsoi et al. §1).

A chain leads from a page on the topic, over pages that have nothing to do with it, to the island's homepage.
"""

from __future__ import annotations

from collections.abc import Iterator

from focused.webs.simulated.dice import Stream
from focused.webs.simulated.popularity import Popularity
from focused.webs.simulated.shape import CONTENT, Shape

LONGEST = 3
TRIES = 20
ISLAND_LINKS = 3  # pages of the island that the end of the chain names besides its homepage


class Tunnels:
    """Extra links of the few pages that are part of a chain."""

    def __init__(self, shape: Shape, popularity: Popularity) -> None:
        self.shape, self.popularity = shape, popularity
        self.extra: dict[int, list[int]] = {}
        self.length: dict[int, int] = {}  # of the chain to each island, in pages off the topic
        self._dice = Stream(shape.knobs.seed, "tunnels")
        for site in range(shape.site_count):
            if shape.is_island(site):
                self._dig(site)

    def _dig(self, site: int) -> None:
        shape = self.shape
        draws = iter(self._dice.units(site, 3 * TRIES * (LONGEST + 1)))
        topic = shape.sites.topic[site]
        chain = [self._page(draws, {topic})]
        others = set(range(len(shape.words.topics))) - {topic, *shape.words.siblings(topic)}
        self.length[site] = 1 + int(next(draws) * LONGEST)
        chain += [self._page(draws, others) for _ in range(self.length[site])]
        for source, target in zip(chain, [*chain[1:], shape.sites.start[site]], strict=True):
            self.extra.setdefault(source, []).append(target)
        section = shape.content(shape.sites.first[site])
        self.extra[chain[-1]] += section[:ISLAND_LINKS]

    def _page(self, draws: Iterator[float], topics: set[int]) -> int:
        """A readable page whose own topic is one of these; after many tries the last one drawn."""
        for _ in range(TRIES):
            topic = sorted(topics)[int(next(draws) * len(topics))]
            page = self.popularity.within(self.shape.content(self.popularity.section(topic, next(draws))), next(draws))
            place = self.shape.place(page)
            if place.kind == CONTENT and place.topic in topics:
                break
        return page

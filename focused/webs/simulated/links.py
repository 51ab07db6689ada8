"""Whom a page links to: its own links by kind of page, and what every page of a site repeats."""

from __future__ import annotations

from focused.webs.simulated.dice import Stream
from focused.webs.simulated.knobs import TRAITS
from focused.webs.simulated.popularity import Popularity
from focused.webs.simulated.shape import ABOUT, CONTACT, CONTENT, HOME, INDEX, LINKS, Place, Shape
from focused.webs.simulated.tunnels import Tunnels

DRAWS = 6  # numbers that decide one link
NAV_SECTIONS = 6
NEAR = 15  # a link to a neighbour stays within so many pages
FEWEST, MOST = 25, 80  # links of a hub


class Linker:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.popularity = Popularity(shape)
        self.tunnels = Tunnels(shape, self.popularity)
        self._dice = Stream(shape.knobs.seed, "links")
        self._partners = Stream(shape.knobs.seed, "partners")
        self._siblings = [shape.words.siblings(topic) for topic in range(len(shape.words.topics))]
        traits = [TRAITS[path] for path in shape.words.topics]
        self._locality = [t.locality * (shape.knobs.rival_links if t.rivals else 1.0) for t in traits]

    def own(self, place: Place) -> list[int]:
        """The links of the page itself, in the order of the page, each target once."""
        if place.kind == CONTENT:
            found = self._content(place)
        elif place.kind == INDEX:
            found = list(self.shape.listed(place.section, place.nth))
        elif place.kind == LINKS:
            found = self._hub(place)
        else:
            found = self._front(place)
        found += self.tunnels.extra.get(place.page, [])
        return [page for page in dict.fromkeys(found) if page != place.page]

    def sections(self, site: int) -> list[int]:
        """The first page of each section of a site: its index where it has one."""
        return [self.shape.sections.start[section] for section in self.shape.sections_of(site)]

    def navigation(self, site: int) -> list[int]:
        """What stands at the head of every page of the site."""
        fronts = (self.shape.front(site, kind) for kind in (LINKS, ABOUT, CONTACT))
        return [self.shape.sites.start[site], *self.sections(site)[:NAV_SECTIONS], *(page for page in fronts if page)]

    def partners(self, site: int) -> list[int]:
        """What stands at the foot of every page: sites on anything that paid or asked for it."""
        draws = self._partners.units(site, 1 + 4 * 4)
        rows = (draws[n : n + 4] for n in range(1, 1 + 4 * int(draws[0] * 5), 4))
        return [self.popularity.page(self.shape.dealer.any_topic(row[0]), (row[1], 0.0, row[2])) for row in rows]

    def pager(self, place: Place) -> list[int]:
        """The other pages of a list that runs over several: before, after, and the first few."""
        if place.kind == LINKS:
            count, first = self.shape.sites.links[place.site], place.page - place.nth
        else:
            count, first = self.shape.sections.indices[place.section], place.page - place.nth
        shown = dict.fromkeys([*range(min(count, 5)), place.nth - 1, place.nth + 1])
        return [first + nth for nth in shown if 0 <= nth < count and nth != place.nth]

    def _content(self, place: Place) -> list[int]:
        knobs = self.shape.knobs
        first = self._dice.unit(place.page)
        count = min(int(knobs.out_least * (1.0 - first) ** (-1.0 / (knobs.out_exponent - 1.0))), knobs.out_most)
        draws = self._dice.units(place.page, DRAWS * count)
        rows = (draws[n : n + DRAWS] for n in range(0, DRAWS * count, DRAWS))
        return [self._inside(place, row) if row[0] < knobs.inside else self._outside(place.topic, row) for row in rows]

    def _inside(self, place: Place, draws: list[float]) -> int:
        """A page of the same site: a neighbour, a famous one of the section, or one of another section."""
        pages = self.shape.content(place.section)
        if draws[1] < self.shape.knobs.own_section / 2:
            return pages[max(0, min(len(pages) - 1, place.nth + int((2 * draws[2] - 1) * NEAR)))]
        if draws[1] >= self.shape.knobs.own_section:
            sections = self.shape.sections_of(place.site)
            pages = self.shape.content(sections[int(draws[2] * len(sections))])
        return self.popularity.within(pages, draws[3])

    def _outside(self, topic: int, draws: list[float], locality: float | None = None) -> int:
        """A page of another site: on the same topic, on one beside it, or on anything."""
        same = self._locality[topic] if locality is None else locality
        siblings = self._siblings[topic]
        if draws[1] < same:
            target = topic
        elif siblings and draws[1] < same + (1.0 - same) * self.shape.knobs.sibling_links:
            target = siblings[int(draws[2] * len(siblings))]
        else:
            target = self.shape.dealer.any_topic(draws[2])
        return self.popularity.page(target, (draws[3], draws[4], draws[5]))

    def _hub(self, place: Place) -> list[int]:
        count = FEWEST + int(self._dice.unit(place.page) * (MOST - FEWEST))
        draws = self._dice.units(place.page, DRAWS * count)
        rows = (draws[n : n + DRAWS] for n in range(0, DRAWS * count, DRAWS))
        return [self._outside(place.topic, row, self.shape.knobs.hub_locality) for row in rows]

    def _front(self, place: Place) -> list[int]:
        """Homepage: the way into each section, a few pages of them, a few of others. About and contact: a few."""
        draws = self._dice.units(place.page, 8 * DRAWS)
        rows = [draws[n : n + DRAWS] for n in range(0, 8 * DRAWS, DRAWS)]
        if place.kind != HOME:
            return [self._outside(place.topic, row) for row in rows[: int(draws[0] * 4)]]
        sections = self.shape.sections_of(place.site)
        found = self.sections(place.site)
        found += [page for section in sections for page in self.shape.content(section)[:3]]
        found += [self.popularity.within(self.shape.content(sections[0]), row[1]) for row in rows[:4]]
        return found + [self._outside(place.topic, row) for row in rows[4 : 4 + int(draws[0] * 5)]]

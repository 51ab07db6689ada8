"""Shops that present things, one a page, and what leads to them (Shchekotykhin et al. §3.1): the map.

Each shop has a section of what it is known for (cameras or notebooks), one of the same makers that is something else
(printers or monitors), accessories, news that lists things as they came, and guides that talk about them. Large shops
have further sections set out like the first: it is there that the paper's baseline gets lost. Indexes are arranged by
maker, as the paper found them. One shop of each domain has a timeline: a page for each year, and on it all other years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from focused.errors import WebError
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.goods import BRANDS, POOL, Goods
from focused.webs.simulated.knobs import Knobs

BRANCH = "catalogue/"
# Things on each of the six sites of a domain: Shchekotykhin, Table 2.
SIZES = {"cameras": (670, 894, 432, 191, 686, 845), "notebooks": (302, 507, 108, 89, 626, 851)}
LOOK_ALIKE = {"cameras": "printers", "notebooks": "monitors"}
# Shchekotykhin, §3.1: large sites have "a number of different subsections". reviews.cnet.com is in three of the four
# tables, with 670, 713 and 554 things: sections of one size. Table 2 has no site between 191 and 302.
LARGE = 200
FURTHER = ("printers", "monitors", "players", "phones")
TIMELINE_SHOP = 5  # of each domain: where Table 2 has dpreview.com, whose timeline §1.1 describes
YEARS = 12
PER_NEWS = 10  # things on a page of news
GUIDES = 12
HOME, LIST, BRAND, THING, NEWS, GUIDE = "home", "list", "brand", "thing", "news", "guide"
TIMELINE = "timeline"


class Shop(NamedTuple):
    number: int
    root: str
    name: str
    domain: str
    sections: dict[str, int]  # kind of things → how many
    is_scripted: bool  # the menu is made by a script
    has_timeline: bool  # of what it is known for
    bits: int


class Spot(NamedTuple):
    """A page of a shop."""

    shop: int
    kind: str
    goods: str = ""
    nth: int = 0  # which page of a list, which thing, which guide
    brand: int = -1


class Catalogue:
    def __init__(self, knobs: Knobs) -> None:
        self.knobs, self.goods = knobs, Goods(knobs.seed)
        self._dice = Stream(knobs.seed, "shops")
        # So many in a hundred of each domain, whichever those are.
        mixed = sorted(range(knobs.shops), key=Stream(knobs.seed, "menuless").at)
        self._scripted = set(mixed[: round(knobs.shop_scripts * knobs.shops)])
        domains = [domain for domain in SIZES for _ in range(knobs.shops)]
        self.shops = [self._shop(number, domain) for number, domain in enumerate(domains)]
        self.hosts = {shop.root.partition("://")[2]: shop.number for shop in self.shops}
        self.of_brand = lru_cache(None)(self._of_brand)
        self.of_year = lru_cache(None)(self._of_year)
        self._arranged = lru_cache(None)(self._by_brand)

    def _shop(self, number: int, domain: str) -> Shop:
        bits, nth = self._dice.at(number), number % self.knobs.shops
        size = SIZES[domain][nth % 6]
        like = [LOOK_ALIKE[domain], *(FURTHER if size > LARGE else ())]
        sections = {domain: size, **dict.fromkeys(like, int(size * self.knobs.lookalikes)), "accessories": size // 4}
        sections = {goods: count for goods, count in sections.items() if count}
        name = f"{BRANDS[(bits >> 8) % len(BRANDS)]}{('Shop', 'Direct', 'World', 'Review')[bits >> 62]}"
        root = f"http://www.{name.lower()}-{number}.example"
        return Shop(number, root, name, domain, sections, nth in self._scripted, nth % 6 == TIMELINE_SHOP, bits)

    def product(self, shop: int, goods: str, nth: int) -> int:
        """Which thing stands in the nth place of a section; shops share many."""
        bits = self.shops[shop].bits
        return ((bits >> 20) % POOL + nth * (7, 11, 13, 17, 19, 23, 29, 31)[bits & 7]) % POOL

    def _of_brand(self, shop: int, goods: str, brand: int) -> list[int]:
        """Places of a section that hold things of a brand."""
        count = self.shops[shop].sections[goods]
        return [nth for nth in range(count) if self.goods.brand(goods, self.product(shop, goods, nth)) == brand]

    def _by_brand(self, shop: int, goods: str) -> dict[int, int]:
        """All places of a section, maker by maker: that is how an index is arranged; and where in it each stands."""
        ordered = (nth for brand in range(len(BRANDS)) for nth in self.of_brand(shop, goods, brand))
        return {nth: rank for rank, nth in enumerate(ordered)}

    def _of_year(self, shop: int, year: int) -> list[int]:
        """Places of what the shop is known for that hold things announced in a year."""
        count = self.shops[shop].sections[self.shops[shop].domain]
        return [nth for nth in range(count) if self._year(shop, nth) == year]

    def _year(self, shop: int, nth: int) -> int:
        return self.product(shop, self.shops[shop].domain, nth) * YEARS // POOL  # models are numbered as they come

    def index_of(self, thing: Spot) -> Spot:
        """The page that lists a thing, and to which it leads back."""
        shop = self.shops[thing.shop]
        if shop.has_timeline and thing.goods == shop.domain:
            return Spot(thing.shop, TIMELINE, nth=self._year(thing.shop, thing.nth))
        rank = self._arranged(thing.shop, thing.goods)[thing.nth]
        return Spot(thing.shop, LIST, thing.goods, rank // self.knobs.per_list)

    def entries(self, spot: Spot) -> list[Spot]:
        """The things on a page of a list, of the timeline or of the news."""
        if spot.kind == NEWS:
            return self._arrivals(spot.shop, range(spot.nth * PER_NEWS, (spot.nth + 1) * PER_NEWS))
        if spot.kind == TIMELINE:
            goods = self.shops[spot.shop].domain
            return [Spot(spot.shop, THING, goods, nth) for nth in self.of_year(spot.shop, spot.nth)]
        is_of_brand = spot.kind == BRAND
        section = spot.shop, spot.goods
        places = self.of_brand(*section, spot.brand) if is_of_brand else list(self._arranged(*section))
        start = spot.nth * self.knobs.per_list
        return [Spot(spot.shop, THING, spot.goods, nth) for nth in places[start : start + self.knobs.per_list]]

    def _arrivals(self, shop: int, events: range) -> list[Spot]:
        """What came when: two in five are of the first section, the others of any."""
        sections = self.shops[shop].sections
        kinds = list(sections)
        found = []
        for event in events:
            bits = Stream(self.shops[shop].bits, "arrivals").at(event)
            goods = kinds[0] if bits % 5 < 2 else kinds[bits % len(kinds)]
            found.append(Spot(shop, THING, goods, (bits >> 16) % sections[goods]))
        return list(dict.fromkeys(found))

    def pages(self, spot: Spot) -> int:
        """Over how many pages a list, the timeline or the news run."""
        if spot.kind == TIMELINE:
            return YEARS if self.shops[spot.shop].has_timeline else 0
        if spot.kind == NEWS:
            return max(1, sum(self.shops[spot.shop].sections.values()) // (4 * PER_NEWS))
        total = self.shops[spot.shop].sections[spot.goods]
        total = len(self.of_brand(spot.shop, spot.goods, spot.brand)) if spot.kind == BRAND else total
        return -(-total // self.knobs.per_list)

    def url(self, spot: Spot) -> str:
        shop = self.shops[spot.shop]
        if spot.kind == THING:
            return f"{shop.root}{self._thing_path(shop, spot)}"
        if spot.kind in (LIST, BRAND):
            maker = f"{BRANDS[spot.brand].lower()}/" if spot.kind == BRAND else ""
            further = (f"?page={spot.nth + 1}", f"page{spot.nth + 1}.html", f"?start={spot.nth}")[shop.bits % 3]
            return f"{shop.root}/{spot.goods}/{maker}{further if spot.nth else ''}"
        return f"{shop.root}/" if spot.kind == HOME else f"{shop.root}/{spot.kind}/{spot.nth or ''}"

    def _thing_path(self, shop: Shop, spot: Spot) -> str:
        if (shop.bits >> 4) % 3 == 0:
            return f"/product.php?c={spot.goods}&id={spot.nth}"
        product = self.product(spot.shop, spot.goods, spot.nth)
        name = f"{BRANDS[self.goods.brand(spot.goods, product)]}-{self.goods.model(spot.goods, product)}".lower()
        return f"/{spot.goods}/{name}-{spot.nth}.html"

    def spot(self, url: str) -> Spot | None:
        """The page a URL names; None if there is none."""
        host, _, rest = url.partition("://")[2].partition("/")
        shop = self.hosts.get(host.lower())
        guess = self._guess(shop, rest) if shop is not None else None
        is_there = guess is not None and self._exists(guess) and self.url(guess).partition("://")[2] == f"{host}/{rest}"
        return guess if is_there else None

    @staticmethod
    def _guess(shop: int, rest: str) -> Spot | None:
        if not rest:
            return Spot(shop, HOME)
        found = re.fullmatch(r"(news|guide|timeline)/(\d{0,4})", rest)
        if found:
            return Spot(shop, found[1], nth=int(found[2] or 0))
        found = re.fullmatch(r"product\.php\?c=([a-z]+)&id=(\d{1,4})|([a-z]+)/[a-z0-9-]+-(\d{1,4})\.html", rest)
        if found:
            return Spot(shop, THING, found[1] or found[3], int(found[2] or found[4]))
        found = re.fullmatch(r"([a-z]+)/(?:([a-z]+)/)?(?:\?page=|page|\?start=)?(\d{0,4})(?:\.html)?", rest)
        if found is None:
            return None
        makers = [nth for nth, brand in enumerate(BRANDS) if brand.lower() == found[2]]
        number = int(found[3] or 0)
        nth = number - (number > 0 and "page" in rest)
        return Spot(shop, BRAND if found[2] else LIST, found[1], nth, makers[0] if makers else -1)

    def _exists(self, spot: Spot) -> bool:
        if spot.kind in (THING, LIST, BRAND) and spot.goods not in self.shops[spot.shop].sections:
            return False
        if spot.kind == THING:
            return spot.nth < self.shops[spot.shop].sections[spot.goods]
        if spot.kind in (HOME, GUIDE):
            return spot.nth < GUIDES
        return (spot.kind != BRAND or spot.brand >= 0) and 0 <= spot.nth < self.pages(spot)

    def truth(self, url: str) -> str | None:
        """What the page presents; "shop" if it presents no single thing, None if it is not there."""
        spot = self.spot(url)
        if spot is None:
            return None
        return f"{BRANCH}{spot.goods}" if spot.kind == THING else "shop"

    def pages_of(self, topic: str) -> Iterator[str]:
        """URLs of all pages that present such a thing."""
        goods = self._goods(topic)
        for shop in self.shops:
            for nth in range(shop.sections.get(goods, 0)):
                yield self.url(Spot(shop.number, THING, goods, nth))

    def count(self, topic: str) -> int:
        return sum(shop.sections.get(self._goods(topic), 0) for shop in self.shops)

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        """Pages that present one such thing, of one shop after the other: what a search engine would have found."""
        goods = self._goods(topic)
        shops = [shop for shop in self.shops if goods in shop.sections]
        draws = Stream(self.knobs.seed, "samples").units(seed, 4 * n)
        found: dict[str, None] = {}
        for nth, draw in enumerate(draws):
            shop = shops[nth % len(shops)]
            if len(found) < n:
                found.setdefault(self.url(Spot(shop.number, THING, goods, int(draw * shop.sections[goods]))))
        return list(found)

    def _goods(self, topic: str) -> str:
        known = list(dict.fromkeys(goods for shop in self.shops for goods in shop.sections))
        goods = topic.removeprefix(BRANCH)
        if goods not in known:
            raise WebError(
                f"topic '{topic}' is not in the catalogue: choose among {', '.join(BRANCH + k for k in known)}"
            )
        return goods

"""The HTML of a catalogue: five ways to set out attributes and values, one a shop, for all its sections alike."""

from __future__ import annotations

from collections.abc import Callable

from focused.webs.simulated.catalogue import (
    BRAND,
    GUIDE,
    GUIDES,
    HOME,
    LIST,
    NEWS,
    THING,
    TIMELINE,
    YEARS,
    Catalogue,
    Shop,
    Spot,
)
from focused.webs.simulated.dice import Stream
from focused.webs.simulated.goods import BRANDS
from focused.webs.simulated.scripts import menu
from focused.webs.simulated.shape import CONTENT, Place
from focused.webs.simulated.text import Text

Rows = list[tuple[str, str]]
TALK = {"cameras": "arts/photography", "notebooks": "science/computing"}  # whose words a shop's texts use
FAR = 1 << 44  # beyond the numbers of all other pages
KINDS = (HOME, LIST, BRAND, THING, NEWS, GUIDE, TIMELINE)
BESIDE = 4  # other things of the same maker that a thing's page names
FIRST_YEAR = 1996


def table(rows: Rows) -> str:
    cells = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>\n" for name, value in rows)
    return f'<table class="specs">\n{cells}</table>\n'


def terms(rows: Rows) -> str:
    return f"<dl>\n{''.join(f'<dt>{name}</dt><dd>{value}</dd>{chr(10)}' for name, value in rows)}</dl>\n"


def grid(rows: Rows) -> str:
    cells = "".join(f'<div class="row"><div>{name}</div><div>{value}</div></div>\n' for name, value in rows)
    return f'<div class="grid">\n{cells}</div>\n'


def bullets(rows: Rows) -> str:
    return f"<ul>\n{''.join(f'<li><b>{name}:</b> {value}</li>{chr(10)}' for name, value in rows)}</ul>\n"


def pairs(rows: Rows) -> str:
    """A table with two attributes in a row."""
    cells = [f"<th>{name}</th><td>{value}</td>" for name, value in rows]
    lines = (f"<tr>{''.join(cells[n : n + 2])}</tr>\n" for n in range(0, len(cells), 2))
    return f'<table border="1">\n<tr><th colspan="4">Specifications</th></tr>\n{"".join(lines)}</table>\n'


LAYOUTS: tuple[Callable[[Rows], str], ...] = (table, terms, grid, bullets, pairs)


class Shopfront:
    def __init__(self, catalogue: Catalogue, text: Text, partners: Callable[[int], str]) -> None:
        self.catalogue, self.text = catalogue, text
        self._partners = partners  # number of a shop → links to other sites, as HTML
        self._dice = Stream(catalogue.knobs.seed, "beside")

    def page(self, spot: Spot) -> str:
        shop = self.catalogue.shops[spot.shop]
        title = self.title(spot)
        main = {HOME: self._home, THING: self._thing, GUIDE: self._guide}.get(spot.kind, self._list)(shop, spot)
        return (
            f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{title} - {shop.name}</title>\n</head>\n'
            f'<body>\n<div id="top"><a href="/">{shop.name}</a></div>\n{self._menu(shop)}'
            f'<div id="main">\n<h1>{title}</h1>\n{main}</div>\n<div id="foot">{self._partners(shop.number)}</div>\n'
            "</body>\n</html>\n"
        )

    def title(self, spot: Spot) -> str:
        if spot.kind == THING:
            product = self.catalogue.product(spot.shop, spot.goods, spot.nth)
            goods = self.catalogue.goods
            return f"{BRANDS[goods.brand(spot.goods, product)]} {goods.model(spot.goods, product)}"
        if spot.kind in (LIST, BRAND):
            maker = f"{BRANDS[spot.brand]} " if spot.kind == BRAND else "All "
            return f"{maker}{spot.goods}" + (f", page {spot.nth + 1}" if spot.nth else "")
        number = spot.nth + (FIRST_YEAR if spot.kind == TIMELINE else 1)
        return "Welcome" if spot.kind == HOME else f"{spot.kind.capitalize()} {number}"

    def _menu(self, shop: Shop) -> str:
        spots = [Spot(shop.number, LIST, goods) for goods in shop.sections]
        spots += [Spot(shop.number, TIMELINE)] * shop.has_timeline
        spots += [Spot(shop.number, NEWS), Spot(shop.number, GUIDE)]
        labels = [spot.goods.capitalize() or spot.kind.capitalize() for spot in spots]
        entries = [(self._path(spot), label) for spot, label in zip(spots, labels, strict=True)]
        if shop.is_scripted:
            return f'<div id="nav">\n{menu(entries, shop.number)}</div>\n'
        items = "".join(f'<li><a href="{path}">{label}</a></li>\n' for path, label in entries)
        return f'<div id="nav">\n<ul>\n{items}</ul>\n</div>\n'

    def _home(self, shop: Shop, spot: Spot) -> str:
        fresh = self._items(self.catalogue.entries(Spot(shop.number, NEWS))[:5])
        return (
            f"<p>{self._talk(spot, 60)}</p>\n<h2>New</h2>\n<ul>\n{fresh}</ul>\n{self._link(Spot(shop.number, NEWS))}\n"
        )

    def _thing(self, shop: Shop, spot: Spot) -> str:
        catalogue = self.catalogue
        product = catalogue.product(spot.shop, spot.goods, spot.nth)
        thing = catalogue.goods.thing(spot.goods, product, shop.number)
        maker = Spot(spot.shop, BRAND, spot.goods, brand=catalogue.goods.brand(spot.goods, product))
        way = f"{self._link(catalogue.index_of(spot))} &gt; {self._link(maker)}"
        others = catalogue.of_brand(spot.shop, spot.goods, maker.brand)
        bits = self._dice.bits((spot.shop << 20) + spot.nth, BESIDE).tolist()
        beside = [Spot(spot.shop, THING, spot.goods, others[number % len(others)]) for number in bits]
        return (
            f'<p class="path"><a href="/">Home</a> &gt; {way}</p>\n'
            f"<p>{thing.price}.00</p>\n{LAYOUTS[shop.number % len(LAYOUTS)](thing.rows)}"
            f"<p>{self._talk(spot, 15)}</p>\n<h3>Others</h3>\n<ul>\n{self._items(beside)}</ul>\n"
        )

    def _list(self, shop: Shop, spot: Spot) -> str:
        """An index, the things of a brand or a year, or news: entries and the way to further pages."""
        makers = ""
        if spot.kind == LIST:
            brands = [spot._replace(kind=BRAND, nth=0, brand=brand) for brand in range(len(BRANDS))]
            held = [brand for brand in brands if self.catalogue.of_brand(brand.shop, brand.goods, brand.brand)]
            makers = f'<p class="brands">{" ".join(self._link(brand) for brand in held)}</p>\n'
        said = f"<p>{self._talk(spot, 40)}</p>\n" if spot.kind == NEWS else ""
        items = self._items(self.catalogue.entries(spot))
        return f'{said}{makers}<ul class="list">\n{items}</ul>\n<p class="pager">{self._pager(spot)}</p>\n'

    def _pager(self, spot: Spot) -> str:
        """The way to the first, the last and the neighbouring pages; of a timeline to all."""
        if spot.kind == TIMELINE:
            return " ".join(self._link(spot._replace(nth=nth)) for nth in range(YEARS) if nth != spot.nth)
        count = self.catalogue.pages(spot)
        shown = [nth for nth in dict.fromkeys([0, spot.nth - 1, spot.nth + 1, count - 1]) if 0 <= nth < count]
        return " ".join(self._link(spot._replace(nth=nth), str(nth + 1)) for nth in shown if nth != spot.nth)

    def _guide(self, shop: Shop, spot: Spot) -> str:
        things = self.catalogue.entries(
            Spot(shop.number, NEWS, nth=spot.nth % self.catalogue.pages(Spot(shop.number, NEWS)))
        )
        others = " ".join(self._link(spot._replace(nth=(spot.nth + step) % GUIDES)) for step in (1, 5))
        return f"<p>{self._talk(spot, 250)}</p>\n<ul>\n{self._items(things[:3])}</ul>\n<p>{others}</p>\n"

    def _items(self, spots: list[Spot]) -> str:
        return "".join(f"<li>{self._link(spot)}</li>\n" for spot in spots)

    def _link(self, spot: Spot, label: str = "") -> str:
        return f'<a href="{self._path(spot)}">{label or self.title(spot)}</a>'

    def _path(self, spot: Spot) -> str:
        return self.catalogue.url(spot).removeprefix(self.catalogue.shops[spot.shop].root).replace("&", "&amp;")

    def _talk(self, spot: Spot, count: int) -> str:
        """Some words in the manner of the shop's trade."""
        topic = self.text.lexicon.topics.index(TALK[self.catalogue.shops[spot.shop].domain])
        key = FAR + (spot.shop << 24) + (KINDS.index(spot.kind) << 16) + spot.nth
        return " ".join(self.text.blurb(Place(key, -1, -1, CONTENT, spot.nth, topic), count))

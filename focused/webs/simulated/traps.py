"""Pages without end: calendars, facets, trees, folders in themselves, lists, session ids; which URL leads to which.

A trap is a family of URLs numbered from 0. The real ones have no end; ours end after trap_pages, so that a web can be
walked as a whole. Folders have a hyphen in their name, as no section has: both can live on one site.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from focused.webs.simulated.dice import Stream
from focused.webs.simulated.layout import BIG
from focused.webs.simulated.shape import Shape

FACETS = ("brand", "colour", "price", "size", "sort", "year")  # in the order in which URLs are canonical
STEPS = ("north", "east", "inner", "upper", "first", "small", "green", "plain")
DEEPEST = 250  # folders in themselves; more would not fit into a URL
WIDE = 400  # links on a page of a list without end: a shallow-wide trap
BRANCHES = 40  # links of a page that carry a fresh session id
SALT = 2_654_435_761  # odd, so that multiplying by it modulo 2^32 can be undone
SESSION = re.compile(r"sid=([0-9a-f]{8})")


class Family(NamedTuple):
    name: str  # what the menu calls it
    path: Callable[[int], str]  # path and query of the nth page
    number: Callable[[str], int | None]  # a guess at n; it counts if it has this path
    links: Callable[[int], list[int]]
    on_any_path: bool = False  # the number is in the query, the path is any page's


def calendar(pages: int) -> Family:
    def path(n: int) -> str:
        return f"/event-calendar/{1999 + n // 360}/{1 + n // 30 % 12:02d}/{1 + n % 30:02d}.html"

    def number(text: str) -> int | None:
        found = re.fullmatch(r"/event-calendar/(\d{4,5})/(\d\d)/(\d\d)\.html", text)
        return (int(found[1]) - 1999) * 360 + (int(found[2]) - 1) * 30 + int(found[3]) - 1 if found else None

    return Family("Calendar", path, number, lambda n: [n - 1, n + 1, n + 7, n + 30, n + 360])


def facets(pages: int) -> Family:
    def path(n: int) -> str:
        set_ = "&".join(f"{name}={n // 10**i % 10}" for i, name in enumerate(FACETS) if n // 10**i % 10)
        return f"/shop-by/?{set_}" if set_ else "/shop-by/"

    def number(text: str) -> int | None:
        found = [FACETS.index(name) for name in re.findall(r"([a-z]+)=", text) if name in FACETS]
        digits = re.findall(r"=(\d)", text)
        return sum(int(digit) * int(10**i) for i, digit in zip(found, digits, strict=False))

    def links(n: int) -> list[int]:
        tens = [10**i for i in range(len(FACETS))]
        return [n + ten for ten in tens if n // ten % 10 < 9] + [n - n // ten % 10 * ten for ten in tens]

    return Family("Browse", path, number, links)


def deeper(pages: int) -> Family:
    def path(n: int) -> str:
        turns = []
        while n:
            turns.append((n - 1) % 2)
            n = (n - 1) // 2
        steps = (STEPS[(2 * level + turn) % len(STEPS)] for level, turn in enumerate(reversed(turns)))
        return "/".join(["/topic-tree", *steps, ""])

    def number(text: str) -> int | None:
        n = 0
        for level, step in enumerate(text.split("/")[2:-1]):
            n = 2 * n + 1 + ((STEPS.index(step) - 2 * level) % 2 if step in STEPS else 0)
        return n if len(text) < 1000 else None

    return Family("Topics", path, number, lambda n: [2 * n + 1, 2 * n + 2])


def repeated(pages: int) -> Family:
    width = max(20, pages // DEEPEST)

    def path(n: int) -> str:
        return f"{'/old-f' * (n // width + 1)}/part{n % width}.html"

    def number(text: str) -> int | None:
        found = re.fullmatch(r"((?:/old-f)+)/part(\d{1,6})\.html", text)
        return (len(found[1]) // 6 - 1) * width + int(found[2]) if found else None

    def links(n: int) -> list[int]:
        return [n + width, n // width * width + (n + 1) % width]  # one folder deeper, and the next beside

    return Family("Files", path, number, links)


def wide(pages: int) -> Family:
    def number(text: str) -> int | None:
        found = re.fullmatch(r"/item-list/(\d{1,9})\.html", text)
        return int(found[1]) if found else None

    return Family(
        "Items", lambda n: f"/item-list/{n}.html", number, lambda n: [*range(WIDE * n + 1, WIDE * n + WIDE + 1)]
    )


def sessions(pages: int) -> Family:
    """Every link of a page carries a fresh id; this family numbers the ids."""

    def number(text: str) -> int | None:
        found = SESSION.search(text)
        return int(found[1], 16) * pow(SALT, -1, 1 << 32) % (1 << 32) if found else None

    return Family(
        "Log in",
        lambda n: f"/?sid={n * SALT % (1 << 32):08x}",
        number,
        lambda n: [*range(BRANCHES * n + 1, BRANCHES * n + BRANCHES + 1)],
        on_any_path=True,
    )


KINDS = (calendar, sessions, facets, deeper, repeated, wide)


class Traps:
    """Which sites have a trap, and of which kind."""

    def __init__(self, shape: Shape) -> None:
        self.pages = shape.knobs.trap_pages
        families = [kind(self.pages) for kind in KINDS]
        dice = Stream(shape.knobs.seed, "traps")
        chosen = [site for site in range(shape.site_count) if dice.unit(site) < shape.knobs.traps]
        large = [site for site in chosen if shape.size(site) >= BIG]
        # In turn, so that a web with six traps has one of each kind.
        self.of: dict[int, Family] = {site: families[nth % len(families)] for nth, site in enumerate(large)}

    def number(self, site: int, path: str) -> int | None:
        """Which page of the site's trap has this path and query; None if it is not one of its pages."""
        family = self.of.get(site)
        n = family.number(path) if family else None
        if family is None or n is None or not 0 <= n < self.pages:
            return None
        return n if family.on_any_path or family.path(n) == path else None

    def links(self, site: int, n: int) -> list[str]:
        """Paths of the pages that the nth page of the site's trap leads to."""
        family = self.of[site]
        return [
            family.path(other) for other in dict.fromkeys(family.links(n)) if other != n and 0 <= other < self.pages
        ]

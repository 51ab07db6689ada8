"""The plan of a generated web: which pages there are, on which sites, and who links to whom.

The same shape gives the same web in every process, so the server and the test that judges it need not talk.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

QUERY = "mountain cycling bicycle trail club"
TOPIC_WORDS = QUERY.split()
FILLER = [a + b for a in ("lor", "min", "tev", "sal", "qun", "bar", "dol", "pex") for b in ("ano", "ira", "umo", "esk")]
SPECIAL = ("hanging", "dripping", "busy")


@dataclass(frozen=True, slots=True)
class Shape:
    """What kind of web: its size, and how much of it is broken in which way."""

    pages: int = 600
    sites: int = 10
    seed: int = 1
    topical: float = 0.3  # share of pages about the query
    missing: float = 0.03  # share of 404
    moved: float = 0.03  # share of redirects
    latency: float = 0.0  # seconds before each answer
    words: int = 60  # words a page
    hanging: int = 0  # pages that never answer until the web is healed
    dripping: int = 0  # pages that send a byte now and then until the web is healed
    busy: int = 0  # pages that say 429 the first time
    retry_after: int = 1  # seconds, with the 429
    robots: str = ""  # body of robots.txt; empty: 404


@dataclass(frozen=True, slots=True)
class Plan:
    """One list each, indexed by page number; page 0 is the seed and every page can be reached from it."""

    kinds: list[str]  # ok | missing | moved | hanging | dripping | busy
    sites: list[int]
    topical: list[bool]
    links: list[list[int]]  # of a moved page: its one target

    def of_kind(self, *kinds: str) -> list[int]:
        return [number for number, kind in enumerate(self.kinds) if kind in kinds]


def plan(shape: Shape) -> Plan:
    chance = random.Random(shape.seed)
    kinds = _kinds(shape, chance)
    sites = [number % shape.sites for number in range(shape.pages)]  # all of one size; the first page is the home
    topical = [chance.random() < shape.topical for _ in range(shape.pages)]
    return Plan(kinds, sites, topical, _links(kinds, chance))


def _kinds(shape: Shape, chance: random.Random) -> list[str]:
    kinds = ["ok"] * shape.pages
    numbers = list(range(shape.sites, shape.pages))  # homes are always there
    chance.shuffle(numbers)
    counts = [("missing", round(shape.missing * shape.pages)), ("moved", round(shape.moved * shape.pages))]
    for kind, count in counts + [(kind, getattr(shape, kind)) for kind in SPECIAL]:
        for _ in range(count):
            kinds[numbers.pop()] = kind
    return kinds


def _links(kinds: list[str], chance: random.Random) -> list[list[int]]:
    """A tree makes the web connected; random links do the rest. The child of a redirect is found through it alone."""
    children: list[list[int]] = [[] for _ in kinds]
    parents = [0]
    behind: set[int] = set()
    for number in range(1, len(kinds)):
        parent = chance.choice(parents)
        if kinds[parent] == "moved" and kinds[number] == "moved":
            parent = 0
        children[parent].append(number)
        if kinds[parent] == "moved":
            behind.add(number)
        if kinds[parent] == "moved" or (len(children[parent]) == 6 and parent):
            parents.remove(parent)
        if kinds[number] in ("ok", "moved"):
            parents.append(number)
    open_to_all = [number for number in range(len(kinds)) if number not in behind]
    return [_links_of(kind, children[number], open_to_all, chance) for number, kind in enumerate(kinds)]


def _links_of(kind: str, children: list[int], targets: list[int], chance: random.Random) -> list[int]:
    if kind == "moved":
        return children or [0]
    wanted = chance.randint(5, 10)
    links = children + [chance.choice(targets) for _ in range(wanted - len(children))]
    chance.shuffle(links)
    return list(dict.fromkeys(links))

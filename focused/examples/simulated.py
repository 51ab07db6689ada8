"""Pages of a simulated web that is not the one crawled: the same kind of web, another seed. None of them counts.

A topic takes single pages, or with [sim] examples = "sites" the first pages of whole sites, as a directory lists them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, zip_longest

from focused.examples.collection import Document
from focused.page import Page, PageReader
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb
from focused.webs.walking import pages_of_site

ANOTHER = 1_000  # added to the seed of the web that is crawled
MOST_PAGES = 10_000  # of the web that single pages are taken from
# Of the topic and of every other one. Chakrabarti 1999, §2.3: 260,000 documents for 1,775 leaves. Fewer of the others
# would teach that whatever is rare is the topic's.
OF_LEAF = 150
LARGE_ENOUGH = 100_000  # pages of the web that whole sites are taken from: it has a few dozen on each topic
SITES_OF_TOPIC, SITES_OF_OTHERS = 35, 132  # Ester 2004, Table 1: 32 to 39 of a topic, 132 others
SITE_PAGES = 25  # of a site, breadth first from its homepage (W-05)


def other_web(spec: str, most: int = MOST_PAGES) -> SimWeb | None:
    """The web to take examples from; None if the crawled one is not simulated."""
    if not spec.startswith("sim:"):
        return None
    web = open_web(spec)
    assert isinstance(web, SimWeb)
    knobs = web.knobs
    return SimWeb(replace(knobs, seed=knobs.seed + ANOTHER, pages=min(knobs.pages, most)))


def documents(web: SimWeb, topic: str) -> Iterator[tuple[Document, str]]:
    """Pages of the topic and a mix of all others, each labelled with the path of its own."""
    for path in dict.fromkeys([topic, *web.topics()]):
        urls = list(web.pages_of(path))
        dice = random.Random(f"{web.knobs.seed} {path}")
        for url in dice.sample(urls, min(len(urls), OF_LEAF)):
            answer = web.fetch(url)
            yield Document(url, url, answer.body, answer.headers.get("Content-Type", "")), path


def example_sites(web: SimWeb, topic: str) -> list[tuple[str, str]]:
    """Homepage and main topic of some sites of the topic and of others, in random order.

    The others are to stand for all other topics (Ester 2004, §5.1), so each has its turn: of 132 drawn blindly hardly
    one was on chess, and all of chess was then taken for sailing.
    """
    dice = random.Random(f"{web.knobs.seed} {topic}")
    homes: dict[str, list[str]] = {path: [] for path in web.topics()}
    for home, main in web.sites():
        homes[main].append(home)
    for listed in homes.values():
        dice.shuffle(listed)
    good = [(home, topic) for home in homes.pop(topic, [])[:SITES_OF_TOPIC]]
    turns = zip_longest(*([(home, main) for home in listed] for main, listed in homes.items()))
    others = [site for turn in turns for site in turn if site][:SITES_OF_OTHERS]
    return dice.sample(good + others, len(good) + len(others))


def first_pages(web: SimWeb, topic: str, reader: PageReader) -> Iterator[tuple[Page, str]]:
    """The first pages of example sites, each labelled with what its site is about: a directory says no more (W-05)."""
    for home, main in example_sites(web, topic):
        for page in islice(pages_of_site(web, home, reader), SITE_PAGES):
            yield page, main

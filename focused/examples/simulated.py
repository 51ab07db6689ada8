"""Pages of a simulated web that is not the one crawled: the same kind of web, another seed. None of them counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from focused.examples.collection import Document
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb

ANOTHER = 1_000  # added to the seed of the web that is crawled
MOST_PAGES = 10_000  # of the web that examples are taken from
OF_TOPIC, OF_OTHERS = 200, 40  # pages of the topic, and of every other one


def other_web(spec: str) -> SimWeb | None:
    """The web to take examples from; None if the crawled one is not simulated."""
    if not spec.startswith("sim:"):
        return None
    web = open_web(spec)
    assert isinstance(web, SimWeb)
    knobs = web.knobs
    return SimWeb(replace(knobs, seed=knobs.seed + ANOTHER, pages=min(knobs.pages, MOST_PAGES)))


def documents(web: SimWeb, topic: str) -> Iterator[tuple[Document, str]]:
    """Pages of the topic and a mix of all others, each labelled with the path of its own."""
    for path in dict.fromkeys([topic, *web.topics()]):
        urls = list(web.pages_of(path))
        dice = random.Random(f"{web.knobs.seed} {path}")
        for url in dice.sample(urls, min(len(urls), OF_TOPIC if path == topic else OF_OTHERS)):
            answer = web.fetch(url)
            yield Document(url, url, answer.body, answer.headers.get("Content-Type", "")), path

"""The orderings of this project on small random webs, through the crawl that they are made for."""

from __future__ import annotations

import random
from pathlib import Path

from focused import settings
from focused.names import load
from focused.orderings.base import make
from focused.topic import Topic
from tests.focused.evaluate.small_webs import SmallWeb
from tests.focused.orderings.drawn_web import DrawnWeb

# hmm learns from recorded browsing, which a web without texts has none of.
NAMES = sorted(set(settings.FOCUSED_ORDERINGS) - {"hmm"})
SITES = 4
ABOUT, OTHER = "bicycle", "mortgage"  # anchors: semantic knows what is like the query


class Worded(DrawnWeb):
    """An anchor says, most of the time rightly, whether its page is on the topic."""

    def body(self, name: str) -> bytes:
        links = self.links.get(name, ())
        words = (ABOUT if self.scores[link] >= 0.5 else OTHER for link in links)
        pairs = zip(map(self.url, links), words, strict=True)
        return "".join(f'<p><a href="{url}">{word}</a></p>' for url, word in pairs).encode()


def drawn(web: SmallWeb, dice: random.Random) -> Worded:
    """The same web with a judge that errs: what it says of a page is its relevance and noise."""
    names = [name_of(page) for page in range(len(web.links))]
    return Worded(
        {name: [name_of(target) for target in links] for name, links in zip(names, web.links, strict=True)},
        {name: 0.3 * is_good + 0.7 * dice.random() for name, is_good in zip(names, web.relevant, strict=True)},
        {"": "http_404"},  # homepages, which some orderings ask for without a link
        sites={name: f"s{page % SITES}" for page, name in enumerate(names)},
        topic=Topic("drawn", "cycling"),
    )


def name_of(page: int) -> str:
    return f"p{page}"


def fetched(ordering: str, web: SmallWeb, dice: random.Random, folder: Path) -> list[int]:
    """The pages that a crawl has, in order; what is not there is none."""
    made = make(load(ordering, settings.FOCUSED_ORDERINGS, "FOCUSED_ORDERING"), "")
    given = {"FOCUSED_MAX_PAGES": web.pages, "FOCUSED_REVISE_EVERY": 5, "FOCUSED_MAX_TRIES": 1}
    whole = drawn(web, dice)
    crawl = whole.opened(folder, made, [name_of(seed) for seed in web.seeds], **given)
    try:
        return [int(name[1:]) for name in whole.visits(crawl) if name]
    finally:
        crawl.abandon()

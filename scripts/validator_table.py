"""The two validators on pages of the embedded shops — Shchekotykhin, Jannach and Friedrich, xCrawl, §2.2 (X-13).

Things that are wanted, and what is not: things of the same makers that are something else, indexes, news, guides. The
table validator has the topic's attributes and learns nothing; the text validator learns from such things of another web
and from that web's pages on other topics, as a crawl of the topic would.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from scrapy.settings import BaseSettings

from focused.evaluate.webgraph import Bools
from focused.examples import Examples, gather
from focused.examples.simulated import other_web
from focused.page import Page, PageReader
from focused.topic import Topic
from focused.training.kinds import kind_of
from focused.training.quality import scores
from focused.training.watching import Watch
from focused.urls import homepage_of, site_of
from focused.webs import about, open_web
from focused.webs.base import Web
from focused.webs.simulated.web import SimWeb
from focused.webs.walking import pages_of_site
from models.model import OTHER, RELEVANT, PageModel
from models.text import Vocabulary

TABLE, TEXTUAL, BY_SHOPS = "`table`", "`text`", "`text`, taught by shops"
TOPICS, SEEDS = ("cameras", "notebooks"), (1, 2, 3)
WEB = "sim:catalogue,seed={seed}"
HEADING = "## Validators"
TEXT = """{heading} (`sim:catalogue`, seeds {seeds})

Whether a page presents one thing of the kind that is wanted (xCrawl, §2.2). About {pages:,} pages a web and topic, from
all shops that have such things: the first {of_shop} of each, breadth first from its homepage, and {things} more of the
things. {wanted:.0%} of the pages are wanted; the others are indexes, news, guides, and things of other kinds that are
set out alike.

{table}
`table` has the topic's attributes and learns nothing; that it makes no mistake says as much of the embedded shops,
which set out all things in ways it reads. `text` learns from {learned} such things of a web with another seed and
from that web's pages on other topics, as a crawl does; none of these is of a shop, and so it takes every page of a
shop for such a thing. *Taught by shops* it has learned from things and other pages of that web's shops, drawn as
those it is tried on.
"""
OF_SHOP = 150  # pages, breadth first from the homepage: indexes, news, guides, some things
THINGS = 40  # of a shop besides, drawn blindly: those that are wanted


class Row(NamedTuple):
    """One kind on one topic and web."""

    kind: str
    topic: str
    precision: float
    recall: float
    f: float
    wanted: int  # pages that present what is wanted
    pages: int


def measured(settings: BaseSettings, topic: str, seed: int, watch: Watch) -> Iterator[Row]:
    known, reader = Topic.load(topic), PageReader(Vocabulary())
    wanted = str(known.sim["topic"])
    pages, truth = _tried(open_web(WEB.format(seed=seed)), wanted, reader)
    for name, model in _models(settings, known, reader, watch).items():
        verdicts = np.array([model.judge(page).relevant for page in pages])
        yield Row(name, topic, *scores(truth, verdicts), int(truth.sum()), len(pages))


def _models(settings: BaseSettings, topic: Topic, reader: PageReader, watch: Watch) -> dict[str, PageModel]:
    text, shops, wanted = kind_of(settings, topic, "text"), Examples(reader, [RELEVANT]), str(topic.sim["topic"])
    with TemporaryDirectory() as folder:
        things = gather(settings, topic, reader, Path(folder), watch)
    other = other_web(settings["FOCUSED_WEB"])
    assert other is not None
    for page, is_wanted in zip(*_tried(other, wanted, reader), strict=True):
        shops.take(page, RELEVANT if is_wanted else OTHER, page.url)
    table = kind_of(settings, topic, "table").from_words(reader.vocabulary)
    return {TABLE: table, TEXTUAL: text.fit(things), BY_SHOPS: text.fit(shops)}


def _tried(web: Web, topic: str, reader: PageReader) -> tuple[list[Page], Bools]:
    """Pages, and which of them are wanted."""
    assert isinstance(web, SimWeb)
    pages = list(sample(web, topic, reader))
    return pages, np.array([about(web, page.url, topic) for page in pages])


def sample(web: SimWeb, topic: str, reader: PageReader) -> Iterator[Page]:
    """Of every shop that has such things; each page once."""
    things: dict[str, list[str]] = {}
    for url in web.pages_of(topic):
        things.setdefault(site_of(url), []).append(url)
    dice = random.Random(web.knobs.seed)
    for own in things.values():
        first = list(islice(pages_of_site(web, homepage_of(own[0]), reader), OF_SHOP))
        yield from first
        left = sorted(set(own) - {page.url for page in first})
        for url in dice.sample(left, min(THINGS, len(left))):
            answer = web.fetch(url)
            yield reader.read(url, answer.body, answer.headers.get("Content-Type", ""))


def columns(rows: Sequence[Row]) -> dict[str, list[list[float]]]:
    """Of each kind: precision, recall and F on one topic after the other, over the webs."""
    return {
        kind: [
            [getattr(row, name) for row in rows if (row.kind, row.topic) == (kind, topic)]
            for topic in dict.fromkeys(row.topic for row in rows)
            for name in ("precision", "recall", "f")
        ]
        for kind in dict.fromkeys(row.kind for row in rows)
    }

"""What it costs the website crawler to choose the next site, with 10,000 sites on the external frontier.

CPU time of this process. Run: python -m tests.bench.websites
"""

from __future__ import annotations

import json
import time

import numpy as np

from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.orderings.base import Surroundings, make
from focused.orderings.external import UNPUBLISHED
from focused.orderings.website import WebsiteCrawler
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary

SITES, CHOICES, LINKS = 10_000, 3_000, 20


def crawler() -> WebsiteCrawler:
    made, vocabulary = make(WebsiteCrawler, "collapse=0"), Vocabulary()
    assert isinstance(made, WebsiteCrawler)
    model = Similarity(vocabulary, "horses")
    made.bind(Surroundings(Topic("x", "horses"), model, 0, vocabulary, LinkGraph(), strict=False))
    return made


def site_choice() -> dict[str, float]:
    """Each site that is chosen is soon over, and what it links to is ranked anew, so that the border stays full."""
    ordering, frontier, random = crawler(), Frontier(), np.random.default_rng(1)
    border, known = ordering._border, SITES + CHOICES
    ids = np.arange(1, known + 1)
    frontier.push(ids, ids, np.full(known, UNPUBLISHED))
    for site in range(1, known + 1):
        border.meet(site, site)
        border.publish(site, float(random.random()))
    took: list[float] = []
    for _ in range(CHOICES):
        begin = time.process_time()
        page = ordering.pick(frontier, 0.0)
        took.append(time.process_time() - begin)
        assert page is not None
        ordering.failed(page, "", "timeout")
        frontier.release(page, 0.0)
        for site in random.integers(1, known + 1, LINKS).tolist():
            border.publish(site, float(random.random()))
    assert len(border.places) == SITES
    p99, median = np.percentile(1000 * np.array(took), [99, 50]).tolist()
    return {"site_choice_p99_ms": p99, "site_choice_median_ms": median}


if __name__ == "__main__":
    print(json.dumps(site_choice()))

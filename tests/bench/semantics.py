"""What it costs to compare anchors with a query in meaning, and to have WordNet at hand (Batsakis 2007, §3.3).

Run: python -m tests.bench.semantics
"""

from __future__ import annotations

import json
import subprocess
import sys

from focused.graph import LinkGraph
from focused.orderings.base import Surroundings
from focused.orderings.semantic import Semantic
from focused.page import Page, PageReader
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary
from tests.bench.judge import microseconds

MEASURES = ("ehrig", "ssrm", "mihalcea", "synset")
QUERY = "bicycle racing mountain trail club"  # five words
ANCHORS = 100
WORDS = (
    "bicycle bike wheel mountain trail road race team club rider garden flower seed tree house car engine repair shop "
    "music guitar concert star planet telescope fund stock market bank boat sail harbour horse saddle camera lens"
).split()
# In a process of its own, as every crawl is one: nothing has been imported before.
LOADING = """
import time
begun = time.process_time()
from models.wordnet import wordnet
assert wordnet().concepts("bicycle")
print(time.process_time() - begun)
"""


def page_of_anchors(vocabulary: Vocabulary) -> Page:
    """Anchors of four words, no two the same."""
    links = [" ".join(WORDS[(7 * n + 11 * k + n // 36) % len(WORDS)] for k in range(4)) for n in range(ANCHORS)]
    body = "".join(f'<p><a href="/{n}">{anchor}</a></p>' for n, anchor in enumerate(links))
    return PageReader(vocabulary).read("http://bench.example/", body.encode(), "text/html")


def scoring(measure: str) -> float:
    """Milliseconds of CPU for the links of the page, when its words have been met before."""
    vocabulary = Vocabulary()
    page, ordering = page_of_anchors(vocabulary), Semantic(measure=measure)
    model = Similarity(vocabulary, QUERY)
    ordering.bind(Surroundings(Topic("bench", QUERY), model, 0, vocabulary, LinkGraph()))
    if not (len(ordering.score(page)) == ANCHORS and ordering.score(page).any()):
        raise AssertionError(f"{measure} finds nothing in common: a fast measure that says nothing would prove nothing")
    return microseconds(lambda: ordering.score(page)) / 1000


def meaning() -> dict[str, float]:
    """Of the slowest measure, and of each."""
    each = {f"{measure}_ms_per_100": scoring(measure) for measure in MEASURES}
    return {"meaning_ms_per_100": max(each.values()), **each}


def wordnet_load() -> dict[str, float]:
    """Seconds of CPU until the first word is found, with the import, the best of three."""
    took = [
        float(subprocess.run([sys.executable, "-c", LOADING], check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    ]
    return {"wordnet_load_s": min(took)}


def main() -> None:
    print(json.dumps(meaning() | wordnet_load(), indent=2))


if __name__ == "__main__":
    main()

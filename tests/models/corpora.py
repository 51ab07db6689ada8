"""Made examples for the tests of models that learn."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

from models.model import OTHER, RELEVANT, Example
from models.text import Vocabulary

WORDS = "bicycle race garden rose planet stock saddle gear tulip orbit bond wheel".split()
LABELS = (OTHER, RELEVANT)

Text = tuple[str, str]  # label, words


def texts(least: int = 1) -> st.SearchStrategy[list[Text]]:
    """Corpora of random words, at least so many texts of each label."""
    words = st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join)
    sides = [st.lists(st.tuples(st.just(label), words), min_size=least, max_size=6) for label in LABELS]
    with_words = st.tuples(*sides).map(lambda both: [*both[0], *both[1]])
    return with_words.filter(lambda corpus: any(text for _, text in corpus))


def examples(vocabulary: Vocabulary, corpus: list[Text]) -> list[Example]:
    return [Example(vocabulary.ids(text.split()), label) for label, text in corpus]


def labelled(pages: int = 12, seed: int = 0) -> list[Text]:
    """Pages of both labels in turn, each with words of its label and some of the other."""
    rng = random.Random(seed)
    sides = {OTHER: (WORDS[6:], WORDS[:6]), RELEVANT: (WORDS[:6], WORDS[6:])}
    labels = [LABELS[number % 2] for number in range(pages)]
    return [
        (label, " ".join(rng.choices(sides[label][0], k=12) + rng.choices(sides[label][1], k=3))) for label in labels
    ]


def sites(vocabulary: Vocabulary, pages: int = 12, seed: int = 0) -> list[Example]:
    """The same on several sites of one label each."""
    made = examples(vocabulary, labelled(pages, seed))
    return [replace(page, site=f"{page.label}{number % 6}.example") for number, page in enumerate(made)]

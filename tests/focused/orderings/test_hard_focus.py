"""focused.orderings.hard_focus: the links of a page that is not good are not entered at all."""

from __future__ import annotations

import numpy as np
import pytest

from focused.graph import LinkGraph
from focused.orderings.base import Surroundings
from focused.orderings.hard_focus import HardFocus
from focused.orderings.soft_focus import SoftFocus
from focused.page import PageReader
from focused.topic import Topic
from models.model import Judgement
from models.similarity import Similarity
from models.text import Vocabulary


@pytest.mark.parametrize(
    ("judgement", "is_followed"),
    [
        (Judgement(0.6, True, good=False), False),  # R is above a half, but the best class is not good (F2)
        (Judgement(0.3, False, good=True), True),
        (Judgement(0.6, True), True),  # a model without a tree
        (Judgement(0.3, False), False),
    ],
)
def test_links_are_followed_as_the_best_class_says(judgement: Judgement, is_followed: bool) -> None:
    vocabulary = Vocabulary()
    page = PageReader(vocabulary).read("http://a.example/", b'<a href="/1">x</a><a href="/2">y</a>', "text/html")
    page.take(judgement)
    around = Surroundings(Topic("x", "x"), Similarity(vocabulary, "x"), 0, vocabulary, LinkGraph())
    hard, soft = HardFocus(), SoftFocus()
    hard.bind(around)
    soft.bind(around)
    if is_followed:
        assert hard.score(page).tolist() == soft.score(page).tolist()
    else:
        assert np.isnan(hard.score(page)).all()

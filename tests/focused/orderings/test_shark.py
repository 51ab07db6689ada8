"""Shark-Search: what a link inherits, and what it says itself."""

from __future__ import annotations

import numpy as np
import pytest

from focused.errors import SettingError
from focused.graph import LinkGraph
from focused.orderings.base import Surroundings, make
from focused.orderings.shark import Shark
from focused.page import Page, PageReader
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Text, Vocabulary

FAR = " word" * 40  # more than lies around an anchor
BODY = f"""<p><a href="/1">bicycle</a> {FAR} bicycle <a href="/2">here</a> {FAR} <a href="/3">soup</a></p>"""


def bound(**given: float) -> tuple[Shark, Page, Similarity]:
    vocabulary = Vocabulary((100, {}))
    model = Similarity(vocabulary, "bicycle")
    page = PageReader(vocabulary).read("http://a.example/", BODY.encode(), "text/html")
    ordering = make(Shark, ",".join(f"{name}={value}" for name, value in given.items()))
    ordering.bind(Surroundings(Topic("t", "bicycle"), model, 0, vocabulary, LinkGraph()))
    assert isinstance(ordering, Shark)
    return ordering, page, model


def test_the_neighbourhood_is_the_anchor_or_else_what_is_around_it() -> None:
    ordering, page, model = bound(gamma=0)
    around = model.judge(Text(model.vocabulary, page.links[1].around)).relevance
    assert 0 < around < 1
    assert ordering.score(page) == pytest.approx([0.8 * 1 + 0.2 * 1, 0.2 * around, 0], abs=1e-12)


def test_links_of_a_relevant_page_inherit_its_relevance() -> None:
    ordering, page, _ = bound(gamma=1)
    page.relevance, page.relevant, page.trail = 0.6, True, {"inherited": 0.1, "depth": 0}
    assert ordering.score(page) == pytest.approx([0.3] * 3)
    assert page.links[0].trail == {"inherited": pytest.approx(0.3), "depth": 3}


def test_links_of_another_page_inherit_what_it_has_inherited() -> None:
    ordering, page, _ = bound(gamma=1)
    page.relevance, page.relevant, page.trail = 0.05, False, {"inherited": 0.4, "depth": 2}
    assert ordering.score(page) == pytest.approx([0.2] * 3)
    assert page.links[0].trail == {"inherited": pytest.approx(0.2), "depth": 1}


def test_the_two_are_mixed_by_gamma() -> None:
    scores = {}
    for gamma in (0.0, 0.25, 1.0):
        ordering, page, _ = bound(gamma=gamma)
        page.relevance, page.relevant = 0.6, True
        scores[gamma] = ordering.score(page)
    assert scores[0.25] == pytest.approx(0.25 * scores[1.0] + 0.75 * scores[0.0])


def test_a_path_without_relevant_pages_ends() -> None:
    ordering, page, _ = bound()
    page.relevance, page.relevant, page.trail = 0.0, False, {"inherited": 0.01, "depth": 0}
    assert np.isnan(ordering.score(page)).all()


def test_all_contexts_are_judged_as_one_by_one() -> None:
    ordering, page, model = bound(beta=0, gamma=0)
    alone = [model.judge(Text(model.vocabulary, link.around)).relevance for link in page.links]
    assert ordering.score(page) == pytest.approx([1.0, *alone[1:]], abs=1e-12)


@pytest.mark.parametrize("given", ["delta=2", "beta=-1", "gamma=1.5", "depth=-1"])
def test_what_makes_no_sense_is_refused(given: str) -> None:
    with pytest.raises(SettingError, match=given):
        make(Shark, given)

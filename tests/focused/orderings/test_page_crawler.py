from __future__ import annotations

import numpy as np
import pytest

from focused.errors import SettingError
from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.orderings.base import SEED_SCORE, Surroundings
from focused.orderings.page_crawler import PageCrawler
from focused.page import Page
from focused.topic import Topic
from models.text import Vocabulary
from tests.rig.handmade import Told

VOCABULARY = Vocabulary()


def crawler() -> tuple[PageCrawler, Frontier]:
    ordering, frontier = PageCrawler(), Frontier()
    ordering.bind(Surroundings(Topic("x", "x"), Told(VOCABULARY, ""), 0, VOCABULARY, LinkGraph()))
    assert ordering.pick(frontier, 0.0) is None
    return ordering, frontier


def read(ordering: PageCrawler, frontier: Frontier, confidence: float, targets: list[int]) -> None:
    """A page is read; its links wait and have the scores the ordering gives them."""
    page = Page("http://a.example/", relevance=confidence, terms=np.ones(3, np.int32), main=(0, 3))
    new = [target for target in targets if not frontier.site_of(target)]
    frontier.push(new, new, [confidence] * len(new))
    ordering.found(page, [], np.array(targets))
    if rescored := ordering.rescored():
        frontier.rescore(rescored.ids, rescored.scores)


def test_a_page_is_as_good_as_the_mean_of_those_that_link_to_it() -> None:
    """W-25: 0.9 and 0.6 make 0.75, whatever comes between."""
    ordering, frontier = crawler()
    read(ordering, frontier, 0.9, [11])
    read(ordering, frontier, 0.4, [12])
    read(ordering, frontier, 0.6, [11])
    assert frontier.score_of([11, 12]).tolist() == pytest.approx([0.75, 0.4])
    read(ordering, frontier, 0.3, [11, 12])
    assert frontier.score_of([11, 12]).tolist() == pytest.approx([0.6, 0.35])


def test_a_seed_keeps_its_place_however_bad_the_pages_that_link_to_it() -> None:
    ordering, frontier = crawler()
    frontier.push([1], [1], [SEED_SCORE])
    read(ordering, frontier, 0.1, [1])
    read(ordering, frontier, 0.1, [1])
    assert frontier.score_of([1])[0] == SEED_SCORE


def test_links_are_counted_again_from_the_graph() -> None:
    ordering, frontier = crawler()
    graph = ordering.around.graph
    graph.enter(np.arange(1, 12), np.ones(11))
    graph.add(1, [11])
    graph.add(2, [11])
    graph.add(3, [11])
    graph.judge(1, 0.9)
    graph.judge(2, 0.6)  # page 3 was a redirect
    frontier.push([11], [1], [0.75])
    ordering.restore({})
    read(ordering, frontier, 0.3, [11])
    assert frontier.score_of([11])[0] == pytest.approx(0.6)


def test_a_guard_of_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="guard=0"):
        PageCrawler(guard=0)

"""focused.graph: links and pages by id, in arrays that grow."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focused.graph import LinkGraph


@given(st.lists(st.lists(st.integers(1, 5000), max_size=30), max_size=200))
def test_it_holds_what_was_added_in_the_order_it_came(pages: list[list[int]]) -> None:
    graph = LinkGraph()
    for source, targets in enumerate(pages, 1):
        graph.add(source, targets)
    pairs = [(source, target) for source, targets in enumerate(pages, 1) for target in targets]
    assert list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)) == pairs


def test_a_page_that_was_not_had_has_no_relevance() -> None:
    graph = LinkGraph()
    graph.enter(np.arange(1, 4001), np.repeat([7, 8], 2000))
    graph.judge(3, 0.5)
    assert graph.pages == 4000
    assert graph.site[[1, 2000, 2001, 4000]].tolist() == [7, 7, 8, 8]
    assert np.isnan(graph.relevance[4000]) and graph.relevance[3] == 0.5


def test_a_copy_stays_as_it_was() -> None:
    graph = LinkGraph()
    graph.enter([1, 2], [1, 1])
    graph.add(1, [2])
    copy = graph.copy()
    graph.enter([3], [2])
    graph.add(2, [3])
    graph.judge(1, 1.0)
    assert (copy.pages, copy.links, copy.targets.tolist()) == (2, 1, [2])
    assert np.isnan(copy.relevance[1])

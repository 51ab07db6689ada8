"""The links of a site are sorted in bit by bit: what comes out is what one sort of all would give."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.hubs import link_matrix
from focused.orderings.sitegraph import SiteGraph

PAGES = st.integers(0, 12)
HAD = st.tuples(PAGES, st.booleans(), st.lists(PAGES, max_size=6, unique=True))
MOVED = st.tuples(PAGES, PAGES)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.one_of(HAD, MOVED), st.booleans()), max_size=25))
def test_links_are_the_same_however_often_they_were_asked_for(
    events: list[tuple[tuple[int, ...] | tuple[int, bool, list[int]], bool]],
) -> None:
    asked, not_asked = SiteGraph(), SiteGraph()
    for event, asks in events:
        for graph in (asked, not_asked):
            if event[0] in graph.links or event[0] in graph.moved:
                continue  # a page is had or moves, once
            if len(event) == 2:
                graph.move(*event)
            else:
                graph.add(event[0], event[1], event[2], [""] * len(event[2]))
        if asks:
            asked._links()
    assert (asked._links() != not_asked._links()).nnz == 0
    sources = [asked._number[page] for page, links in asked.links.items() for _ in links]
    targets = [asked._number[asked.stands_for(target)] for links in asked.links.values() for target in links]
    whole = link_matrix(np.array(sources, np.int64), np.array(targets, np.int64), len(asked._number))
    assert (asked._links() != whole).nnz == 0


def test_hubs_are_rejected_pages_that_link_to_enough_accepted_ones_in_the_order_they_were_had() -> None:
    graph = SiteGraph()
    for page in (1, 2, 3):
        graph.add(page, True, [])
    for page, links in {9: [1, 2, 3], 7: [1, 4], 8: [2, 3]}.items():
        graph.add(page, False, links, [""] * len(links))
    assert graph.new_hubs() == [9, 8]
    graph.move(4, 3)
    assert graph.new_hubs() == [7]  # behind the redirect is a second one
    assert graph.new_hubs() == []

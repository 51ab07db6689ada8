"""focused.evaluate.webgraph"""

from __future__ import annotations

import networkx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.evaluate.webgraph import Clusters, Graph

LINKS = st.integers(1, 12).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), unique=True), min_size=size, max_size=size)
)


@given(LINKS)
def test_links_are_kept(links: list[list[int]]) -> None:
    graph = Graph.of(links)
    assert [graph.links(page) for page in range(len(graph))] == links
    assert list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)) == [
        (page, target) for page, found in enumerate(links) for target in found
    ]


@given(LINKS)
def test_only_some_targets(links: list[list[int]]) -> None:
    wanted = np.array([page % 3 == 0 for page in range(len(links))])
    graph = Graph.of(links).only(wanted)
    assert [graph.links(page) for page in range(len(links))] == [[t for t in found if wanted[t]] for found in links]


def test_pairs_in_any_order_and_doubled() -> None:
    graph = Graph.of_pairs(np.array([2, 0, 2, 2]), np.array([1, 2, 0, 1]), pages=3)
    assert [graph.links(page) for page in range(3)] == [[2], [], [0, 1]]
    assert len(Graph.of_pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), pages=0)) == 0


@settings(deadline=None)
@given(LINKS, st.integers(0, 2**12))
def test_clusters_are_the_strong_components_of_the_relevant_pages(links: list[list[int]], bits: int) -> None:
    relevant = np.array([bool(bits >> page & 1) for page in range(len(links))])
    found = Clusters.among(Graph.of(links).only(relevant), relevant)
    inner = networkx.DiGraph(
        [(page, t) for page, targets in enumerate(links) for t in targets if relevant[page] and relevant[t]]
    )
    inner.add_nodes_from(np.flatnonzero(relevant).tolist())
    for part in networkx.strongly_connected_components(inner):
        numbers = {int(found.of_page[page]) for page in part}
        assert len(numbers) == 1 and found.sizes[numbers.pop()] == len(part)
    assert sum(found.sizes) == relevant.sum()
    assert all(cluster not in found.beside.links(cluster) for cluster in range(len(found.beside)))

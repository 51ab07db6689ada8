"""Worked numbers of hubs and authorities (F3: Chakrabarti 1999, §3.2; X3, X4: xCrawl, §2) and PageRank (B12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from focused.graph import LinkGraph
from focused.hubs import Floats, Pins, Scores, Stop, bar_of, distil, hits, link_matrix, pagerank, pinned_hits, propagate

# F3: five pages on three servers
SERVERS = {"h1": "A", "h2": "A", "g": "C", "a1": "B", "a2": "B"}
RELEVANCE = {"h1": 0.8, "h2": 0.4, "g": 0.9, "a1": 0.95, "a2": 0.7}
PAGES = list(SERVERS)
LINKS = "h1→a1 h1→a2 h2→a1 g→a1 h1→h2 a1→g g→h1".split()


def numbered(links: Sequence[str], names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    ends = [link.split("→") for link in links]
    return np.array([names.index(a) for a, _ in ends], np.int64), np.array([names.index(b) for _, b in ends], np.int64)


def made_graph() -> LinkGraph:
    graph = LinkGraph()
    graph.enter(range(1, 6), ["ABC".index(server) + 1 for server in SERVERS.values()])
    for number, page in enumerate(PAGES, 1):
        graph.judge(number, RELEVANCE[page])
        graph.add(number, numbered([link for link in LINKS if link.startswith(f"{page}→")], PAGES)[1] + 1)
    return graph


def named(ids: np.ndarray, scores: Floats) -> dict[str, float]:
    return {PAGES[i - 1]: score for i, score in zip(ids.tolist(), scores.tolist(), strict=True)}


@pytest.mark.parametrize(
    ("rounds", "authority", "hub"),
    [
        (
            1,
            {"a1": 0.361446, "a2": 0.192771, "g": 0.228916, "h1": 0.216867, "h2": 0.0},
            {"a1": 0.196945, "a2": 0.0, "g": 0.471358, "h1": 0.200764, "h2": 0.130933},
        ),
        (
            50,
            {"a1": 0.484218, "a2": 0.106915, "g": 0.0, "h1": 0.408866, "h2": 0.0},
            {"a1": 0.0, "a2": 0.0, "g": 0.651402, "h1": 0.191628, "h2": 0.156970},
        ),
    ],
)
def test_weighted_hits(rounds: int, authority: Mapping[str, float], hub: Mapping[str, float]) -> None:
    found = distil(made_graph(), 0.65, stop=Stop(rounds))
    assert named(found.ids, found.authority) == pytest.approx(authority, abs=1e-6)
    assert named(found.ids, found.hub) == pytest.approx(hub, abs=1e-6)


def test_weighted_hits_by_hand_with_the_relevance_of_the_target() -> None:
    # a1 .95 (1/4 1/2 + 1/4 1/2 + 1/4), a2 .7/4, g .9/4, h1 .8/4: from four hubs that begin as equals
    raw = {"a1": 0.475, "a2": 0.175, "g": 0.225, "h1": 0.2, "h2": 0.0}
    found = distil(made_graph(), 0.65, target_relevance=True, stop=Stop(1))
    assert named(found.ids, found.authority) == pytest.approx({page: a / 1.075 for page, a in raw.items()}, abs=1e-6)


def test_plain_hits_on_all_links() -> None:
    found = hits(*numbered(LINKS, PAGES), 5)
    authority = {"a1": 0.451606, "a2": 0.203948, "g": 0.0, "h1": 0.140498, "h2": 0.203948}
    hub = {"a1": 0.0, "a2": 0.0, "g": 0.311108, "h1": 0.451606, "h2": 0.237286}
    assert dict(zip(PAGES, found.authority, strict=True)) == pytest.approx(authority, abs=1e-6)
    assert dict(zip(PAGES, found.hub, strict=True)) == pytest.approx(hub, abs=1e-6)


def test_bar_that_a_fifth_of_ten_pages_exceeds() -> None:
    values = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.9, np.nan])
    assert bar_of(values, 0.2) == 0.6


# X3, X4: a site with an index H, news N, a home page R and three products, of which A1 and A2 are accepted
SITE = ["H", "N", "R", "A1", "A2", "A3"]
ON_SITE = "H→A1 H→A2 H→A3 H→R N→A1 N→R R→H R→N A1→H A1→R A2→H A2→R A3→H A3→R".split()


def run(authority: dict[str, float], hub: dict[str, float], rounds: int = 50) -> Scores:
    pins = Pins(*(np.array([known.get(page, np.nan) for page in SITE]) for known in (hub, authority)))
    return pinned_hits(link_matrix(*numbered(ON_SITE, SITE), len(SITE)), pins, Stop(rounds))


ACCEPTED = {"A1": 1.0, "A2": 1.0}
REJECTED = {"N": 0.0, "R": 0.0}
NO_HUBS = {"A1": 0.0, "A2": 0.0}


def test_pinned_hits_after_one_round() -> None:
    found = run(ACCEPTED | REJECTED, NO_HUBS, rounds=1)
    assert found.hub == pytest.approx([0.899229, 0.415029, 0.069171, 0, 0, 0.069171], abs=1e-6)
    assert found.authority == pytest.approx([0.115470, 0, 0, 1, 1, 0.375278], abs=1e-6)


def test_pinned_hits_until_nothing_changes() -> None:
    found = run(ACCEPTED | REJECTED, NO_HUBS)
    assert found.rounds == 47
    assert found.hub == pytest.approx([0.923533, 0.383520, 0, 0, 0, 0], abs=1e-6)
    assert found.authority == pytest.approx([0, 0, 0, 1, 1, 0.408044], abs=1e-6)


def test_pinned_hits_without_pins_for_what_was_rejected() -> None:
    found = run(ACCEPTED, NO_HUBS)
    assert found.hub == pytest.approx([0.762413, 0.438930, 0.091810, 0, 0, 0.269343], abs=1e-6)
    assert found.authority == pytest.approx([0.329421, 0.033611, 0.735610, 1, 1, 0.279111], abs=1e-6)


def test_known_hub_keeps_its_score() -> None:
    found = run(ACCEPTED | REJECTED | {"A3": 1.0, "H": 0.0}, NO_HUBS | {"A3": 0.0, "H": 0.923533})
    assert found.hub == pytest.approx([0.923533, 0.316228, 0, 0, 0, 0], abs=1e-6)


INIT = np.array([0.545100, 1 / 6, 1 / 6, 1.0, 1.0, 1 / 6])


def test_weights_flow_and_are_given_again() -> None:
    weights = propagate(link_matrix(*numbered(ON_SITE, SITE), len(SITE)), INIT)
    assert weights == pytest.approx([0.856968, 0.364124, 0.797938, 0.486858, 0.332106, 0.207106], abs=2e-6)


@pytest.mark.parametrize(("change", "rounds"), [(1e-6, 25), (1e-9, 36)])
def test_rounds_until_weights_are_settled(change: float, rounds: int) -> None:  # X4
    matrix = link_matrix(*numbered(ON_SITE, SITE), len(SITE))
    before, last, settled = (propagate(matrix, INIT, stop=Stop(rounds - n, 0.0)) for n in (2, 1, 0))
    assert max(abs(settled - last)) < change <= max(abs(last - before))


def test_what_reaches_a_page_without_links_is_lost() -> None:
    known = [link for link in ON_SITE if not link.startswith("A3")]
    weights = propagate(link_matrix(*numbered(known, SITE), len(SITE)), INIT)
    assert weights == pytest.approx([0.590614, 0.253823, 0.538407, 0.383380, 0.275506, 0.150506], abs=2e-6)


def test_pagerank() -> None:
    ranks = pagerank(*numbered("s→a s→b a→c b→c a→d".split(), list("abcds")), 5)
    assert ranks == pytest.approx([0.172257, 0.172257, 0.340511, 0.194092, 0.120882], abs=1e-6)

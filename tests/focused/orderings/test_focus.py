"""focused.orderings.focus: one number for the paper's four, hubs and what they promote, kill and resume."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.errors import SettingError
from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.hubs import distil
from focused.orderings.base import SEED_SCORE, Surroundings, make
from focused.orderings.focus import FLOOR, MAXIMUM, estimate, leads_of, packed, tries_of
from focused.orderings.soft_focus import SoftFocus
from focused.page import Page, PageReader
from focused.topic import Topic
from models.model import Example
from models.naive_bayes import NaiveBayes
from models.similarity import Similarity
from models.text import Text, Vocabulary


def bound(**arguments: Any) -> SoftFocus:
    vocabulary, ordering = Vocabulary(), SoftFocus(**arguments)
    model = Similarity(vocabulary, "bicycle clubs")
    ordering.bind(Surroundings(Topic("cycling", "bicycle clubs"), model, 0, vocabulary, LinkGraph()))
    return ordering


def read(ordering: SoftFocus, url: str, *links: str, relevance: float = 0.5) -> Page:
    body = "".join(f'<a href="{link}">x</a>' for link in links)
    page = PageReader(ordering.around.vocabulary).read(url, body.encode(), "text/html")
    page.relevance = relevance
    return page


def one(relevance: float, load: int, random: int) -> float:
    return float(packed(relevance, np.array([load]), np.array([random]))[0])


relevances = st.sampled_from([0.0, 1e-200, 1e-12, 0.1, 0.4, 0.4000001, 0.999999, 1.0])
rows = st.tuples(st.integers(0, 3), relevances, st.integers(0, 2047), st.integers(0, 1023))


@given(rows, rows)
def test_scores_are_in_the_order_of_tries_relevance_load_and_random(first: Any, second: Any) -> None:
    (tries, relevance, load, random), ordering = first, bound()
    key = (tries, -max(relevance, FLOOR), load, random)
    other = (second[0], -max(second[1], FLOOR), *second[2:])
    scores = []
    for times, value, pages, number in (first, second):
        score = one(value, pages, number)
        for tried in range(times):
            score = ordering.again(score, tried + 1)
        assert tries_of(np.array([score])).tolist() == [times]
        scores.append(score)
    if first[0] == second[0] == 0:
        assert (scores[0] > scores[1]) == (key < other)
    elif key[:2] != other[:2]:  # a link that failed keeps its place by tries and relevance; the last digits are gone
        assert scores[0] >= scores[1] if key < other else scores[0] <= scores[1]


def test_a_score_reads_as_the_relevance() -> None:
    assert one(0.25, 7, 3) == pytest.approx(0.25, rel=1e-9)
    assert one(0.0, 0, 0) == pytest.approx(math.exp(-700), rel=1e-9)
    assert one(0.5, 5000, 0) < one(0.5, 2046, 1023)  # loads beyond the digits count as the highest


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_an_estimate_is_the_relevance_up_to_a_thousandth_and_falls_with_the_doubt(doubt: float, other: float) -> None:
    assert estimate(1 - doubt, doubt) == pytest.approx(1 - doubt, abs=1e-3)
    if doubt < other:
        assert estimate(1 - doubt, doubt) >= estimate(1 - other, other)


def test_pages_of_which_the_model_is_sure_are_told_apart_by_its_doubt() -> None:
    """Both have relevance 1; if they were equal, the load would decide, and one page of every server came first."""
    ordering, vocabulary = bound(), Vocabulary()
    texts = {"relevant": "bicycle wheel saddle " * 3, "other": "garden seed flower " * 3}
    examples = [Example(Text(vocabulary, text).terms, label) for label, text in texts.items()]
    ordering.around = ordering.around._replace(model=NaiveBayes.fit(vocabulary, examples), vocabulary=vocabulary)
    scores = []
    for words, site in ((200, "often"), (100, "never")):
        body = f'{"bicycle wheel " * words}<a href="http://{site}.example/1">x</a>'.encode()
        page = PageReader(vocabulary).read("http://a.example/", body, "text/html")
        page.take(ordering.around.model.judge(page))
        assert page.relevance == 1.0
        ordering.found(read(ordering, "http://often.example/"), [], np.zeros(0, np.int64))
        scores += ordering.score(page).tolist()
    assert scores[0] > scores[1]


def test_links_to_servers_that_gave_much_come_later() -> None:
    ordering = bound()
    for _ in range(2):
        ordering.found(read(ordering, "http://b.example/"), [], np.zeros(0, np.int64))
    page = read(ordering, "http://a.example/", "http://b.example/1", "http://c.example/1", "/1")
    loads = 2047 - (ordering.score(page).view(np.uint64) >> np.uint64(10) & np.uint64(2047))
    assert loads.tolist() == [2, 0, 1]  # of its own site this page was had
    assert np.argmax(ordering.score(page)) == 1
    assert ordering.terms(page, 0) == {"page": 0.5, "load": 2.0}


def test_a_quantum_lets_the_load_decide_between_like_relevances() -> None:
    plain, coarse = bound(), bound(relevance_quantum=0.5)
    for ordering in (plain, coarse):
        ordering.found(read(ordering, "http://b.example/"), [], np.zeros(0, np.int64))
        better = read(ordering, "http://a.example/", "http://b.example/1", relevance=0.9)
        worse = read(ordering, "http://a.example/", "http://c.example/1", relevance=0.8)
        assert (ordering.score(better)[0] > ordering.score(worse)[0]) == (ordering is plain)


def test_a_link_found_again_stays_among_those_tried_as_often() -> None:
    ordering = bound()
    old = np.array([0.3, ordering.again(0.3, 1), ordering.again(ordering.again(0.3, 1), 2), 0.6, SEED_SCORE])
    combined = ordering.combine(old, np.full(5, 0.5))
    assert combined.tolist() == pytest.approx([0.5, -1.5, -3.5, 0.6, SEED_SCORE])
    assert bound(estimate="first").combine(old, np.full(5, 0.5)).tolist() == old.tolist()


def test_a_seed_that_fails_waits_behind_all_that_was_never_tried() -> None:
    assert -2 < bound().again(SEED_SCORE, 1) <= 0 < one(0.0, 2047, 1023)


def linked() -> LinkGraph:
    """Pages 1 and 2 are had, on sites 1 and 2. 1 → 3 (site 1), 4, 5 (sites 3, 4) and 6 (had, site 5); 2 → 5, 6."""
    graph = LinkGraph()
    graph.enter(range(1, 7), [1, 2, 1, 3, 4, 5])
    graph.add(1, [3, 4, 5, 6])
    graph.add(2, [5, 6])
    for page in (1, 2, 6):
        graph.judge(page, 0.9)
    return graph


def test_leads_are_on_other_servers_and_were_not_had() -> None:
    assert leads_of(linked(), np.array([1, 2])) == ((1, 4), (1, 5))
    assert leads_of(linked(), np.array([2, 1])) == ((2, 5), (1, 4))
    assert leads_of(linked(), np.zeros(0, np.int64)) == ()


def with_pages(ordering: SoftFocus, pages: int) -> SoftFocus:
    for number in range(pages):
        ordering.found(read(ordering, f"http://site{number}.example/"), [], np.zeros(0, np.int64))
    return ordering


def revised(ordering: SoftFocus) -> Any:
    work = ordering.revise()
    assert work is not None
    return work()


def test_best_hubs_promote_what_they_link_to_at_the_next_revision() -> None:
    ordering, frontier = bound(promote_every=3), Frontier()
    ordering.around.graph.__dict__.update(linked().__dict__)
    frontier.push([4, 5, 7], [3, 4, 9], [0.001, 0.95, 0.2])
    assert ordering.pick(frontier, 0.0) == 5
    frontier.push([5], [4], [0.95])
    assert revised(ordering).rescored is None  # nothing was distilled before
    found = revised(ordering)
    assert found.rescored.ids.tolist() == [4] and found.rescored.scores.tolist() == [MAXIMUM]
    assert found.events == [("promoted", "page 4: hub 1 links to it")]
    assert revised(ordering).rescored is None  # not before three more pages


def test_all_that_the_best_hubs_link_to_is_promoted_where_nothing_is_good_enough() -> None:
    ordering, frontier = bound(promote_every=3, poor=1.0), Frontier()
    ordering.around.graph.__dict__.update(linked().__dict__)
    frontier.push([4, 5, 7], [3, 4, 9], [one(1.0, 5, 5), ordering.again(0.9, 1), 0.2])
    ordering.pick(Frontier(), 0.0)
    ordering._waiting = frontier
    revised(ordering)
    assert revised(ordering).rescored.ids.tolist() == [4]  # 5 was tried before, no hub links to 7


def test_a_distillation_begins_with_the_last_one_and_ends_at_the_same_hubs() -> None:
    """A chain of hubs that share authorities: power iteration needs many rounds from an even start."""
    ordering, size = bound(), 30
    graph = ordering.around.graph
    graph.enter(np.arange(1, 2 * size + 1), np.arange(1, 2 * size + 1))
    for page in range(1, 2 * size + 1):
        graph.judge(page, 0.9)
    for hub in range(1, size):
        graph.add(hub, [size + hub, size + hub + 1, 2 * size])
    rounds: list[int] = []

    def counted(*args: Any) -> Any:
        rounds.append((found := distil(*args)).rounds)
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("focused.orderings.focus.distil", counted)
        cold, warm = revised(ordering).hubs, revised(ordering).hubs
        twin = bound()
        twin.around.graph.__dict__.update(graph.__dict__)
        twin.restore(json.loads(json.dumps(ordering.state())))
        again = revised(twin).hubs
    assert rounds[1] < rounds[0] and rounds[2] < rounds[0]
    for found in (warm, again):
        assert found.ids.tolist() == cold.ids.tolist()
        assert np.abs(found.hub - cold.hub).max() < 1e-4


def test_nothing_is_distilled_if_not_wanted() -> None:
    assert bound(distil=False).revise() is None


def test_what_is_remembered_is_told_once_and_taken_back() -> None:
    ordering = with_pages(bound(promote_every=3), 10)
    ordering.around.graph.__dict__.update(linked().__dict__)
    ordering.pick(Frontier(), 0.0)
    revised(ordering)
    revised(ordering)
    parts = json.loads(json.dumps(ordering.state()))
    assert parts["promoted_at"] == 3 and parts["load.site3.example"] == 1
    assert ordering.state() == {}
    twin = bound(promote_every=3)
    twin.restore(parts)
    assert twin == ordering and twin.state() == {}


IMPOSSIBLE = "rho=0 rho=1.5 poor=0 poor=2 relevance_quantum=-1 hubs=-1 promote_every=0 estimate=mean".split()


@pytest.mark.parametrize("given", IMPOSSIBLE)
def test_impossible_arguments_are_refused(given: str) -> None:
    with pytest.raises(SettingError, match=given.split("=")[0]):
        make(SoftFocus, given)

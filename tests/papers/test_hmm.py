"""Batsakis 2007: worked numbers of the HMM crawler and the hybrids (B-19 to B-26; examples B6 to B8, B10, B11)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from focused.graph import LinkGraph
from focused.orderings import hmm as orderings
from focused.orderings.base import Surroundings
from focused.page import Page, PageReader
from focused.sessions import Step, browsed
from focused.topic import Topic
from models.browsing import Browsing
from models.groups import bic, xmeans
from models.hmm import Browsed, Hmm, counted_chances, packed, states_of
from models.model import OTHER, RELEVANT, Example
from models.similarity import Similarity
from models.text import Text, Vocabulary

ALL_ALIKE = (1000, {})  # no term is in the table: all have the same idf, and weights are counts
PI = np.array([0.2, 0.3, 0.5])
A = np.array([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.1, 0.5, 0.4]])
B = np.array([[0.1, 0.2, 0.7], [0.2, 0.6, 0.2], [0.7, 0.2, 0.1]])


def walk(hmm: Hmm, clusters: list[int]) -> list[np.ndarray]:
    alphas: list[np.ndarray] = []
    for cluster in clusters:
        alphas.append(hmm.alpha(alphas[-1] if alphas else None, cluster))
    return alphas


def test_parameters_are_counted_from_sessions() -> None:  # B6: h-l-t1, h-n-l-t2, n-o
    paths = ["h l t1", "h n l t2", "n o"]
    steps = [
        Step(f"http://{page}.example/", f"http://{before}.example/" if before else "", page in ("t1", "t2"), page)
        for path in paths
        for before, page in zip(["", *path.split()], path.split(), strict=False)
    ]
    found = browsed(steps, Vocabulary())
    names = [page.url[7:-9] for page in found.pages]
    assert names == ["h", "l", "t1", "n", "t2", "o"]
    relevant = [number for number, page in enumerate(found.pages) if page.label == RELEVANT]
    states = states_of(len(names), found.links, relevant, 3)
    assert dict(zip(names, states.tolist(), strict=True)) == {"h": 2, "l": 1, "n": 2, "o": 2, "t1": 0, "t2": 0}
    clusters = np.array([{"l": 1, "t1": 2, "t2": 2}.get(name, 0) for name in names])
    hmm = counted_chances(states, found.links, clusters, 3)
    assert hmm.pi == pytest.approx([0.333333, 0.166667, 0.5], abs=1e-6)
    a = [[0.333333] * 3, [0.6, 0.2, 0.2], [0.142857, 0.428571, 0.428571]]
    b = [[0.2, 0.2, 0.6], [0.25, 0.5, 0.25], [0.666667, 0.166667, 0.166667]]
    assert hmm.a == pytest.approx(np.array(a), abs=1e-6)
    assert hmm.b == pytest.approx(np.array(b), abs=1e-6)


def test_the_normalised_recursion() -> None:  # B7
    hmm = Hmm(PI, A, B)
    alphas = walk(hmm, [0, 1, 2])
    table = [(0.046512, 0.139535, 0.813953), (0.097826, 0.721014, 0.181159), (0.806972, 0.155158, 0.037870)]
    for alpha, expected in zip(alphas, table, strict=True):
        assert alpha == pytest.approx(expected, abs=1e-6)
    ahead = [hmm.ahead(alpha) for alpha in alphas]
    assert [a.one for a in ahead] == pytest.approx([0.188372, 0.499638, 0.500368], abs=1e-6)
    assert [a.two for a in ahead] == pytest.approx([0.406744, 0.467971, 0.453934], abs=1e-6)


def test_what_is_expected_next() -> None:  # B7: the state of a page behind a link, before it shows anything
    hmm = Hmm(PI, A, np.ones((3, 1)))
    expected = [(0.188372, 0.462791, 0.348837), (0.499638, 0.336232, 0.164130), (0.500368, 0.307574, 0.192058)]
    for alpha, after in zip(walk(Hmm(PI, A, B), [0, 1, 2]), expected, strict=True):
        assert hmm.alpha(alpha, 0) == pytest.approx(after, abs=1e-6)


def test_unnormalised_chances_shrink_with_every_step() -> None:  # B7
    expected = [(0.02, 0.06, 0.35), (0.0162, 0.1194, 0.03), (0.057918, 0.011136, 0.002718)]
    for alpha, found in zip(walk(Hmm(PI, A, B, normalised=False), [0, 1, 2]), expected, strict=True):
        assert alpha == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize(
    ("hmm", "chances"),
    [
        (Hmm(PI, A, B, literal_seed=True), [0.276159, 0.504366, 0.500256]),
        (Hmm(PI, A, B, recursion="max"), [0.188372, 0.495007, 0.503533]),
        (Hmm(PI, A, B, normalised=False), [0.081, 0.082740, 0.035912]),
    ],
)
def test_other_readings_of_the_recursion(hmm: Hmm, chances: list[float]) -> None:  # B7
    assert [hmm.ahead(alpha).one for alpha in walk(hmm, [0, 1, 2])] == pytest.approx(chances, abs=1e-6)


def test_a_cluster_no_state_shows_leaves_what_was_expected() -> None:  # B7
    hmm = Hmm(PI, A, np.hstack([B, np.zeros((3, 1))]))
    assert walk(hmm, [0, 3])[1] == pytest.approx([0.188372, 0.462791, 0.348837], abs=1e-6)


def test_of_near_ties_the_better_second_step_wins() -> None:  # B-24: 0.412 and 0.418 share bin 41
    first, second = packed(np.array([0.412]), 0.301, 0.01)[0], packed(np.array([0.418]), 0.352, 0.01)[0]
    assert math.floor(first / 0.01) == math.floor(second / 0.01) == 41
    assert second > first
    assert packed(np.array([0.412]), 0.352, 0.01)[0] > packed(np.array([0.418]), 0.301, 0.01)[0]
    assert packed(np.array([0.421]), 0.0, 0.01)[0] > second


@pytest.mark.parametrize(
    ("points", "one", "two"),
    [([0, 0.1, 0.2, 5, 5.1, 5.2], -15.853298, -1.440523), ([0, 0.1, 0.2, 0.3, 0.4, 0.5], 0.251831, -1.440523)],
)
def test_bic_decides_whether_a_group_is_two(points: list[float], one: float, two: float) -> None:  # B10
    rows = csr_array(np.array(points)[:, None])
    halves = np.array([0, 0, 0, 1, 1, 1])
    assert bic(rows, np.zeros(6, np.int64)) == pytest.approx(one, abs=1e-6)
    assert bic(rows, halves) == pytest.approx(two, abs=1e-6)
    assert (len(set(xmeans(rows).tolist())) > 1) == (two > one)


def made(vocabulary: Vocabulary, pages: list[tuple[str, int]]) -> Browsing:
    """Browsing with the clusters given instead of found."""
    examples = [Example(vocabulary.ids(text.split()), RELEVANT, url=text) for text, _ in pages]
    found = Browsing.fit(vocabulary, Browsed(examples, []))
    return Browsing(vocabulary, found.parts._replace(groups=np.array([group for _, group in pages])))


def test_the_cluster_of_a_page_is_that_of_its_neighbours() -> None:  # B11
    vocabulary = Vocabulary(ALL_ALIKE)
    browsing = made(vocabulary, [("linux", 4), ("linux kernel", 4), ("news", 0), ("garden", 1)])
    page = vocabulary.ids(["linux", "linux", "news"])
    assert browsing.similarities(page) == pytest.approx([0.894427, 0.632456, 0.447214, 0.0], abs=1e-6)
    assert browsing.cluster(page) == 4


def test_weights_of_a_page_are_those_of_the_vector_space_model() -> None:  # B1: tf = f / max f, idf of a fixed table
    vocabulary = Vocabulary((1000, {"linux": 50, "kernel": 20, "new": 500}))
    page = Example(vocabulary.ids("linux linux kernel news".split()), RELEVANT)
    parts = Browsing.fit(vocabulary, Browsed([page], [])).parts  # the mean of one page is the page
    weights = dict(zip(parts.terms, parts.centre, strict=True))
    assert weights == pytest.approx({"kernel": 1.956012, "linux": 2.995732, "new": 0.346574}, abs=1e-6)


def test_the_centre_is_the_mean_of_the_relevant_pages() -> None:  # B8
    vocabulary = Vocabulary(ALL_ALIKE)
    texts = [("linux linux kernel", RELEVANT), ("linux shell shell", RELEVANT), ("garden", OTHER)]
    examples = [Example(vocabulary.ids(text.split()), label) for text, label in texts]
    browsing = Browsing.fit(vocabulary, Browsed(examples, []))
    weights = dict(zip(browsing.parts.terms, browsing.parts.centre / math.log(1000), strict=True))
    assert weights == pytest.approx({"garden": 0.0, "kernel": 0.25, "linux": 0.75, "shell": 0.5}, abs=1e-6)
    page = Text(vocabulary, "linux news")
    assert browsing.relevant.judge(page).relevance == pytest.approx(0.566947, abs=1e-6)


class Fixed(Similarity):
    """A centre that every page and every anchor is similar to by a given number."""

    def __init__(self, page: float, anchor: float) -> None:
        self.similarities = page, anchor

    def judge(self, page: object) -> object:  # type: ignore[override]
        return type("Judged", (), {"relevance": self.similarities[0]})

    def judge_spans(self, terms: object, starts: np.ndarray, ends: object) -> np.ndarray:  # type: ignore[override]
        return np.full(len(starts), self.similarities[1])


def bound(ordering: orderings.Hmm, hmm: Hmm, cluster: int, centre: Fixed) -> orderings.Hmm:
    """The ordering with chances of its own; every page shows that cluster."""
    vocabulary, steps = Vocabulary(ALL_ALIKE), [Step("http://b.example/", "", True, "linux shell")]
    model = Similarity(vocabulary, "linux")
    ordering.bind(Surroundings(Topic("t", "linux"), model, 0, vocabulary, LinkGraph(), sessions=lambda: steps))
    parts = ordering._browsing.parts
    ordering._browsing = Browsing(vocabulary, parts._replace(groups=np.array([cluster]), hmm=hmm))
    ordering._browsing.relevant = centre
    return ordering


def page_of(ordering: orderings.Hmm, trail: dict[str, list[float]]) -> Page:
    """A page with one link."""
    body = b'<p>linux <a href="/1">shell</a></p>'
    page = PageReader(ordering.around.vocabulary).read("http://a.example/", body, "text/html")
    page.trail = trail
    return page


@pytest.mark.parametrize(("hybrid", "expected"), [("none", 0.499638), ("page", 0.649819), ("anchor", 0.549819)])
def test_hybrids_mix_the_chance_with_similarities(hybrid: str, expected: float) -> None:  # B8, eq. 11 and 12
    made = orderings.Hmm(hybrid=hybrid, states=3, epsilon=1e-9)
    ordering = bound(made, Hmm(PI, A, B), 1, Fixed(page=0.8, anchor=0.4))
    page = page_of(ordering, {"alpha": walk(Hmm(PI, A, B), [0])[0].tolist()})
    assert ordering.score(page) == pytest.approx([expected], abs=1e-6)
    assert page.links[0].trail == {"alpha": pytest.approx([0.097826, 0.721014, 0.181159], abs=1e-6)}


# B8, Figure 10: from the states of p1 and p2 a relevant page is as near by one step, and by two 0.45 against 0.30.
NEXT = np.array(
    [[0.3, 0.7, 0, 0, 0], [0.5, 0, 0, 0.5, 0], [0.5, 0, 0, 0, 0.5], [0.6, 0, 0, 0.4, 0], [0.3, 0, 0, 0, 0.7]]
)
FIGURE_10 = Hmm(np.full(5, 0.2), NEXT, np.eye(5))  # each state shows a cluster of its own
P1, P2 = (1, Fixed(page=0.1, anchor=0.0)), (2, Fixed(page=0.7, anchor=0.0))  # cluster, similarity


def score_of(ordering: orderings.Hmm, cluster: int, centre: Fixed) -> float:
    made = bound(ordering, FIGURE_10, cluster, centre)
    return float(made.score(page_of(made, {}))[0])


def test_the_situation_of_figure_10() -> None:
    steps = [FIGURE_10.ahead(FIGURE_10.alpha(None, cluster)) for cluster, _ in (P1, P2)]
    assert steps == [(0.5, pytest.approx(0.45)), (0.5, pytest.approx(0.30))]
    alone = [score_of(orderings.Hmm(hybrid="none", states=5), *page) for page in (P1, P2)]
    assert alone[0] > alone[1]  # hidden states alone take p1: the second step decides
    hybrid = [score_of(orderings.Hmm(hybrid="page", states=5, epsilon=1e-9), *page) for page in (P1, P2)]
    assert hybrid == pytest.approx([0.3, 0.6], abs=1e-6)  # the hybrid takes p2

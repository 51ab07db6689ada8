"""The hidden Markov model of browsing: chances, clusters, what is kept of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from models.browsing import Browsing
from models.groups import kmeans, xmeans
from models.hmm import Browsed, Hmm, counted_chances, packed, states_of
from models.model import OTHER, RELEVANT, Example, ModelError, ModelFileError
from models.saved import Saved, read, write
from models.text import Vocabulary

PAGES = [
    ("bicycle clubs racing", RELEVANT),
    ("bicycle touring clubs", RELEVANT),
    ("sports news today", OTHER),
    ("football news league", OTHER),
    ("soup recipes kitchen", OTHER),
    ("cake recipes kitchen", OTHER),
    ("stock market bank", OTHER),
    ("bank loans market", OTHER),
    ("star planet telescope", OTHER),
    ("telescope galaxy star", OTHER),
]
LINKS = [(2, 0), (3, 2), (4, 5), (6, 7), (2, 1), (8, 9), (9, 2)]


def fit(vocabulary: Vocabulary, clusters: str = "kmeans") -> Browsing:
    examples = [Example(vocabulary.ids(text.split()), label) for text, label in PAGES]
    return Browsing.fit(vocabulary, Browsed(examples, LINKS), clusters)


def rows(points: list[list[float]]) -> csr_array:
    return csr_array(np.array(points))


def test_the_fifth_cluster_holds_the_relevant_pages() -> None:
    groups = fit(Vocabulary()).parts.groups
    assert groups[:2].tolist() == [4, 4]
    assert sorted(set(groups[2:].tolist())) == [0, 1, 2, 3]
    assert all(groups[n] == groups[n + 1] for n in (2, 4, 6, 8))  # of each two that share words


def test_few_other_pages_give_few_clusters() -> None:
    vocabulary = Vocabulary()
    examples = [Example(vocabulary.ids([word]), label) for word, label in (("soup", OTHER), ("bicycle", RELEVANT))]
    assert Browsing.fit(vocabulary, Browsed(examples, [(0, 1)])).parts.groups.tolist() == [0, 1]
    assert Browsing.fit(vocabulary, Browsed(examples[1:], [])).parts.groups.tolist() == [0]


@pytest.mark.parametrize("clusters", ["kmeans", "xmeans"])
def test_pages_of_sessions_find_their_own_cluster(clusters: str) -> None:
    vocabulary = Vocabulary()
    browsing = fit(vocabulary, clusters)
    own = vocabulary.ids("bicycle clubs touring racing".split())
    assert browsing.cluster(own) == browsing.parts.groups[0]
    assert browsing.hmm.pi.sum() == pytest.approx(1)


def test_a_page_like_no_other_belongs_to_the_largest_cluster_that_is_not_relevant() -> None:
    vocabulary = Vocabulary()
    browsing = fit(vocabulary)
    others = browsing.parts.groups[2:]
    assert browsing.cluster(vocabulary.ids(["zebra"])) == np.bincount(others).argmax()
    assert browsing.cluster(vocabulary.ids([])) == np.bincount(others).argmax()


def test_of_clusters_with_as_many_votes_that_of_the_nearest_page_wins() -> None:
    vocabulary = Vocabulary()
    browsing = fit(vocabulary)
    page = vocabulary.ids("racing sports sports sports cake".split())
    nearest = int(browsing.similarities(page).argmax())
    votes = browsing.parts.groups[np.argsort(-browsing.similarities(page), kind="stable")[:3]]
    assert len(set(votes.tolist())) == 3
    assert browsing.cluster(page) == browsing.parts.groups[nearest] != 4


def test_what_is_kept_judges_the_same_with_other_ids(tmp_path: Path) -> None:
    vocabulary = Vocabulary()
    browsing = fit(vocabulary)
    write(tmp_path / "browsing", browsing.saved(), {})
    stranger = Vocabulary()
    stranger.ids("zebra telescope cake bank other words first".split())
    again = Browsing.restored(stranger, read(tmp_path / "browsing")[0])
    for text, _ in [*PAGES, ("bicycle soup", ""), ("zebra", "")]:
        here, there = vocabulary.ids(text.split()), stranger.ids(text.split())
        assert np.array_equal(browsing.similarities(here), again.similarities(there))
        assert browsing.cluster(here) == again.cluster(there)
        spans = np.array([0], np.int32), np.array([len(here)], np.int32)
        assert browsing.relevant.judge_spans(here, *spans) == again.relevant.judge_spans(there, *spans)
    assert all(np.array_equal(getattr(browsing.hmm, name), getattr(again.hmm, name)) for name in ("pi", "a", "b"))


def test_what_another_model_kept_is_refused() -> None:
    with pytest.raises(ModelFileError, match="of kind 'svm'"):
        Browsing.restored(Vocabulary(), Saved("svm", {}, {}))


def test_browsing_that_teaches_nothing_is_refused() -> None:
    vocabulary = Vocabulary()
    page = Example(vocabulary.ids(["soup"]), OTHER)
    with pytest.raises(ModelError, match="No recorded page is relevant"):
        Browsing.fit(vocabulary, Browsed([page], []))
    with pytest.raises(ModelError, match="has a word"):
        Browsing.fit(vocabulary, Browsed([Example(vocabulary.ids([]), RELEVANT)], []))


def test_a_loop_does_not_change_the_distance_to_the_nearest_relevant_page() -> None:
    links = [(0, 1), (1, 2), (2, 0), (2, 3), (1, 1), (3, 2)]
    assert states_of(5, links, [3], 4).tolist() == [3, 2, 1, 0, 3]
    assert states_of(5, links, [3], 2).tolist() == [1, 1, 1, 0, 1]


@given(st.data())
def test_chances_are_chances(data: st.DataObject) -> None:
    pages, size = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 5))
    number = st.integers(0, pages - 1)
    links = data.draw(st.lists(st.tuples(number, number), max_size=20))
    states = states_of(pages, links, data.draw(st.lists(number, min_size=1)), size)
    clusters = np.array(data.draw(st.lists(st.integers(0, 3), min_size=pages, max_size=pages)))
    hmm = counted_chances(states, links, clusters, size)
    alpha = hmm.alpha(None, int(clusters[0]))
    for cluster in clusters.tolist():
        alpha = hmm.alpha(alpha, cluster)
        assert alpha.sum() == pytest.approx(1)
        assert 0 < hmm.ahead(alpha).one < 1


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8), st.sampled_from([0.01, 0.05, 0.2])
)
def test_packed_scores_order_by_bin_then_second_step_then_first(
    pairs: list[tuple[float, float]], epsilon: float
) -> None:
    keys = [(np.floor(one / epsilon + 1e-9), int(two * 2**20)) for one, two in pairs]
    scores = [packed(np.array([one]), two, epsilon)[0] for one, two in pairs]
    for (one, score), (other, another) in zip(
        zip(keys, scores, strict=True), zip(keys[1:], scores[1:], strict=True), strict=False
    ):
        if one < other and max(one[1], other[1]) < 2**20:
            assert score < another
    assert packed(np.array([0.413, 0.411]), 0.3, 0.01).argmax() == 0


def test_unnormalised_chances_of_nothing_stay_nothing() -> None:
    hmm = Hmm(np.zeros(2), np.full((2, 2), 0.5), np.ones((2, 1)), normalised=False)
    assert hmm.alpha(None, 0).tolist() == [0.0, 0.0]


def test_kmeans_finds_groups_that_are_apart_and_needs_no_luck() -> None:
    dice = np.random.default_rng(1)
    centres = np.array([[0, 0], [9, 0], [0, 9], [9, 9]])
    points = np.concatenate([centre + dice.normal(0, 0.5, (20, 2)) for centre in centres])
    groups = kmeans(csr_array(points), 4)
    assert sorted(np.bincount(groups).tolist()) == [20, 20, 20, 20]
    assert all(len(set(groups[n : n + 20].tolist())) == 1 for n in range(0, 80, 20))
    assert len(set(xmeans(csr_array(points), least=2).tolist())) == 4


def test_kmeans_of_fewer_different_rows_than_groups() -> None:
    assert kmeans(rows([[1.0, 0.0]] * 5), 4).tolist() == [0] * 5
    assert len(set(kmeans(rows([[1.0, 0.0], [0.0, 1.0]] * 3), 4).tolist())) == 2
    assert kmeans(rows([[1.0]]), 4).tolist() == [0]
    assert kmeans(csr_array((0, 3)), 4).tolist() == []

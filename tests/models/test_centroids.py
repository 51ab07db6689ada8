from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_distances
from threadpoolctl import threadpool_limits

from models.centroids import Centroids, best_lam, confidences, error_of, held_out
from models.clusters import clustered, clusters_for
from models.model import OTHER, RELEVANT, Example, ModelError
from models.text import Text, Vocabulary

WORDS = ["bicycle", "race", "garden", "rose", "planet", "stock", "saddle", "gear", "soup", "tulip"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=9)
HORSES = [
    "horse saddle rein",
    "horse pony stable hay",
    "pony rider saddle",
    "stable hay horse rein",
    "rider horse rein",
]
STARS = ["planet star orbit", "star telescope night", "orbit planet moon", "moon night star", "telescope orbit star"]


def whole(word: str) -> str:
    """No stemming: scikit-learn does none."""
    return word


def made(vocabulary: Vocabulary, texts: Sequence[str], label: str, per_site: int = 1) -> list[Example]:
    rows = enumerate(texts)
    return [Example(Text(vocabulary, text).terms, label, f"{label}{n // per_site}.example") for n, text in rows]


def horses(vocabulary: Vocabulary) -> list[Example]:
    return made(vocabulary, HORSES, RELEVANT) + made(vocabulary, STARS, OTHER)


@cache
def words_model() -> tuple[Vocabulary, Centroids]:
    vocabulary = Vocabulary()
    examples = made(vocabulary, WORDS[:5], RELEVANT) + made(vocabulary, WORDS[5:], OTHER)
    return vocabulary, Centroids.fit(vocabulary, examples)


@settings(max_examples=30, deadline=None)
@given(TEXTS, TEXTS, st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=15))
def test_distances_are_those_that_scikit_learn_finds(wanted: list[str], other: list[str], page: list[str]) -> None:
    vocabulary = Vocabulary(stem=whole)
    model = Centroids.fit(vocabulary, made(vocabulary, wanted, RELEVANT) + made(vocabulary, other, OTHER))
    vectors = TfidfVectorizer().fit([*other, *wanted])  # smooth idf, unit length
    expected = []
    for texts in (other, wanted):
        means = KMeans(clusters_for(len(texts)), n_init=10, random_state=0)
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            means.fit(vectors.transform(texts))
        expected.append(cosine_distances(vectors.transform([" ".join(page)]).toarray(), means.cluster_centers_).min())
    judgement = model.judge(Text(vocabulary, " ".join(page)))
    assert judgement.classes is not None
    assert list(judgement.classes.values()) == pytest.approx(confidences(np.array(expected)).tolist(), abs=1e-9)
    assert list(judgement.classes) == [OTHER, RELEVANT]


@settings(deadline=None)  # the first example trains the model
@given(st.lists(st.lists(st.sampled_from([*WORDS, "the", "unheard"]), max_size=8), max_size=12))
def test_all_anchors_at_once_are_judged_as_one_by_one(texts: list[list[str]]) -> None:
    vocabulary, model = words_model()
    ends = np.cumsum([len(text) for text in texts]).astype(np.int32)
    starts = (ends - np.array([len(text) for text in texts])).astype(np.int32)
    together = model.judge_spans(vocabulary.ids([word for text in texts for word in text]), starts, ends)
    one_by_one = [model.judge(Text(vocabulary, " ".join(text))).relevance for text in texts]
    assert together.tolist() == one_by_one


def test_pages_are_relevant_on_the_side_of_their_class() -> None:
    vocabulary = Vocabulary()
    model = Centroids.fit(vocabulary, horses(vocabulary))
    horse = model.judge(Text(vocabulary, "the rider and his pony in the stable"))
    star = model.judge(Text(vocabulary, "a moon of the planet"))
    assert (horse.relevant, horse.best_class) == (True, RELEVANT)
    assert (star.relevant, star.best_class) == (False, OTHER)
    assert 0 <= star.relevance < 0.5 < horse.relevance <= 1


def test_a_page_of_unknown_words_says_nothing_and_is_not_relevant() -> None:
    vocabulary = Vocabulary()
    model = Centroids.fit(vocabulary, horses(vocabulary))
    for text in ("", "soup and bread"):
        judgement = model.judge(Text(vocabulary, text))
        assert judgement.classes == {OTHER: 0.5, RELEVANT: 0.5}
        assert (judgement.relevant, judgement.thin) == (False, True)


def test_a_class_of_two_kinds_of_pages_has_a_centroid_for_each() -> None:
    vocabulary = Vocabulary()
    shop, club = ["bicycle price basket order"] * 6, ["race rider mountain start"] * 6
    examples = made(vocabulary, [*shop, *club], RELEVANT) + made(vocabulary, ["rose tulip garden"] * 4, OTHER)
    model = Centroids.fit(vocabulary, examples)
    distances = model._distances.of_examples([examples[0], examples[-5]])
    assert distances[:, 1] == pytest.approx(0.0, abs=1e-9)


def test_of_three_classes_the_nearest_decides() -> None:
    vocabulary = Vocabulary()
    examples = horses(vocabulary) + made(vocabulary, ["rose tulip garden", "garden spade rose"], "gardening")
    model = Centroids.fit(vocabulary, examples)
    judgement = model.judge(Text(vocabulary, "horse and rider in the garden"))
    assert judgement.relevant
    assert judgement.relevance < 0.5
    assert sum((judgement.classes or {}).values()) == pytest.approx(1.0)


def test_evidence_adds_up_to_the_difference_of_the_distances() -> None:
    vocabulary = Vocabulary()
    model = Centroids.fit(vocabulary, horses(vocabulary))
    page = Text(vocabulary, "horse horse rider under the star of the moon")
    other, wanted = model._distances.of(page.terms, np.zeros(1, np.int32), np.array([len(page.terms)], np.int32))[0]
    evidence = model.evidence(page)
    assert evidence[0][0] == "hors"
    assert dict(evidence)["star"] < 0 < dict(evidence)["rider"]
    assert sum(share for _, share in evidence) == pytest.approx(other - wanted)
    assert model.evidence(Text(vocabulary, "")) == []


def test_a_kept_model_judges_the_same_with_other_ids() -> None:
    vocabulary, fresh = Vocabulary(), Vocabulary()
    fresh.ids("soup star night some words met before rider".split())
    model = Centroids.fit(vocabulary, horses(vocabulary), lam=0.5, p_err=0.2, threshold=0.6)
    again = Centroids.restored(fresh, model.saved())
    assert (again.lam, again.p_err, again.threshold) == (0.5, 0.2, 0.6)
    for text in ("horse and moon and soup and rider", "planet star", ""):
        assert again.judge(Text(fresh, text)) == model.judge(Text(vocabulary, text))
        assert again.evidence(Text(fresh, text)) == model.evidence(Text(vocabulary, text))


def test_training_twice_gives_the_same_model() -> None:
    vocabulary = Vocabulary()
    one, other = (Centroids.fit(vocabulary, horses(vocabulary)).saved() for _ in range(2))
    assert all((one.arrays[name] == other.arrays[name]).all() for name in one.arrays)


def test_terms_of_a_single_page_are_left_out_where_there_are_pages_enough() -> None:
    vocabulary = Vocabulary()
    examples = made(vocabulary, ["horse rider"] * 20 + ["horse zebra"], RELEVANT)
    examples += made(vocabulary, ["star moon"] * 9, OTHER)
    assert clustered(vocabulary, examples).terms == ["hors", "moon", "rider", "star"]


def test_the_error_is_measured_on_sites_that_were_not_learned_from() -> None:
    """Each site has a word of its own: whoever has seen the site knows its class, whoever has not can only guess."""
    vocabulary = Vocabulary()
    names = ["aach", "bonn", "celle", "dachau", "erfurt", "fulda", "gera", "hamm"]
    texts = [f"{name} page" for name in names for _ in range(5)]
    examples = made(vocabulary, texts[:20], RELEVANT, 5) + made(vocabulary, texts[20:], OTHER, 5)
    learned = Centroids.fit(vocabulary, examples, p_err="fit")
    assert learned.p_err > 0.3
    distances = learned._distances.of_examples(examples)
    right = np.array([learned.labels.index(example.label) for example in examples])
    assert error_of(distances, right) == 0.01  # on what it knows it makes none; no error is believed to be zero


def test_pages_of_the_only_site_of_a_class_are_held_out_one_by_one() -> None:
    vocabulary = Vocabulary()
    examples = made(vocabulary, HORSES, RELEVANT, 99) + made(vocabulary, STARS, OTHER)
    distances, right = held_out(vocabulary, examples)
    assert error_of(distances, right) <= 0.2
    assert distances.shape == (10, 2)


def test_lam_is_fitted_to_the_least_log_loss() -> None:
    sure = np.array([[0.05, 1.0]] * 9 + [[1.0, 0.05]])
    doubtful = np.array([[0.4, 0.9]] * 6 + [[0.9, 0.4]] * 4)
    assert best_lam(sure, np.zeros(10, np.int64)) < best_lam(doubtful, np.zeros(10, np.int64))
    mixed = np.array([[0.3, 0.8], [0.5, 0.6], [0.9, 0.7], [0.2, 0.9], [0.7, 0.6]])
    right = np.array([0, 0, 1, 0, 0])
    losses = {lam: -np.log(confidences(mixed, lam)[np.arange(5), right]).sum() for lam in np.linspace(0, 20, 401)}
    assert best_lam(mixed, right) == pytest.approx(min(losses, key=losses.__getitem__), abs=0.05)
    vocabulary = Vocabulary()
    examples = horses(vocabulary)
    assert Centroids.fit(vocabulary, examples, lam="fit").lam == best_lam(*held_out(vocabulary, examples)) != 1.0


def test_clusters_grow_with_the_root_of_the_pages() -> None:
    assert [clusters_for(pages) for pages in (0, 1, 2, 8, 50, 128, 10_000)] == [1, 1, 1, 2, 5, 8, 8]
    assert clusters_for(72) == math.isqrt(36)


@pytest.mark.parametrize(
    ("labels", "arguments", "told"),
    [
        ([], {}, "there are none"),
        ([RELEVANT], {}, "of another kind"),
        (["a", "b"], {}, "No example is labelled 'relevant', only a, b"),
        ([RELEVANT, OTHER], {"lam": "high"}, "lam='high' is neither a number nor 'fit'"),
        ([RELEVANT, OTHER], {"p_err": "fit"}, "two examples of each label"),
    ],
)
def test_what_cannot_be_learned_is_told_in_a_sentence(labels: list[str], arguments: dict[str, str], told: str) -> None:
    vocabulary = Vocabulary()
    examples = [Example(Text(vocabulary, "horse star").terms, label) for label in labels]
    with pytest.raises(ModelError, match=told):
        Centroids.fit(vocabulary, examples, **arguments)

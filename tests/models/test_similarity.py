from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from models.model import OTHER, RELEVANT, ModelError
from models.similarity import Similarity, best_threshold
from models.text import Text, Vocabulary
from tests.models import corpora

WORDS = ["bicycle", "race", "garden", "rose", "planet", "stock", "saddle", "gear"]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=40), st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)
)
def test_relevance_is_the_cosine_that_scikit_learn_computes(page: list[str], query: list[str]) -> None:
    vocabulary = Vocabulary((1, {}))  # idf = ln 1 = 0 for every term would hide everything: tf only
    model = Similarity(vocabulary, " ".join(query), idf=False)
    vectors = TfidfVectorizer(use_idf=False, norm="l2").fit_transform([" ".join(page), " ".join(query)])
    expected = cosine_similarity(vectors)[0, 1]
    assert model.judge(Text(vocabulary, " ".join(page))).relevance == pytest.approx(expected, abs=1e-9)


def test_a_page_without_a_word_of_the_query_has_no_relevance() -> None:
    vocabulary = Vocabulary()
    judgement = Similarity(vocabulary, "mountain biking").judge(Text(vocabulary, "soup and bread"))
    assert (judgement.relevance, judgement.relevant) == (0.0, False)


def test_the_threshold_divides_relevant_from_not() -> None:
    vocabulary = Vocabulary()
    text = Text(vocabulary, "mountain biking trails with a long tail of other words about soup")
    relevance = Similarity(vocabulary, "mountain biking").judge(text).relevance
    assert Similarity(vocabulary, "mountain biking", threshold=relevance).judge(text).relevant
    assert not Similarity(vocabulary, "mountain biking", threshold=relevance + 1e-9).judge(text).relevant


def test_evidence_names_the_words_that_made_it() -> None:
    vocabulary = Vocabulary()
    model = Similarity(vocabulary, "mountain biking clubs")
    evidence = model.evidence(Text(vocabulary, "the biking club, biking all day, soup"))
    assert [term for term, _ in evidence] == ["bike", "club"]
    assert sum(share for _, share in evidence) == pytest.approx(
        model.judge(Text(vocabulary, "the biking club, biking all day, soup")).relevance
    )


def test_a_query_of_stop_words_only_finds_nothing() -> None:
    vocabulary = Vocabulary()
    assert Similarity(vocabulary, "the and of").judge(Text(vocabulary, "bicycle")).relevance == 0.0


def test_examples_are_compared_with_their_centroid() -> None:
    vocabulary = Vocabulary()
    corpus = [(RELEVANT, "bicycle saddle"), (RELEVANT, "bicycle wheel"), (OTHER, "rose tulip")]
    model = Similarity.fit(vocabulary, corpora.examples(vocabulary, corpus))
    near, far = (model.judge(Text(vocabulary, text)) for text in ("wheel and saddle of a bicycle", "a rose, a tulip"))
    assert (near.relevant, far.relevant, far.relevance) == (True, False, 0.0)
    assert near.relevance > 0.9
    assert next(iter(dict(model.evidence(Text(vocabulary, "bicycle wheel"))))) == "bicycl"


def test_without_idf_the_centroid_is_the_mean_of_unit_vectors() -> None:
    vocabulary = Vocabulary()
    corpus = [(RELEVANT, "bicycle bicycle"), (RELEVANT, "wheel")]
    model = Similarity.fit(vocabulary, corpora.examples(vocabulary, corpus), idf=False)
    assert model.judge(Text(vocabulary, "bicycle")).relevance == pytest.approx(0.5**0.5)


def test_the_words_of_the_query_are_half_of_it() -> None:
    vocabulary = Vocabulary()
    examples = corpora.examples(vocabulary, [(RELEVANT, "bicycle"), (RELEVANT, "bicycle")])
    model = Similarity.fit(vocabulary, examples, query="rose", idf=False)
    assert [model.judge(Text(vocabulary, text)).relevance for text in ("rose", "bicycle")] == pytest.approx(
        [0.5**0.5] * 2
    )


def test_without_relevant_examples_there_is_no_centroid() -> None:
    vocabulary = Vocabulary()
    for corpus in ([], [(OTHER, "rose")], [(RELEVANT, "the")]):
        with pytest.raises(ModelError, match="No example labelled 'relevant' has a word"):
            Similarity.fit(vocabulary, corpora.examples(vocabulary, corpus))


@pytest.mark.parametrize(
    ("relevances", "wanted", "threshold"),
    [
        ([0.9, 0.7, 0.2, 0.1], [True, True, False, False], 0.45),
        ([0.9, 0.7, 0.2, 0.1], [True, False, True, False], 0.15),
        ([0.5, 0.5, 0.1], [True, False, False], 0.3),
        ([0.6, 0.4], [True, True], 0.2),
    ],
)
def test_the_threshold_lies_where_f_is_highest(relevances: list[float], wanted: list[bool], threshold: float) -> None:
    assert best_threshold(np.array(relevances), np.array(wanted)) == pytest.approx(threshold)

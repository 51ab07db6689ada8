from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from models.similarity import Similarity
from models.text import Text, Vocabulary

WORDS = ["bicycle", "race", "garden", "rose", "planet", "stock", "saddle", "gear"]


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

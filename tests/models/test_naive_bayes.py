from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import mutual_info_classif
from sklearn.naive_bayes import MultinomialNB

from models.columns import bags
from models.model import RELEVANT, Example, ModelError
from models.naive_bayes import NaiveBayes, information
from models.text import Text, Vocabulary
from tests.models import corpora


@settings(deadline=None)
@given(corpora.texts(), st.lists(st.sampled_from([*corpora.WORDS, "unknown"]), max_size=30))
def test_probabilities_are_those_of_scikit_learn(corpus: list[corpora.Text], words: list[str]) -> None:
    vocabulary, text = Vocabulary((10, {})), " ".join(words)
    model = NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus))
    counter = CountVectorizer(token_pattern=r"\w+")
    theirs = MultinomialNB().fit(counter.fit_transform([text for _, text in corpus]), [label for label, _ in corpus])
    expected = theirs.predict_proba(counter.transform([text]))[0]
    judgement = model.judge(Text(vocabulary, text))
    assert list((judgement.classes or {}).values()) == pytest.approx(expected, abs=1e-9)
    assert judgement.relevance == pytest.approx(expected[1], abs=1e-9)


@settings(deadline=None)
@given(corpora.texts(), st.lists(st.sampled_from([*corpora.WORDS, "the", "unknown"]), max_size=40), st.data())
def test_spans_are_judged_as_if_they_were_pages(
    corpus: list[corpora.Text], words: list[str], data: st.DataObject
) -> None:
    vocabulary = Vocabulary((10, {}))
    model = NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus))
    places = st.integers(0, len(words))
    spans = [sorted(pair) for pair in data.draw(st.lists(st.tuples(places, places), max_size=8))]
    starts, ends = np.array([*zip(*spans, strict=True)] or [[], []], np.int32)
    alone = [model.judge(Text(vocabulary, " ".join(words[start:end]))).relevance for start, end in spans]
    assert model.judge_spans(vocabulary.ids(words), starts, ends) == pytest.approx(alone, abs=1e-9)


@settings(deadline=None)
@given(corpora.texts(), st.lists(st.sampled_from(corpora.WORDS), max_size=30))
def test_evidence_and_prior_add_up_to_the_log_odds(corpus: list[corpora.Text], words: list[str]) -> None:
    vocabulary, page = Vocabulary((10, {})), " ".join(words)
    model = NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus))

    def odds(text: str) -> float:
        classes = model.judge(Text(vocabulary, text)).classes or {}
        return math.log(classes["relevant"]) - math.log(classes["other"])

    evidence = model.evidence(Text(vocabulary, page), most=100)
    assert sum(share for _, share in evidence) + odds("") == pytest.approx(odds(page), abs=1e-6)
    assert [abs(share) for _, share in evidence] == sorted((abs(share) for _, share in evidence), reverse=True)


@settings(deadline=None, max_examples=30)  # scikit-learn takes its time
@given(corpora.texts())
def test_what_a_word_tells_is_what_scikit_learn_computes(corpus: list[corpora.Text]) -> None:
    vocabulary = Vocabulary((10, {}))
    found = bags(vocabulary, corpora.examples(vocabulary, corpus))
    of = np.array([label == RELEVANT for label, _ in corpus], np.int64)
    present = np.zeros((len(corpus), len(found.terms)), np.int64)
    present[found.pages, found.words] = 1
    expected = mutual_info_classif(present, of, discrete_features=True)
    assert information(found, of) == pytest.approx(expected, abs=1e-9)


def test_with_few_features_only_the_most_telling_words_count() -> None:
    vocabulary = Vocabulary((10, {}))
    corpus = [
        ("relevant", "bicycle rose"),
        ("relevant", "bicycle stock"),
        ("other", "rose tulip"),
        ("other", "stock tulip"),
    ]
    model = NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus), features=2)
    assert sorted(term for term, _ in model.evidence(Text(vocabulary, "bicycle rose stock tulip"))) == [
        "bicycl",
        "tulip",
    ]


def test_more_than_two_labels_and_more_than_one_relevant() -> None:
    vocabulary = Vocabulary((10, {}))
    corpus = [("bikes", "bicycle saddle"), ("plants", "rose tulip"), ("money", "stock bond")]
    model = NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus), relevant=["bikes", "plants"])
    judgement = model.judge(Text(vocabulary, "rose and saddle"))
    classes = judgement.classes or {}
    assert judgement.relevance == pytest.approx(classes["bikes"] + classes["plants"])
    assert judgement.relevant
    assert model.judge(Text(vocabulary, "stock bond")).best_class == "money"
    assert model.evidence(Text(vocabulary, "tulip"))[0][0] == "tulip"


def test_a_page_without_a_known_word_has_the_prior_and_is_not_relevant() -> None:
    vocabulary = Vocabulary((10, {}))
    corpus = [("relevant", "bicycle"), ("relevant", "saddle"), ("other", "rose")]
    model = NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus))
    for text in ("", "zebra zebra", "the of and"):
        judgement = model.judge(Text(vocabulary, text))
        assert judgement.relevance == pytest.approx(2 / 3)
        assert (judgement.relevant, judgement.thin) == (False, True)


def test_a_long_page_is_neither_lost_nor_thin() -> None:
    vocabulary = Vocabulary((10, {}))
    model = NaiveBayes.fit(vocabulary, corpora.sites(vocabulary))
    judgement = model.judge(Text(vocabulary, "tulip orbit " * 50_000))
    assert math.log(judgement.relevance) == pytest.approx(-700)
    assert (judgement.best_class, judgement.thin) == ("other", False)


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        ([], "there are none"),
        ([("relevant", "bicycle")] * 3, "all 3 are 'relevant'"),
        ([("relevant", ""), ("other", "the of")], "No example has a word"),
        ([("good", "bicycle"), ("bad", "rose")], "No example is labelled 'relevant', .* use one of bad, good"),
    ],
)
def test_examples_nothing_can_be_learned_from_are_refused(corpus: list[corpora.Text], said: str) -> None:
    vocabulary = Vocabulary((10, {}))
    with pytest.raises(ModelError, match=said):
        NaiveBayes.fit(vocabulary, corpora.examples(vocabulary, corpus))


def test_labels_that_are_all_relevant_are_refused() -> None:
    vocabulary = Vocabulary((10, {}))
    made = [Example(vocabulary.ids(["bicycle"]), "a"), Example(vocabulary.ids(["rose"]), "b")]
    with pytest.raises(ModelError, match=r"All labels \(a, b\) are relevant"):
        NaiveBayes.fit(vocabulary, made, relevant=["a", "b"])

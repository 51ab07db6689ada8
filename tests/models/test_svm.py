from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from models.columns import bags
from models.folds import site_folds
from models.model import OTHER, RELEVANT, Example, ModelError
from models.svm import FOLDS, Svm, unit_vectors
from models.text import Text, Vocabulary
from tests.models import corpora

ROOT = Path(__file__).parents[2]
SEEDS = st.integers(0, 10_000)
TEXTS = st.lists(st.sampled_from([*corpora.WORDS, "unknown"]), max_size=30)


@settings(deadline=None, max_examples=15, phases=[Phase.generate])  # a fit takes its time
@given(SEEDS, st.integers(10, 24), st.sampled_from([0.1, 1.0, 10.0]), TEXTS)
def test_probabilities_are_those_of_scikit_learn(seed: int, pages: int, c: float, words: list[str]) -> None:
    vocabulary, corpus, text = Vocabulary((10, {})), corpora.labelled(pages, seed), " ".join(words)
    examples = corpora.sites(vocabulary, pages, seed)
    model, vectorizer = Svm.fit(vocabulary, examples, c=c), TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+")
    expected = vectorizer.fit_transform([text for _, text in corpus])
    vectors = unit_vectors(bags(vocabulary, examples), model.saved().arrays["idf"], pages)
    assert vectors.toarray() == pytest.approx(expected.toarray(), abs=1e-12)
    # From here on the very same vectors: the solver stops early, and makes more of a difference in the last bit.
    theirs = CalibratedClassifierCV(LinearSVC(C=c, dual=False), ensemble=False, cv=site_folds(examples, FOLDS))
    theirs.fit(vectors, [label for label, _ in corpus])
    relevance = theirs.predict_proba(vectorizer.transform([text]))[0][1]
    assert model.judge(Text(vocabulary, text)).relevance == pytest.approx(relevance, abs=1e-9)


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary((10, {}))


@pytest.fixture(scope="module")
def model(vocabulary: Vocabulary) -> Svm:
    return Svm.fit(vocabulary, corpora.sites(vocabulary))


@settings(deadline=None)
@given(words=TEXTS, data=st.data())
def test_spans_are_judged_as_if_they_were_pages(
    vocabulary: Vocabulary, model: Svm, words: list[str], data: st.DataObject
) -> None:
    places = st.integers(0, len(words))
    spans = [sorted(pair) for pair in data.draw(st.lists(st.tuples(places, places), max_size=8))]
    starts, ends = np.array([*zip(*spans, strict=True)] or [[], []], np.int32)
    alone = [model.judge(Text(vocabulary, " ".join(words[start:end]))).relevance for start, end in spans]
    assert model.judge_spans(vocabulary.ids(words), starts, ends) == pytest.approx(alone, abs=1e-9)


@settings(deadline=None)
@given(words=TEXTS)
def test_evidence_adds_up_to_the_log_odds(vocabulary: Vocabulary, model: Svm, words: list[str]) -> None:
    def odds(text: str) -> float:
        relevance = model.judge(Text(vocabulary, text)).relevance
        return math.log(relevance / (1 - relevance))

    shares = [share for _, share in model.evidence(Text(vocabulary, " ".join(words)), most=100)]
    assert sum(shares) + odds("") == pytest.approx(odds(" ".join(words)), abs=1e-9)


def test_it_tells_what_it_was_taught(vocabulary: Vocabulary, model: Svm) -> None:
    wanted, other = (model.judge(Text(vocabulary, text)) for text in ("bicycle race garden", "tulip orbit wheel"))
    assert (wanted.best_class, wanted.relevant) == (RELEVANT, True)
    assert (other.best_class, other.relevant) == (OTHER, False)
    assert other.relevance < 0.2 < 0.8 < wanted.relevance


def test_a_page_without_a_known_word_is_thin_and_not_relevant(vocabulary: Vocabulary) -> None:
    model = Svm.fit(vocabulary, corpora.sites(vocabulary), threshold=0.0)
    judgement = model.judge(Text(vocabulary, "zebra"))
    assert (judgement.relevant, judgement.thin) == (False, True)


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        ([], "there are none"),
        ([(RELEVANT, "bicycle")] * 3, "all 3 are 'relevant'"),
        ([("a", "bicycle"), ("b", "rose")], "No example is labelled 'relevant'"),
        ([(RELEVANT, "bicycle"), (OTHER, "rose")], "two examples of each label"),
        ([(RELEVANT, "rose"), (OTHER, "rose")] * 4, "cannot be told from each other"),
    ],
)
def test_examples_nothing_can_be_learned_from_are_refused(
    vocabulary: Vocabulary, corpus: list[corpora.Text], said: str
) -> None:
    with pytest.raises(ModelError, match=said):
        Svm.fit(vocabulary, corpora.examples(vocabulary, corpus))


def test_every_other_label_counts_as_other(vocabulary: Vocabulary) -> None:
    examples = corpora.sites(vocabulary)
    renamed = [
        Example(page.terms, page.label if page.label == RELEVANT else f"other {number}", page.site)
        for number, page in enumerate(examples)
    ]
    page = Text(vocabulary, "bicycle tulip")
    assert Svm.fit(vocabulary, renamed).judge(page) == Svm.fit(vocabulary, examples).judge(page)


def test_judging_does_without_scikit_learn() -> None:
    """Its import takes seconds; a crawl with a kept model must not wait for it."""
    code = "import sys, models.svm, models.taxonomy, models.similarity; print({'sklearn', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.stdout.strip() == "set()", done.stderr

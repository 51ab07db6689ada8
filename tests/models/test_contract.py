"""What holds for every kind of model that learns: one list of checks over all of FOCUSED_MODELS."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focused import settings
from focused.page import Page
from models.model import RELEVANT, ModelError, ModelFileError, PageModel
from models.saved import Saved, read, write
from models.text import Text, Vocabulary
from tests.models import corpora

TEXTS = [
    "bicycle race garden rose planet stock " * 3,
    "saddle gear tulip orbit bond wheel " * 3,
    "bicycle saddle race gear unknown words and the rest of it, tulip",
    "rose",
    "zebra",
    "",
]


def made(kind: str) -> Any:
    module, _, name = settings.FOCUSED_MODELS[kind].rpartition(".")
    return getattr(import_module(module), name)


KINDS = [kind for kind in settings.FOCUSED_MODELS if hasattr(made(kind), "fit")]
every_kind = pytest.mark.parametrize("kind", KINDS)


def fitted(kind: str, vocabulary: Vocabulary, **arguments: Any) -> Any:
    wanted = {"good": [RELEVANT]} if "good" in signature(made(kind).fit).parameters else {}
    return made(kind).fit(vocabulary, corpora.sites(vocabulary, 24), **wanted, **arguments)


def other_vocabulary() -> Vocabulary:
    """One in which every term has another id."""
    vocabulary = Vocabulary()
    vocabulary.ids("some words met before".split() + sorted(corpora.WORDS, reverse=True))
    return vocabulary


def everything_said(model: PageModel, vocabulary: Vocabulary) -> list[Any]:
    """Judgements, evidence and spans of all texts."""
    pages = [Text(vocabulary, text) for text in TEXTS]
    terms = np.concatenate([page.terms for page in pages])
    ends = np.cumsum([len(page.terms) for page in pages]).astype(np.int32)
    starts = np.concatenate([np.zeros(1, np.int32), ends[:-1]])
    said = [model.judge_spans(terms, starts, ends).tolist()]
    return [*said, *((model.judge(page), model.evidence(page)) for page in pages)]


def test_all_kinds_of_the_design_are_there() -> None:
    assert {"similarity", "naive_bayes", "taxonomy", "svm"} <= set(KINDS)


@every_kind
def test_it_tells_what_it_was_taught(kind: str) -> None:
    vocabulary = Vocabulary()
    model = fitted(kind, vocabulary)
    wanted, other = (model.judge(Text(vocabulary, text)) for text in TEXTS[:2])
    assert (wanted.relevant, other.relevant) == (True, False)
    assert 0 <= other.relevance < wanted.relevance <= 1


@every_kind
def test_the_threshold_divides_relevant_from_not(kind: str) -> None:
    vocabulary = Vocabulary()
    page = Text(vocabulary, TEXTS[2])
    relevance = fitted(kind, vocabulary).judge(page).relevance
    assert fitted(kind, vocabulary, threshold=relevance - 1e-9).judge(page).relevant
    assert not fitted(kind, vocabulary, threshold=relevance + 1e-9).judge(page).relevant


@every_kind
def test_a_page_without_words_is_thin_and_not_relevant(kind: str) -> None:
    vocabulary = Vocabulary()
    judgement = fitted(kind, vocabulary, threshold=0.0).judge(Text(vocabulary, ""))
    assert (judgement.relevant, judgement.thin) == (False, True)


@every_kind
def test_spans_are_judged_as_if_they_were_pages(kind: str) -> None:
    vocabulary = Vocabulary()
    spans, *alone = everything_said(fitted(kind, vocabulary), vocabulary)
    assert spans == pytest.approx([judgement.relevance for judgement, _ in alone], abs=1e-9)


@every_kind
def test_classes_are_probabilities(kind: str) -> None:
    vocabulary = Vocabulary()
    model = fitted(kind, vocabulary)
    for text in TEXTS:
        judgement = model.judge(Text(vocabulary, text))
        if judgement.classes is not None:
            assert sum(judgement.classes.values()) == pytest.approx(1.0)
            assert judgement.classes[judgement.best_class or ""] == max(judgement.classes.values())


@every_kind
def test_evidence_names_words_of_the_page_the_most_telling_first(kind: str) -> None:
    vocabulary = Vocabulary()
    page = Text(vocabulary, TEXTS[2])
    evidence = fitted(kind, vocabulary).evidence(page, most=4)
    assert 0 < len(evidence) <= 4
    assert {term for term, _ in evidence} <= {vocabulary.terms[i] for i in page.terms}
    assert [abs(share) for _, share in evidence] == sorted((abs(share) for _, share in evidence), reverse=True)


@every_kind
def test_judging_twice_and_training_twice_give_the_same(kind: str) -> None:
    vocabulary = Vocabulary()
    model = fitted(kind, vocabulary)
    said = everything_said(model, vocabulary)
    assert everything_said(model, vocabulary) == said
    assert everything_said(fitted(kind, vocabulary), vocabulary) == said


@every_kind
def test_terms_that_had_other_ids_make_no_difference(kind: str) -> None:
    here, there = Vocabulary(), other_vocabulary()
    assert everything_said(fitted(kind, here), here) == everything_said(fitted(kind, there), there)


@every_kind
def test_a_kept_model_says_the_same_in_another_process(kind: str, tmp_path: Path) -> None:
    vocabulary, fresh = Vocabulary(), other_vocabulary()
    model = fitted(kind, vocabulary)
    write(tmp_path, model.saved(), {})
    restored = made(kind).restored(fresh, read(tmp_path)[0])
    assert everything_said(restored, fresh) == everything_said(model, vocabulary)
    assert restored.threshold == model.threshold


@every_kind
def test_a_kept_model_of_another_kind_is_refused(kind: str) -> None:
    with pytest.raises(ModelFileError, match=r"not '|lacks"):
        made(kind).restored(Vocabulary(), Saved("another", {}, {}))


@every_kind
def test_no_page_makes_it_raise(kind: str) -> None:
    vocabulary = Vocabulary()
    model = fitted(kind, vocabulary)
    unreadable: list[Any] = [None, np.array(["text"]), np.array([[1, 2], [3, 4]], object)]
    for terms in unreadable:
        judgement = model.judge(Page("http://a.example/", terms=terms, main=(0, 1)))
        assert (judgement.relevance, judgement.relevant) == (0.0, False)
    assert model.faults == len(unreadable)
    strange = np.array([0, -1, 2**31 - 1, len(vocabulary.terms)], np.int32)
    assert 0 <= model.judge(Page("http://a.example/", terms=strange, main=(0, 4))).relevance <= 1


@every_kind
def test_without_examples_it_says_so_in_one_sentence(kind: str) -> None:
    arguments = {"good": [RELEVANT]} if "good" in signature(made(kind).fit).parameters else {}
    with pytest.raises(ModelError, match=r"^[A-Z][^\n]*\.$"):
        made(kind).fit(Vocabulary(), [], **arguments)

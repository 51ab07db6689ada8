"""Folds grouped by site, and what is said when there are too few of them."""

from __future__ import annotations

from scrapy.utils.project import get_project_settings

from focused.examples import Examples
from focused.topic import Topic
from focused.training.kinds import Kind, kind_of
from focused.training.validation import Validation, cross_validate, folds_of
from focused.training.words import telling_words
from tests.focused.training.made_examples import made


def kind(name: str = "naive_bayes") -> Kind:
    return kind_of(get_project_settings(), Topic("made", "bicycle"), name)


def validated(examples: Examples, name: str = "naive_bayes") -> Validation:
    return cross_validate(kind(name), examples, lambda *_: None)


def test_every_example_is_judged_once_by_a_model_that_has_not_seen_its_site() -> None:
    examples = made({"relevant": 40, "other": 60}, sites=7)
    sites = [page.site for page in examples.pages]
    folds, note = folds_of(examples)
    assert (len(folds), note) == (7, "")
    assert sorted(i for _, unknown in folds for i in unknown) == list(range(100))
    for known, unknown in folds:
        assert not {sites[i] for i in known} & {sites[i] for i in unknown}


def test_folds_are_ten_at_most() -> None:
    assert validated(made({"relevant": 30, "other": 30}, sites=30)).folds == 10


def test_words_of_the_site_alone_do_not_help() -> None:
    """Each site says its own word over and over; what is left to learn from says nothing."""
    examples = made({"relevant": 30, "other": 30}, sites=3, noise=1.0)
    for page in examples.pages:
        page.terms[:20] = examples.vocabulary.ids([page.site.partition(".")[0] + "word"])[0]
    right = [one.relevant == one.is_good for one in validated(examples).held]
    assert sum(right) / len(right) < 0.75


def test_clear_examples_are_told_apart() -> None:
    found = validated(made({"relevant": 30, "other": 30}))
    assert all(one.relevant == one.is_good for one in found.held)
    assert (len(found.held), found.threshold) == (60, 0.5)


def test_pages_of_one_site_are_judged_with_a_warning() -> None:
    found = validated(made({"relevant": 12, "other": 12}, sites=1))
    assert found.folds == 10
    assert "are of one site: the figures are better than they will be" in found.note


def test_too_few_examples_are_not_judged() -> None:
    found = validated(made({"relevant": 1, "other": 9}))
    assert (found.held, found.folds) == ([], 0)
    assert "too few examples" in found.note


def test_taxonomy_learns_all_classes_and_the_others_two() -> None:
    counts = {"Recreation/Cycling": 20, "Home/Gardening": 20, "Home/Cooking": 20}
    examples = made(counts, good=("Recreation/Cycling",))
    by_class, by_two = validated(examples, "taxonomy"), validated(examples)
    assert {one.best_class for one in by_class.held} == set(counts)
    assert {one.best_class for one in by_two.held} == {"relevant", "other"}
    for found in (by_class, by_two):
        assert all(one.relevant == one.is_good for one in found.held)


def test_telling_words_are_those_that_only_one_label_has() -> None:
    examples = made({"relevant": 30, "other": 30})
    words = telling_words(examples.vocabulary, examples.pages, 6)
    assert set(words["relevant"]) <= {"bicycl", "wheel", "chain", "pedal", "saddl", "race", "tour"}
    assert set(words["other"]) == {"garden", "flower", "soil", "seed", "rose", "lawn"}

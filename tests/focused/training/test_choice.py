"""Which model judges the pages of a topic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scrapy.settings import BaseSettings
from scrapy.utils.project import get_project_settings

from focused.errors import FocusedError, SettingError, StoreError, TopicError
from focused.topic import Topic
from focused.training import model_for
from focused.training.kinds import BY_EXAMPLES, BY_QUERY, default_kind
from models.model import PageModel
from models.naive_bayes import NaiveBayes
from models.similarity import Similarity
from models.taxonomy import Taxonomy
from models.text import Text, Vocabulary
from tests.focused.training.made_examples import WORDS

PAGES = '[examples]\nrelevant = ["relevant"]\nother = ["other"]\n'
BIKES = "bicycle wheel chain pedal"


def settings() -> BaseSettings:
    return get_project_settings()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A topic's folder with pages of both labels."""
    for label in ("relevant", "other"):
        (tmp_path / label).mkdir()
        for number in range(6):
            (tmp_path / label / f"{number}.html").write_text(" ".join(WORDS[label][number % 3 :] * (2 + number)))
    return tmp_path


def chosen(home: Path, text: str, vocabulary: Vocabulary | None = None) -> PageModel:
    (home / "topic.toml").write_text(text)
    topic = Topic.load(str(home / "topic.toml"))
    # An empty vocabulary is an empty dictionary: `or` would take another one.
    return model_for(settings(), topic, Vocabulary() if vocabulary is None else vocabulary, home / "crawl")


def judged(model: PageModel, vocabulary: Vocabulary, text: str) -> float:
    return model.judge(Text(vocabulary, text)).relevance


def mistake(kind: type[FocusedError], home: Path, text: str) -> str:
    with pytest.raises(kind) as caught:
        chosen(home, text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_words_alone_need_no_training(home: Path) -> None:
    assert isinstance(chosen(home, 'query = "bicycles"\n[model]\nthreshold = 0.2\n'), Similarity)
    assert not (home / "crawl").exists()


def test_examples_are_learned_at_once_and_kept(home: Path) -> None:
    first = chosen(home, PAGES)
    assert isinstance(first, NaiveBayes)
    manifest = json.loads((home / "crawl/model/manifest.json").read_text())
    assert manifest["training"]["examples"] == {"relevant": 6, "other": 6}
    assert len(manifest["training"]["data_hash"]) == 64


def test_kept_model_is_used_without_the_examples_and_judges_the_same(home: Path) -> None:
    one, other = Vocabulary(), Vocabulary()
    first = chosen(home, PAGES, one)
    for file in (home / "relevant").iterdir():
        file.unlink()
    other.ids(["wheel", "unknown", "bicycle"])  # other ids than before
    second = chosen(home, PAGES, other)
    for text in (BIKES, "garden bicycle soil", "nothing known"):
        assert judged(first, one, text) == pytest.approx(judged(second, other, text), abs=1e-12)


def test_other_kind_or_arguments_in_the_topic_train_again(home: Path) -> None:
    chosen(home, PAGES)
    found = chosen(home, PAGES + '[model]\nkind = "naive_bayes"\nthreshold = 0.7\n')
    assert found.threshold == 0.7
    assert isinstance(chosen(home, PAGES + '[model]\nkind = "taxonomy"\n'), Taxonomy)


def test_model_that_was_trained_last_is_used_where_the_topic_names_none(home: Path) -> None:
    chosen(home, PAGES)
    assert isinstance(chosen(home, 'query = "bicycles"\n'), NaiveBayes)
    assert isinstance(chosen(home, 'query = "bicycles"\n[model]\nkind = "similarity"\n'), Similarity)


def test_sites_and_directories_of_both_sides_are_examples_of_both() -> None:
    given = {"relevant_directories": ["https://d.example/horses"], "other_sites": ["https://a.example/"]}
    assert default_kind(Topic("x", "words", examples=given)) == BY_EXAMPLES
    assert default_kind(Topic("x", "words", examples={"relevant_directories": []})) == BY_QUERY


def test_taxonomy_is_the_kind_for_a_tree(home: Path) -> None:
    (home / "tree.toml").write_text('["A/Bikes"]\nexamples = ["relevant"]\n["B/Plants"]\nexamples = ["other"]\n')
    vocabulary = Vocabulary()
    found = chosen(home, '[taxonomy]\ntree = "tree.toml"\ngood = ["A"]\n', vocabulary)
    assert found.judge(Text(vocabulary, BIKES)).best_class == "A/Bikes"
    assert judged(found, vocabulary, BIKES) > 0.9


def test_simulated_topic_is_trained_on_another_web(tmp_path: Path) -> None:
    (tmp_path / "topic.toml").write_text('query = "x"\n[sim]\ntopic = "home/cooking"\n[model]\nkind = "naive_bayes"\n')
    own, vocabulary = settings(), Vocabulary()
    own.set("FOCUSED_WEB", "sim:small,seed=1,pages=1000", priority="cmdline")
    topic = Topic.load(str(tmp_path / "topic.toml"))
    found = model_for(own, topic, vocabulary, tmp_path / "crawl")
    assert judged(found, vocabulary, "sauce pepper oven bread cheese cake") > 0.9


@pytest.mark.parametrize("change", ["{", '{"format": 99}', '{"format": 1}'])
def test_broken_model_stops_with_one_sentence(home: Path, change: str) -> None:
    chosen(home, PAGES)
    (home / "crawl/model/manifest.json").write_text(change)
    said = mistake(StoreError, home, PAGES)
    assert said.startswith(f"The model in {home}/crawl/model cannot be used (")
    assert said.endswith("or remove it.")


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (
            'query = "x"\n[model]\nkind = "naive_bias"\n',
            SettingError,
            "[model] kind='naive_bias' is not known: use one of ",
        ),
        ('query = "x"\n[model]\nkind = "naive_bayes"\n', TopicError, "has no examples: below [examples]"),
        ('query = "the of"\n', TopicError, "' is 'the of', which has no telling word"),
        ('query = "7 !"\n', TopicError, "no telling word"),
        ('query = "soups"\n[model]\nmood = 3\n', TopicError, "is no argument of its kind: it takes threshold, idf"),
        (PAGES + '[model]\nkind = "naive_bayes"\nmood = 3\n', TopicError, "mood in [model] of topic"),
        (
            '[examples]\nrelevant = ["relevant"]\n[model]\nkind = "naive_bayes"\n',
            TopicError,
            "Model 'naive_bayes' cannot be made for topic",
        ),
    ],
)
def test_mistakes_are_one_sentence(home: Path, text: str, kind: type[FocusedError], said: str) -> None:
    assert said in mistake(kind, home, text)


def test_relevant_examples_alone_are_compared_with_unless_there_are_words(home: Path) -> None:
    alone = '[examples]\nrelevant = ["relevant"]\n'
    vocabulary = Vocabulary()
    assert isinstance(chosen(home, 'query = "roses"\n' + alone), Similarity)
    found = chosen(home, alone, vocabulary)
    assert isinstance(found, Similarity)
    assert judged(found, vocabulary, BIKES) > 0.5

"""The semantic crawlers on pages: measures, senses, ontologies, and what the user may get wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import SettingError, TopicError
from focused.graph import LinkGraph
from focused.orderings import semantic
from focused.orderings.base import Ordering, Surroundings, make
from focused.orderings.semantic import Semantic
from focused.page import Page, PageReader
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary
from models.wordnet import wordnet

MEASURES = ("ehrig", "ssrm", "related", "mihalcea", "product", "synset")
BODY = b"""<title>Garage</title><p>
<a href="/0">car</a> <a href="/1">automobile</a> <a href="/2">truck</a> <a href="/3">banana</a>
<a href="/4">zzyzx</a> <a href="/5">the</a> <a href="/6"></a> <a href="/7">Trucks</a></p>"""


def bound(query: str, **arguments: str) -> tuple[Ordering, Page]:
    vocabulary = Vocabulary()
    ordering = make(Semantic, ",".join(f"{name}={value}" for name, value in arguments.items()))
    model = Similarity(vocabulary, query)
    ordering.bind(Surroundings(Topic("topic", query), model, 0, vocabulary, LinkGraph()))
    return ordering, PageReader(vocabulary).read("http://a.example/", BODY, "text/html")


@pytest.mark.parametrize("measure", MEASURES)
def test_what_means_the_same_comes_before_what_does_not(measure: str) -> None:
    ordering, page = bound("car", measure=measure)
    car, automobile, truck, banana, unknown, stop_word, empty, trucks = ordering.score(page).tolist()
    assert car > banana and automobile > banana
    assert unknown == stop_word == empty
    if measure == "related":
        assert car == automobile == 1.0 and banana == unknown == 0.0  # near or far, nothing between
    elif measure != "synset":
        assert car >= automobile > truck > banana > unknown == 0.0
        assert trucks == truck  # looked up as written, by the forms its ending may stand for
    else:
        assert banana == unknown == ordering.terms(page, 5)["page"] / 2  # only the page speaks for them


@pytest.mark.parametrize("measure", MEASURES)
def test_a_query_of_stop_words_is_refused(measure: str) -> None:
    with pytest.raises(TopicError, match="'the of and', which has no telling word"):
        bound("the of and", measure=measure)


@pytest.mark.parametrize("measure", MEASURES)
def test_an_unknown_word_is_near_to_itself(measure: str) -> None:
    ordering, page = bound("zzyzx", measure=measure)
    scores = ordering.score(page).tolist()
    assert scores.index(max(scores)) == 4


@pytest.mark.parametrize("measure", MEASURES)
def test_the_parts_of_a_score_give_the_score(measure: str) -> None:
    ordering, page = bound("car race", measure=measure)
    parts = [ordering.terms(page, n) for n in range(len(page.links))]
    means = [sum(part.values()) / len(part) for part in parts]
    assert ordering.score(page).tolist() == pytest.approx(means)


def test_the_first_sense_alone_is_a_narrower_view() -> None:
    (best, page), (first, _) = bound("machine", measure="ssrm"), bound("machine", measure="ssrm", senses="first")
    assert best.score(page)[0] == 1.0  # a car is a machine in one of its senses
    assert first.score(page)[0] < 1.0


def test_an_ontology_of_ones_own_is_used(tmp_path: Path) -> None:
    path = tmp_path / "fruit.toml"
    path.write_text("[yellow]\n[banana]\nparents=['yellow']\n[car]\nparents=['yellow']\n")
    ordering, page = bound("banana", measure="ehrig", ontology=str(path))
    assert ordering.score(page).tolist() == [0.25, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("measure", MEASURES)
def test_wordnet_is_opened_when_it_is_needed_and_once(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(semantic, "wordnet", lambda folder: opened.append(folder) or wordnet(folder))
    Semantic(measure=measure)  # as every crawl with another ordering, and every command, may do
    assert opened == []
    ordering, page = bound("car", measure=measure)
    assert [ordering.score(page).tolist() for _ in range(3)] == [ordering.score(page).tolist()] * 3
    assert opened == [""]


def test_mistakes_are_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match=r"has no query.*add query"):
        bound("")
    with pytest.raises(SettingError, match="No such file"):
        bound("car", ontology=str(tmp_path / "missing.ttl"))
    with pytest.raises(SettingError, match="make setup"):
        bound("car", ontology=str(tmp_path))
    with pytest.raises(SettingError, match=r"df=2\.0"):
        bound("car", df="2")
    with pytest.raises(SettingError, match="measure=best is not known"):
        bound("car", measure="best")

from __future__ import annotations

from importlib.resources import files
from itertools import islice

import pytest

from focused.topic import Topic
from focused.webs import open_web
from focused.webs.simulated.words import shipped

NAMES = ["astronomy", "cycling", "gardening", "horses", "investing", "sailing"]
SHOPS = ["cameras", "notebooks"]


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_topic_lies_on_the_simulated_web(name: str) -> None:
    topic = Topic.load(name)
    web = open_web("sim:small,seed=1")
    seeds = web.seeds(topic.sim["topic"], topic.sim["seeds"], 0)
    assert len(seeds) == topic.sim["seeds"] == 5
    assert topic.sim["topic"].endswith(f"/{name}")


@pytest.mark.parametrize("name", NAMES)
def test_a_query_is_a_few_words_that_pages_also_use(name: str) -> None:
    topic = Topic.load(name)
    lexicon = shipped()
    table = lexicon.plain[lexicon.topics.index(topic.sim["topic"])]
    words = {word.strip(",") for word in topic.query.split()} - {"and"}
    known = {lexicon.words[id_] for id_ in table}
    assert 5 <= len(words) <= 10
    assert words & known


@pytest.mark.parametrize("name", SHOPS)
def test_a_topic_of_shops_is_what_shops_of_the_catalogue_present(name: str) -> None:
    topic = Topic.load(name)
    web = open_web("sim:catalogue,seed=1")
    things = list(islice(web.pages_of(topic.sim["topic"]), 10))  # type: ignore[attr-defined]
    assert len(things) == 10
    assert {web.truth(thing) for thing in things} == {topic.sim["topic"]}  # type: ignore[attr-defined]


def test_every_folder_of_shipped_topics_is_tested() -> None:
    found = [entry.name for entry in files("focused").joinpath("topics").iterdir() if entry.is_dir()]
    assert sorted(set(found) - {"__pycache__"}) == sorted([*NAMES, *SHOPS])

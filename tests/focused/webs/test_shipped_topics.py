from __future__ import annotations

from importlib.resources import files

import pytest

from focused.topic import Topic
from focused.webs import open_web
from focused.webs.simulated.words import shipped

NAMES = ["astronomy", "cycling", "gardening", "horses", "investing", "sailing"]


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


def test_every_folder_of_shipped_topics_is_tested() -> None:
    found = [entry.name for entry in files("focused").joinpath("topics").iterdir() if entry.is_dir()]
    assert sorted(set(found) - {"__pycache__"}) == NAMES

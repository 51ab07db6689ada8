"""New topics."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from focused.administration.making import copy_topic, new_topic
from focused.administration.overview import nodes_of
from focused.errors import TopicError
from focused.topic import Topic, is_shipped
from tests.focused.administration.made_topic import made_topic


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_topic_is_made_of_words_and_seeds() -> None:
    path = new_topic("horses", 'ponies "and" horses', ["HTTP://A.example:80/x#y"])
    assert tomllib.loads(path.read_text()) == {"query": 'ponies "and" horses', "seeds": ["http://a.example/x"]}
    assert Topic.load("horses").folder == Path("topics/horses")
    assert not is_shipped("horses")  # one's own comes before the one that ships


def test_topic_begins_with_a_taxonomy_whose_files_stay_where_they_are(home: Path) -> None:
    file = made_topic(home / "master")
    new_topic("mine", "", ["http://a.example/"], str(file.tree_path))
    topic = Topic.load("mine")
    assert {node.path: node.pages for node in nodes_of(topic)} == {
        "Business": 3,
        "Recreation": 0,
        "Recreation/Cycling": 4,
        "Recreation/Gardening": 3,
    }
    assert topic.taxonomy["good"] == []
    assert "# gardening is here for contrast" in Path("topics/mine/taxonomy.toml").read_text()


def test_copy_takes_all_that_lies_beside_the_file(home: Path) -> None:
    made_topic(home, "bikes")
    copy_topic("wheels", "bikes")
    assert nodes_of(Topic.load("wheels")) == nodes_of(Topic.load("bikes"))
    copy_topic("sailing", "sailing")
    assert Topic.load("sailing").sim == {"topic": "recreation/sailing", "seeds": 5}
    assert is_shipped("cycling") and not is_shipped("sailing")


def test_words_that_tell_nothing_are_refused() -> None:
    with pytest.raises(TopicError, match="--query is 'the of'"):
        new_topic("nothing", "the of", ["http://a.example/"])


def test_nothing_is_overwritten(home: Path) -> None:
    made_topic(home, "bikes")
    before = Path("topics/bikes/topic.toml").read_text()
    for make in (lambda: new_topic("bikes", "x", ["http://a.example/"]), lambda: copy_topic("bikes", "cycling")):
        with pytest.raises(TopicError, match=r"topics/bikes is there already and is not overwritten"):
            make()
    assert Path("topics/bikes/topic.toml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("../x", "q", ["http://a.example/"]), "is no name of a topic"),
        (("x", "", ["http://a.example/"]), "add --query"),
        (("x", "boats", []), "add --seeds"),
        (("x", "boats", ["ftp://a.example/"]), "Seed 'ftp://a.example/' in --seeds is not an http(s) URL"),
        (("x", "boats", ["http://a.example/"], "none.toml"), "none.toml cannot be read"),
    ],
)
def test_mistakes_leave_nothing_behind(arguments: tuple[str, str, list[str]], said: str) -> None:
    with pytest.raises(TopicError) as caught:
        new_topic(*arguments)
    assert said in str(caught.value)
    assert not Path("topics").exists()

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import TopicError
from focused.topic import Topic, name_of

GOOD = 'query = "sailing boats"\nseeds = ["HTTP://Example.org:80/a#top"]\n'


def written(folder: Path, text: str) -> str:
    path = folder / "boats" / "topic.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def test_keywords_and_seeds_are_enough(tmp_path: Path) -> None:
    topic = Topic.load(written(tmp_path, GOOD))
    assert (topic.name, topic.query, topic.seeds) == ("boats", "sailing boats", ("http://example.org/a",))


def test_a_folder_names_its_topic(tmp_path: Path) -> None:
    assert Topic.load(str(Path(written(tmp_path, GOOD)).parent)).name == "boats"


@pytest.mark.parametrize("name", ["cycling", "gardening", "astronomy", "investing", "horses", "sailing"])
def test_shipped_topics_load_by_name(name: str) -> None:
    topic = Topic.load(name)
    assert len(topic.query.split()) >= 5
    assert topic.sim["topic"].endswith(name)


@pytest.mark.parametrize(
    ("given", "name"), [("topics/horses/topic.toml", "horses"), ("lists/boats.toml", "boats"), ("cycling", "cycling")]
)
def test_the_short_name(given: str, name: str) -> None:
    assert name_of(given) == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query = ", "not valid TOML"),
        ("seeds = []", "does not say what is wanted"),
        ('query = 3\nseeds = ["http://a.example/"]', "query .* is not a text"),
        ('query = "x"\nseeds = "http://a.example/"', "is not a list"),
        ('query = "x"\nseeds = ["ftp://a.example/"]', "ftp://a.example/.* is not an http"),
        ('query = "x"\nseeds = ["just words"]', "just words.* is not an http"),
        ('query = "x"\nseeds = [3]', "3 .* is not an http"),
        ('query = "x"\nkeywords = ["y"]', "'keywords' in .* is not known"),
        ('query = "x"\nmodel = "svm"', "must be a table"),
        ('query = "x"\n[examples]\nrelevent = []', r"'relevent' in \[examples\] of .* use some of labels, other"),
        ('query = "x"\n[examples]\nrelevant = "a"', "relevant = 'a' .* is not a list of texts"),
        ('query = "x"\n[taxonomy]\ntree = 3', "tree = 3 .* is not a text"),
        ('query = "x"\n[sessions]\nfiel = "a"', r"'fiel' in \[sessions\] of .* use some of file"),
        ('query = "x"\n[sim]\ntopic = "a"\nseeds = "b"', "seeds = 'b' .* is not a whole number"),
        ('query = "x"\n[sim]\nseeds = 3', r"\[sim\] in .* has no topic"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(TopicError, match=said) as error:
        Topic.load(written(tmp_path, text))
    assert "\n" not in str(error.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(TopicError, match="cycling"):
        Topic.load("nonsense")


def test_no_name_at_all_says_how_to_give_one() -> None:
    with pytest.raises(TopicError, match="-a topic="):
        Topic.load("")

"""Marks, classes and examples of a taxonomy change as asked, and what somebody wrote beside them stays."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from focused.administration import nodes
from focused.administration.files import REPORT, TopicFile
from focused.administration.overview import nodes_of
from focused.errors import TopicError
from focused.topic import Topic
from tests.focused.administration.made_topic import TOPIC, TREE, made_topic

CYCLING, GARDENING = "Recreation/Cycling", "Recreation/Gardening"
COMMENTS = ("# mine", "# the words", "# the topic", "# All there is", "# the best", "# saved", "# money")


def again(file: TopicFile) -> TopicFile:
    """As somebody finds it who opens it later."""
    file.save()
    return TopicFile(str(file.folder))


def counts(file: TopicFile) -> dict[str, int]:
    return {node.path: node.pages for node in nodes_of(Topic.load(str(file.folder)))}


def text_of(file: TopicFile) -> str:
    return (file.folder / "topic.toml").read_text() + (file.folder / "taxonomy.toml").read_text()


def test_saving_without_a_change_changes_nothing(tmp_path: Path) -> None:
    assert text_of(again(made_topic(tmp_path))) == TOPIC + TREE


def test_goodness_is_inherited_and_shown(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    assert nodes.mark(file, ["Recreation"]) == ["Recreation is marked (good)"]
    shown = {node.path: node.good for node in nodes_of(again(file).topic)}
    assert shown == {"Business": "", "Recreation": "marked", CYCLING: "marked", GARDENING: "inherited"}


def test_marks_for_the_report_are_a_set_of_their_own(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    nodes.mark(file, ["Business"], REPORT)
    file = again(file)
    assert (file.marks(), file.marks(REPORT)) == ([CYCLING], ["Business"])
    assert nodes.unmark(file, ["Business"], REPORT) == ["Business is not marked any more (report)"]
    assert again(file).marks(REPORT) == []


@pytest.mark.parametrize("root", ["/", ""])
def test_root_cannot_be_marked(tmp_path: Path, root: str) -> None:
    with pytest.raises(TopicError, match="The root is everything there is"):
        nodes.mark(made_topic(tmp_path), [root])


def test_marks_that_leave_nothing_to_tell_apart_are_warned_of(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    assert "Warning: everything is good now" in nodes.mark(file, ["Recreation", "Business"])[-1]
    assert "Warning: nothing is good" in nodes.unmark(file, ["Recreation", "Business", CYCLING])[-1]


def test_of_a_class_that_vanishes_no_mark_is_left(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    nodes.mark(file, ["Recreation"])
    nodes.delete(file, GARDENING)
    said = nodes.move(file, CYCLING, "Business")
    assert said[-1] == "Recreation is gone, and its mark with it (good)"
    assert again(file).marks() == ["Business/Cycling"]
    assert "Warning: nothing is good any more" in nodes.delete(file, "Business")[-1]
    assert nodes.classes_of(again(file)) == []


def test_class_takes_its_examples_marks_and_subclasses_along(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    nodes.refine(file, CYCLING, "Clubs", ["https://a.example/bikes", "https://b.example/club"])
    assert counts(again(file))[f"{CYCLING}/Clubs"] == 2
    assert nodes.move(file, CYCLING, "/") == [f"{CYCLING} is Cycling now, and what is below it (1)"]
    nodes.rename(file, "Cycling", "Bicycles")
    file = again(file)
    assert file.marks() == ["Bicycles"]
    assert counts(file) == {"Bicycles": 3, "Bicycles/Clubs": 2, "Business": 3, "Recreation": 0, GARDENING: 3}
    assert [comment for comment in COMMENTS if comment not in text_of(file)] == []


def test_example_is_moved_and_taken_out(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    assert nodes.move(file, "gardening/1.html", CYCLING) == [f"gardening/1.html moved from {GARDENING} to {CYCLING}"]
    nodes.delete(file, "gardening/2.html")
    assert counts(again(file)) == {"Business": 3, "Recreation": 0, CYCLING: 5, GARDENING: 1}


def test_deleted_class_leaves_no_mark_and_the_comments_of_the_next(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    said = nodes.delete(file, CYCLING)
    assert said[0] == f"Gone: {CYCLING}"
    assert "nothing is good any more" in said[1]
    file = again(file)
    assert file.marks() == []
    assert "# gardening is here for contrast" in text_of(file)
    assert "cycling/*.html" not in text_of(file)


def test_topic_without_a_tree_has_two_sides_and_may_get_one(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    file.path.write_text('query = "x"\n')
    (file.folder / "taxonomy.toml").unlink()
    file = TopicFile(str(file.folder))
    nodes.add(file, "relevant", ["cycling", "cycling"])
    nodes.add(file, "Arts/Music", ["https://m.example/"])
    content = tomllib.loads(again(file).path.read_text())
    assert content["examples"] == {"relevant": ["cycling"]}
    assert content["taxonomy"] == {"tree": "taxonomy.toml"}
    assert counts(file) == {"Arts": 0, "Arts/Music": 1}


Change = Callable[[TopicFile], object]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda file: nodes.mark(file, ["Recreation/Cyclin"]), "did you mean Recreation/Cycling"),
        (lambda file: nodes.unmark(file, ["Business"]), "'Business' is not marked (good): marked are"),
        (lambda file: nodes.add(file, CYCLING, ["none.html"]), "neither a URL nor a file in"),
        (lambda file: nodes.add(file, "recreation/cycling", []), "differ in spelling only"),
        (lambda file: nodes.add(file, "Arts//Music", []), "is no path of classes"),
        (lambda file: nodes.move(file, "Recreation", CYCLING), "which is below it"),
        (lambda file: nodes.move(file, "nowhere.html", CYCLING), "neither a class nor an example"),
        (lambda file: nodes.rename(file, CYCLING, "Gardening"), "There is a class 'Recreation/Gardening' already"),
        (lambda file: nodes.rename(file, CYCLING, "A/B"), "is no name of a class"),
        (lambda file: nodes.refine(file, "Recreation", "Cycling", []), "cannot be a new class below"),
    ],
)
def test_mistakes_are_one_sentence_and_change_no_file(tmp_path: Path, change: Change, said: str) -> None:
    file = made_topic(tmp_path)
    with pytest.raises(TopicError) as caught:
        change(file)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert text_of(file) == TOPIC + TREE


def test_shipped_topics_are_not_changed() -> None:
    with pytest.raises(TopicError, match="scrapy topics new cycling --copy cycling"):
        TopicFile("cycling")


def test_class_whose_name_begins_alike_is_another_one(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    nodes.add(file, "Business travel", ["https://t.example/"])
    nodes.mark(file, ["Business travel"])
    nodes.delete(file, "Business")
    file = again(file)
    assert counts(file) == {"Business travel": 1, "Recreation": 0, CYCLING: 4, GARDENING: 3}
    assert file.marks() == [CYCLING, "Business travel"]

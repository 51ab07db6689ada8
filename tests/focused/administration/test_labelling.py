"""Labels: the most uncertain pages first, to a table and back, and into what is learned."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from focused.administration.files import TopicFile
from focused.administration.labelling import LABELS, LEAST, Labels, move, take_answers, to_label, write_questions
from focused.administration.overview import nodes_of
from focused.errors import TopicError
from focused.examples.wanted import wanted
from focused.store.neighbourhood import boundary
from focused.topic import Topic
from tests.focused.administration.made_topic import made_topic
from tests.focused.made_crawl import MadeCrawl

CYCLING = "Recreation/Cycling"


def plain(folder: Path) -> Labels:
    (folder / "topic.toml").write_text('query = "x"  # words\n')
    return Labels(TopicFile(str(folder)))


def url(number: int) -> str:
    return f"http://a.example/{number}"


def test_most_uncertain_come_first_and_labelled_ones_not_at_all(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl")
    for number, relevance in enumerate([0.9, 0.1, 0.52, None, 0.46, 0.7]):
        crawl.fetched(url(number), relevance)
    crawl.page(url(9))
    labels = plain(tmp_path)
    labels.put(url(4), "n", None)
    with crawl.read() as reading:
        assert boundary(reading) == pytest.approx(0.49)
        assert [page.url for page in to_label(reading, labels, 3)] == [url(2), url(5), url(1)]


@pytest.mark.parametrize(("relevance", "said"), [([0.2, 0.4], 0.4), ([0.6, 0.8], 0.6), ([], 0.5)])
def test_crawl_of_one_side_has_its_boundary_at_the_nearest(tmp_path: Path, relevance: list[float], said: float) -> None:
    crawl = MadeCrawl(tmp_path)
    for number, value in enumerate(relevance):
        crawl.fetched(url(number), value)
    with crawl.read() as reading:
        assert boundary(reading) == said


def test_labels_go_to_a_table_and_back_and_are_examples_then(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl")
    for number in range(2 * LEAST + 2):
        crawl.fetched(url(number), 0.5 + number / 100, title='a "b", c\n=d')
    labels, table = plain(tmp_path), tmp_path / "table.csv"
    with crawl.read() as reading:
        assert write_questions(table, to_label(reading, labels, 50)) == 2 * LEAST + 2
    with table.open(newline="") as file:
        head, *rows = csv.reader(file)
    answers = [*["YES"] * LEAST, *["0"] * LEAST, "", "perhaps"]
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([head, *([row[0], a, *row[2:]] for row, a in zip(rows, answers, strict=True))])
    taken, refused = take_answers(table, labels)
    assert (taken, [(one.url, one.why[:9]) for one in refused]) == (2 * LEAST, [(url(11), "'perhaps'")])
    assert labels.save() == [f"Next: scrapy train {tmp_path.name}"]
    found = wanted(Topic.load(str(tmp_path))).pages
    assert list(found.values()) == ["relevant"] * LEAST + ["other"] * LEAST
    assert Labels(TopicFile(str(tmp_path))).of == found
    assert "# words" in (tmp_path / "topic.toml").read_text()


def test_few_labels_are_kept_but_not_yet_learned_from(tmp_path: Path) -> None:
    labels = plain(tmp_path)
    labels.put(url(1), "y", None)
    assert labels.save() == ["1 relevant and 0 other so far: to be learned from it takes 5 of each."]
    assert (tmp_path / LABELS).read_text() == f"url,label\n{url(1)},relevant\n"
    assert not Topic.load(str(tmp_path)).examples


def test_labels_stand_beside_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("url,label\n")
    labels = plain(tmp_path)
    labels.file.path.write_text('query = "x"\n[examples]\nlabels = "mine.csv"\n')
    labels = Labels(TopicFile(str(tmp_path)))
    for number in range(2 * LEAST):
        labels.put(url(number), "y" if number % 2 else "n", None)
    labels.save()
    assert Topic.load(str(tmp_path)).examples == {"labels": ["mine.csv", LABELS]}


@pytest.mark.parametrize(
    ("answer", "best_class", "label"),
    [
        ("y", f"{CYCLING}", CYCLING),
        ("yes", "Business", CYCLING),  # the only good one
        ("n", CYCLING, "other"),
        ("Business", CYCLING, "Business"),
        ("Busines", CYCLING, ""),
    ],
)
def test_in_a_tree_relevant_means_a_good_class(tmp_path: Path, answer: str, best_class: str, label: str) -> None:
    assert Labels(made_topic(tmp_path)).put(url(1), answer, best_class) == label


def test_of_several_good_classes_one_must_be_named(tmp_path: Path) -> None:
    file = made_topic(tmp_path)
    file.set_marks("good", [CYCLING, "Business"])
    assert Labels(file).put(url(1), "y", "Recreation/Gardening") == ""
    assert Labels(file).put(url(1), "y", "Business") == "Business"


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n"])
def test_what_is_no_table_of_labels_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(TopicError, match="does not name url and label"):
        take_answers(tmp_path / "t.csv", plain(tmp_path))
    with pytest.raises(TopicError, match="No such file"):
        take_answers(tmp_path / "none.csv", plain(tmp_path))


def test_document_that_a_pattern_names_is_moved_by_a_label(tmp_path: Path) -> None:
    """F-07: to correct one classification is no reason to take the pattern apart."""
    file = made_topic(tmp_path)
    said = move(file, "cycling/2.html", "Business")
    assert said[0].startswith(f"cycling/2.html moved from {CYCLING} to Business, by a line of ")
    counts = {node.path: node.pages for node in nodes_of(Topic.load(str(file.folder)))}
    assert counts == {"Business": 4, "Recreation": 0, CYCLING: 3, "Recreation/Gardening": 3}
    assert move(TopicFile(str(file.folder)), "cycling/2.html", CYCLING)[0].startswith(
        "cycling/2.html moved from Business"
    )
    with pytest.raises(TopicError, match="There is no class 'Busines' to move"):
        move(file, "cycling/1.html", "Busines")
    with pytest.raises(TopicError, match="neither a class nor an example"):
        move(file, "cycling/9.html", "Business")

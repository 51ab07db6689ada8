"""scrapy train and scrapy judge, on files, a simulated web and a crawl of it."""

from __future__ import annotations

import csv
import json
import shutil
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands.train import Command
from focused.examples.recorded import PROPOSALS
from tests.focused.training.made_examples import WORDS
from tests.rig.run import Command as Crawl

WEB = "sim:small,seed=1,pages=1000"


def run(*words: str) -> Command:
    command, parser = Command(), ArgumentParser()
    command.settings = get_project_settings()
    command.add_options(parser)
    options, rest = parser.parse_known_args(words)
    command.run(rest, options)
    return command


def pages(folder: Path, count: int = 12) -> Path:
    """A topic's file with examples beside it, three sites a label."""
    for label in ("relevant", "other"):
        for number in range(count):
            file = folder / label / f"{label}{number % 3}.example" / f"{number}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(" ".join(WORDS[label][number % 4 :] * (number + 1)))
    (folder / "topic.toml").write_text('[examples]\nrelevant = ["relevant"]\nother = ["other"]\n')
    return folder / "topic.toml"


def test_tables_show_how_good_the_kinds_are_and_the_best_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "relevant").mkdir()
    (tmp_path / "relevant/none.html").write_text("")
    topic = pages(tmp_path)
    assert run(str(topic), "--model", "similarity,naive_bayes", "--data-dir", str(tmp_path / "crawls")).exitcode == 0
    out, err = capsys.readouterr()
    assert "cross-validating similarity (3)\ncross-validating naive_bayes (3)\n" in err
    for line in (
        "relevant\t12\t3",
        "Left out, empty: 1 (relevant/none.html)",
        "Judged by 3-fold cross-validation, 24 pages",
        "model\tF\tprecision\trecall\taccuracy\tBrier\tECE\tbest threshold\tits F\tfit, s",
        "naive_bayes\t1.000\t1.000\t1.000\t1.000",
        "label\ttaken for other\ttaken for relevant",
        "Relevance said, and share that was relevant",
        "Most doubtful examples: look at their labels again",
        "Most telling of relevant: ",
        "Kept: ",
    ):
        assert line in out
    manifest = json.loads((tmp_path / "crawls" / tmp_path.name / "model/manifest.json").read_text())
    assert manifest["training"]["metrics"]["f"] == 1.0
    assert manifest["training"]["metrics"]["folds"] == 3


def test_kept_model_that_the_topic_does_not_name_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = pages(tmp_path)
    topic.write_text(topic.read_text() + '[model]\nkind = "naive_bayes"\n')
    run(str(topic), "--model", "similarity", "--data-dir", str(tmp_path / "crawls"))
    assert 'says kind = "naive_bayes": write kind = "similarity" there' in capsys.readouterr().out


def test_simulated_topic_is_trained_on_its_taxonomy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("cycling", "--model", "taxonomy", "--web", WEB, "--data-dir", str(tmp_path))
    assert run(*words).exitcode == 0
    out = capsys.readouterr().out
    assert "Confusion: classes taken for another" in out
    assert "Most telling of science/astronomy: " in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cyclnig"], "Topic 'cyclnig' was not found"),
        (["cycling"], "Topic 'cycling' has no examples: below [examples]"),
        (["cycling", "--model", "magic"], "[model] kind='magic' is not known: use one of "),
        (["cycling", "--bootstrap"], "No crawl 'cycling' in "),
        (["cycling", "--accept"], "proposals.csv: run `scrapy train cycling --bootstrap` first"),
        (["cycling", "--web", "dream:one"], "has no examples"),
        (["cycling", "--web", "sim:tiny"], "simulated web 'tiny' is unknown"),
    ],
)
def test_mistakes_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run(*words, "--data-dir", str(tmp_path)).exitcode == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "cycling/model").exists()


TREE = '[taxonomy]\ntree = "tree.toml"\ngood = ["A/B"]\n'
SIDES = '["{}"]\nexamples = ["relevant"]\n["{}"]\nexamples = ["other"]\n'


@pytest.mark.parametrize(
    ("topic", "tree", "said"),
    [
        ('[examples]\nrelevant = ["relevant"]\n[model]\nkind = "svm"\n', "", "but all 12 are 'relevant': add examples"),
        ('[examples]\nother = ["other"]\n[model]\nkind = "svm"\n', "", "but all 12 are 'other': add examples"),
        (
            '[examples]\nrelevant = ["bad"]\nother = ["other"]\n',
            "",
            "but all 12 are 'other': add examples of another kind. Left out: bad/1: empty; bad/2: binary; bad/3: ",
        ),
        ('[examples]\nrelevant = ["bad"]\n[model]\nkind = "svm"\n', "", "can be used (bad/1: empty; bad/2: binary; "),
        (TREE, SIDES.format("A/B", "A/B"), "tree.toml is not valid TOML (Cannot declare ('A/B',) twice"),
        (TREE, SIDES.format("A/B", "a/b"), "Classes 'A' and 'a' differ in spelling only: write them alike.\n"),
        (TREE, SIDES.format("A/B", "A/B/A/B"), "The tree of A, A/B, A/B/A, A/B/A/B has no class beside another: add"),
        (TREE, SIDES.format("A/D", "A/C"), "no examples of class 'A/B': did you mean A/D, A/C, A?\n"),
    ],
)
def test_examples_that_teach_nothing_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], topic: str, tree: str, said: str
) -> None:
    file = pages(tmp_path)
    file.write_text(topic)
    (tmp_path / "tree.toml").write_text(tree)
    (tmp_path / "bad").mkdir()
    for number, body in enumerate((b"", b"\x89PNG\0\1\2\3" * 99, b" " + b"x" * 9 * 1024 * 1024, b" "), 1):
        (tmp_path / "bad" / str(number)).write_bytes(body)
    assert run(str(file), "--data-dir", str(tmp_path / "crawls")).exitcode == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len([line for line in err.splitlines() if not line.startswith("reading examples")]) == 1
    assert not (tmp_path / "crawls").exists()


def test_site_of_a_thousand_pages_is_taken_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = pages(tmp_path)
    site = tmp_path / "relevant/www.big.example"
    site.mkdir()
    for number in range(1000):
        (site / f"{number}.html").write_text(f"bicycle wheel chain word{number}")
    for small in range(3):
        shutil.rmtree(tmp_path / f"relevant/relevant{small}.example")
    assert run(str(file), "--data-dir", str(tmp_path / "crawls")).exitcode == 0
    out = capsys.readouterr().out
    assert "\nrelevant\t1,000\t1\n" in out
    assert "All pages of a class are of one site: the figures are better than they will be on other sites.\n" in out


def test_words_are_shown_as_people_write_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(pages(tmp_path)), "--data-dir", str(tmp_path / "crawls")).exitcode == 0
    assert "bicycle" in capsys.readouterr().out.partition("Most telling of relevant: ")[2].splitlines()[0].split()


def test_command_needs_a_topic() -> None:
    with pytest.raises(UsageError, match="scrapy train cycling"):
        run()


def test_words_and_a_crawl_are_enough_to_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a query alone to a trained model: crawl, propose, correct, accept."""
    crawl = Crawl(tmp_path, {"topic": "cycling", "web": WEB, "max_pages": 200})
    assert crawl.run().code == 0
    settings = ("-s", f"FOCUSED_DATA_DIR={tmp_path}")
    folder = tmp_path / "cycling"
    (tmp_path / "crawl").rename(folder)
    assert run("cycling", "--bootstrap", "--data-dir", str(tmp_path), *settings).exitcode == 0
    assert f"{folder / PROPOSALS}: " in capsys.readouterr().out
    with (folder / PROPOSALS).open(newline="") as file:
        header, first, *rows = csv.reader(file)
    with (folder / PROPOSALS).open("w", newline="") as file:  # the person is in doubt about the first one
        csv.writer(file).writerows([header, [first[0], "?", *first[2:]], *rows])
    assert run("cycling", "--accept", "--model", "naive_bayes", "--data-dir", str(tmp_path)).exitcode == 0
    out = capsys.readouterr().out
    assert "Left out, '?' is no label: write relevant or other: 1" in out
    assert f"Kept: naive_bayes in {folder}/model/" in out

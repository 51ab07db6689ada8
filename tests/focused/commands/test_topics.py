"""scrapy topics, on a topic made by hand and on a crawl of a simulated web."""

from __future__ import annotations

import builtins
import csv
import json
import shutil
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands.topics import VERBS, Command
from focused.examples import gather
from focused.examples.wanted import wanted
from focused.page import PageReader
from focused.sessions import read
from focused.store.queries import Reading
from focused.topic import Topic
from focused.urls import key_of
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb
from models.text import Vocabulary
from tests.focused.administration.made_topic import made_topic
from tests.rig.run import Command as Crawl

WEB = "sim:small,seed=1,pages=1000"
SETTINGS = get_project_settings()


def run(*words: str) -> int:
    command, parser = Command(), ArgumentParser()
    command.settings = SETTINGS.copy()
    command.add_options(parser)
    options, rest = parser.parse_known_args(words)
    command.run(rest, options)
    return command.exitcode


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawled")
    words = {"topic": "cycling", "web": WEB, "max_pages": 150}
    assert Crawl(folder, words, {"FOCUSED_STRICT_ORDER": 1}).run().code == 0
    return folder / "crawl"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def own(home: Path, crawled: Path) -> Path:
    """The topic `cycling` as one's own, with its crawl; its folder."""
    shutil.copytree(crawled, home / "crawls/cycling")
    assert run("new", "cycling", "--copy", "cycling") == 0
    return home / "topics/cycling"


def test_a_new_topic_is_told_what_it_is_still_without(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "cycling", "--copy", "cycling") == 0
    out = capsys.readouterr().out
    assert 'Next: write seeds = ["https://..."] in that file; or scrapy crawl topic -a topic=cycling -a web=sim:' in out
    assert run("new", "boats", "--query", "boats", "--seeds", "https://a.example/") == 0
    assert "Next: scrapy crawl topic -a topic=boats\n" in capsys.readouterr().out


def test_topics_are_listed_and_a_broken_one_says_why(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_topic(home)
    (home / "topics/broken").mkdir()
    (home / "topics/broken/topic.toml").write_text("query = ")
    assert run() == 0
    out = capsys.readouterr().out
    assert "\nbikes\town\ttaxonomy\t1\t10\tbicycles\n" in out
    assert "\ncycling\tshipped\tsimilarity\tsimulated\tsimulated\tcycling, bicycles" in out
    assert "\nbroken\town\t\t\t\tTopic file topics/broken/topic.toml is not valid TOML" in out


def test_topic_is_shown_with_its_tree_and_the_examples_of_a_class(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_topic(home)
    assert run("show", "bikes") == 0
    out = capsys.readouterr().out
    assert "  examples  3 Business, 4 Recreation/Cycling, 3 Recreation/Gardening\n" in out
    assert "\nRecreation\t0\t0\t7\t\t\n· Cycling\t4\t0\t0\tmarked\t\n" in out
    run("show", "bikes", "Recreation/Cycling")
    assert "cycling/1.html\tfile\n" in (out := capsys.readouterr().out)
    assert "https://a.example/bikes\tpage\n" in out


def test_a_class_that_is_not_there_is_not_shown_as_empty(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_topic(home)
    assert run("show", "bikes", "Recreation/Chess") == 1
    assert "has no class 'Recreation/Chess': give one of Business, " in capsys.readouterr().err


def test_pages_are_classified_before_anything_is_good_and_then_marked(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = made_topic(home)
    tree = file.tree_path
    assert tree is not None
    tree.write_text(tree.read_text().replace('    "https://a.example/bikes",\n', ""))
    file.path.write_text(file.path.read_text().replace('    "Recreation/Cycling",  # the topic\n', ""))
    (home / "new.html").write_text("<p>the chain and the pedal of a bicycle, a tour with riders on a trail")
    assert run("classify", "bikes", "new.html", "none.html") == 1
    out, err = capsys.readouterr()
    assert "new.html\nclass\tprobability\tgood\nRecreation\t1.000\t\nRecreation/Cycling\t1.000\t\n" in out
    assert err == "Not classified: none.html (cannot be read (No such file or directory)).\n"
    assert not (home / "crawls/bikes/model").exists()
    assert run("mark", "bikes", "Recreation/Cycling") == 0
    assert "The next run goes by it, without a training." in capsys.readouterr().out
    assert Topic.load("bikes").taxonomy["good"] == ["Recreation/Cycling"]
    assert run("rename", "bikes", "Recreation/Cycling", "Bicycles") == 0
    assert "Train again: scrapy train bikes" in capsys.readouterr().out


def test_tree_is_changed_from_the_command_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_topic(home)
    for words in (
        ("add", "bikes", "Arts/Music", "https://m.example/"),
        ("refine", "bikes", "Business", "Funds", "https://f.example/"),
        ("rename", "bikes", "Arts/Music", "Song"),
        ("move", "bikes", "Arts/Song", "Recreation"),
        ("delete", "bikes", "Recreation/Gardening"),
        ("mark", "bikes", "Business", "--report"),
    ):
        capsys.readouterr()
        assert run(*words) == 0
    out = capsys.readouterr().out
    assert [line.split("\t")[:2] for line in out.splitlines() if "\t" in line][1:] == [
        *(["Business", "3"], ["· Funds", "1"], ["Recreation", "0"], ["· Cycling", "4"], ["· Song", "1"]),
    ]
    assert "Train again" not in out  # the report's marks teach nothing


def test_files_are_named_as_seen_from_where_one_is(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = made_topic(home).folder
    (home / "saved").mkdir()
    (home / "saved/club.html").write_text("<p>a club")
    assert run("add", "bikes", "Recreation/Cycling", "saved/club.html") == 0
    assert run("refine", "bikes", "Recreation/Cycling", "Clubs", "saved/club.html") == 0
    assert "taken from Recreation/Cycling: 1" in capsys.readouterr().out
    assert run("move", "bikes", "saved/club.html", "Business") == 0
    assert "saved/club.html moved from Recreation/Cycling/Clubs to Business" in capsys.readouterr().out
    file = next(file for file in wanted(Topic.load("bikes")).files if file.name == "club.html")
    assert file.resolve() == (home / "saved/club.html").resolve()
    assert run("delete", "bikes", "saved/club.html") == 0
    assert "club.html" not in (folder / "taxonomy.toml").read_text()


def test_neighbours_of_the_best_pages_are_suggested(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run("suggest", "cycling", "--most", "5") == 0
    out = capsys.readouterr().out
    assert out.startswith("Distinctive words: cycling, bicycle, ")
    rows = [line.split("\t") for line in out.splitlines() if line.startswith("http")]
    assert 0 < len(rows) <= 5
    with Reading(Path("crawls/cycling/crawl.db")) as reading:
        best = {page.id for page in reading.best_pages()}
        for url, score, _, _, title in rows:
            page = reading.find(key_of(url))
            assert page is not None and page.id not in best
            beside = {link.page_id for link in reading.links_to(page.id, 1000) + reading.links_from(page.id)}
            assert beside & best
            assert float(score) > 0 and "rac" in title.lower()


def test_labels_of_a_table_are_learned_from_without_asking_anybody_again(
    own: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("label", "cycling", "--csv-out", "ask.csv", "--most", "20") == 0
    web = open_web(WEB)
    assert isinstance(web, SimWeb)
    with (home / "ask.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    for row in rows:
        row[1] = "yes" if (web.truth(row[0]) or "").startswith("recreation/cycling") else "no"
    with (home / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    assert run("label", "cycling", "--csv-in", "answers.csv") == 0
    assert "20 labels taken\nNext: scrapy train cycling\n" in capsys.readouterr().out
    topic = Topic.load("cycling")
    examples = gather(SETTINGS, topic, PageReader(Vocabulary()), home / "crawls/cycling", lambda *_: None)
    right = {row[0]: "relevant" if row[1] == "yes" else "other" for row in rows}
    assert {page.url: page.label for page in examples.pages} == right
    assert not (home / "crawls/cycling/examples").exists()


def test_person_at_a_terminal_is_asked(
    own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iter(["y", "what?", "n", "s", "n"])

    def answer(prompt: str) -> str:
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(builtins, "input", answer)
    assert run("label", "cycling") == 0
    out = capsys.readouterr().out
    assert "'what?' is no answer here: give one of y, n, s" in out
    assert "\n3 pages labelled, 3 in topics/cycling/labels.csv\n1 relevant and 2 other so far" in out
    assert [row.split(",")[1] for row in (own / "labels.csv").read_text().split()] == [
        *("label", "relevant", "other", "other"),
    ]


def test_browsing_is_imported_and_named_in_the_file(own: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = {
        "request": {"url": "http://a.example/", "headers": []},
        "response": {"status": 200, "content": {"mimeType": "text/html", "text": "<p>bicycles"}},
    }
    (home / "log.har").write_text(json.dumps({"log": {"entries": [entry]}}))
    assert run("import", "cycling", "--har", "log.har", "--relevant", "http://a.example/") == 0
    web = open_web(WEB)
    assert isinstance(web, SimWeb)
    first, second = web.seeds("recreation/cycling", 2, 0)
    (home / "visits.csv").write_text(f"url,referrer,relevant\n{first},,yes\n{second},{first},no\n")
    assert run("import", "cycling", "--csv", "visits.csv", "--web", WEB) == 0
    assert "sessions.jsonl: 2 steps added, 3 in all; relevant of the new: 1" in capsys.readouterr().out
    assert run("import", "cycling", "--csv", "visits.csv", "--web", WEB) == 0
    assert "sessions.jsonl: 0 steps added, 3 in all; relevant of the new: 0" in capsys.readouterr().out
    topic = Topic.load("cycling")
    steps = read(own / str(topic.sessions["file"])).steps
    assert [(step.url, step.relevant) for step in steps] == [
        ("http://a.example/", True),
        (first, True),
        (second, False),
    ]
    assert all(step.text for step in steps)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show nowhere", "Topic 'nowhere' was not found"),
        ("mark cycling A/B", "came with the project and is not changed"),
        ("label cycling", "came with the project and is not changed"),
        ("label bikes", "No crawl 'bikes' in "),
        ("suggest bikes", "No crawl 'bikes' in "),
        ("new bikes --query x --seeds http://a.example/", "is there already and is not overwritten"),
        ("import bikes", "add --har FILE or --csv FILE"),
        ("import bikes --csv none.csv", "none.csv cannot be read"),
        ("delete bikes Bussiness", "'Bussiness' is neither a class nor an example"),
    ],
)
def test_mistakes_are_one_sentence(home: Path, capsys: pytest.CaptureFixture[str], words: str, said: str) -> None:
    made_topic(home)
    assert run(*words.split()) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_no_terminal_to_ask_at_is_one_sentence(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("label", "cycling") == 1
    assert capsys.readouterr().err == (
        "Standard input is no terminal to ask at: use --csv-out FILE, then --csv-in FILE.\n"
    )


@pytest.mark.parametrize("words", ["bogus", "mark cycling", "rename a b", "show --sed x"])
def test_unknown_verbs_options_and_missing_words_are_told(words: str) -> None:
    with pytest.raises(UsageError):
        run(*words.split())


def test_every_verb_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs/topics.md").read_text()
    assert [name for name in VERBS if f"scrapy topics {name}" not in text] == []

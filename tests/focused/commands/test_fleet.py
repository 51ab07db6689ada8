"""scrapy fleet: mistakes that are noticed before any node is asked, or by the first answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.fleet.record import Record, Worker
from tests.focused.fleet import running
from tests.focused.fleet.running import Said, free_port


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "crawls"


def fleet(data: Path, *words: str) -> Said:
    return running.fleet(*words, "-s", f"FOCUSED_DATA_DIR={data}")


POSTGRES = "FOCUSED_STORE=postgresql://db.example/focused"
MISTAKES = {
    "topic of no known name": ("up nonesuch", "Topic 'nonesuch' was not found: give one of astronomy,"),
    "unknown spider": ("up cycling --spider nonesuch", "--spider 'nonesuch' is not known: give one of c"),
    "no workers": ("up cycling --workers 0", "--workers 0 is not a number of workers"),
    "node of no address": ("up cycling --nodes here", "--nodes 'here' is not the address of a node"),
    "no store to share": ("up cycling --workers 2", "2 worker(s) on 1 node(s) need a store they can share"),
    "two nodes, one file": (
        "up cycling --nodes http://a,http://b --workers 1",
        "1 worker(s) on 2 node(s) need a store",
    ),
    "password in the store": (
        "up cycling -s FOCUSED_STORE=postgresql://me:secret@db/focused",
        "FOCUSED_STORE holds a password, which logs and process lists of the nodes would show",
    ),
    "password beside the store": (
        "up cycling -s FOCUSED_STORE=postgresql://db/focused?password=secret",
        "FOCUSED_STORE holds a password",
    ),
    "topic that cannot begin": ("up cycling", "Topic 'cycling' has its seeds on a simulated web: give -a web=sim:"),
    "fleet that was never started": ("status cycling", "No fleet of 'cycling' was started from here"),
    "no fleet at all": ("status", "No fleet was started from here"),
    "nothing to end": ("down cycling", "No fleet of 'cycling' was started from here"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_sentence_and_leaves_nothing(name: str, data: Path) -> None:
    words, sentence = MISTAKES[name]
    said = fleet(data, *words.split())
    assert (said.status, said.out, said.err.count("\n")) == (1, "", 1)
    assert sentence in said.err and "secret" not in said.err
    assert not data.exists()


@pytest.mark.parametrize("words", ["", "up", "down", "sideways cycling", "up a b", "node here", "up a -a b"])
def test_what_cannot_be_read_shows_how_it_is_written(words: str, data: Path) -> None:
    with pytest.raises(UsageError, match=r"scrapy fleet up cycling --workers 2|NAME=VALUE"):
        fleet(data, *words.split())


def test_when_no_node_answers_it_is_said_once_and_nothing_is_kept(data: Path) -> None:
    nodes = f"http://127.0.0.1:{free_port()},http://127.0.0.1:{free_port()}"
    said = fleet(data, "up", "cycling", "--nodes", nodes, "-a", "web=sim:small", "-s", POSTGRES)
    assert said.err.startswith("None of the 2 nodes answers") and said.err.count("\n") == said.status == 1
    assert not data.exists()


def test_a_record_that_was_damaged_is_one_sentence(data: Path) -> None:
    (data / "cycling").mkdir(parents=True)
    (data / "cycling/fleet.json").write_text("{")
    said = fleet(data, "status", "cycling")
    assert said.status == 1 and "fleet.json cannot be read" in said.err


def test_what_was_scheduled_is_found_again(data: Path) -> None:
    record = Record.read(data / "cycling")
    record.nodes, record.wanted, record.settings = ["http://a"], 2, {"FOCUSED_MAX_PAGES": "7"}
    record.workers = [Worker(1, "http://a", "cycling-1-x"), Worker(2, "http://a", "cycling-2-y", is_stopped=True)]
    record.save()
    assert Record.read(data / "cycling") == record
    assert [path.name for path in (data / "cycling").iterdir()] == ["fleet.json"]


def test_without_a_topic_all_fleets_are_shown(data: Path) -> None:
    node = f"http://127.0.0.1:{free_port()}"
    for crawl in ("cycling", "sailing"):
        record = Record.read(data / crawl)
        record.settings, record.workers = {"FOCUSED_CRAWL": crawl}, [Worker(1, node, f"{crawl}-1-x")]
        record.save()
    rows = [line.split("\t") for line in fleet(data, "status").out.splitlines() if line.startswith("http")]
    assert rows == [[node, "1", f"{crawl}-1-x", "no answer"] for crawl in ("cycling", "sailing")]


def test_other_commands_do_not_pay_for_it() -> None:
    """Scrapy imports every command at every start."""
    code = "import focused.commands.fleet, sys; print(*{'urllib3', 'rich', 'setuptools'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")

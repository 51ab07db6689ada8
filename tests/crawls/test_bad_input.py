"""A mistake of the user ends the command at once with one sentence, and harms nothing that is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.rig.check import rows
from tests.rig.plan import Shape
from tests.rig.run import Command, Ended, Run
from tests.rig.web import LoopbackWeb

GOOD = 'query = "mountain cycling"\nseeds = ["http://127.0.0.2:1/"]\n'


@dataclass(frozen=True, slots=True)
class Mistake:
    said: str  # must be in the sentence
    topic: str = GOOD
    args: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()


def ordering(name: str, args: str = "") -> tuple[tuple[str, str], ...]:
    return (("ordering", name), ("ordering_args", args))


MISTAKES = {
    "topic file that is not there": Mistake("nowhere", args=(("topic", "/nowhere/topic.toml"),)),
    "topic of no known name": Mistake("nonesuch", args=(("topic", "nonesuch"),)),
    "no topic at all": Mistake("topic", args=(("topic", ""),)),
    "topic file that is not TOML": Mistake("topic.toml", topic="query = cycling [[["),
    "no seeds": Mistake("seeds", topic='query = "cycling"\n'),
    "empty seeds": Mistake("seeds", topic='query = "cycling"\nseeds = []\n'),
    "seeds that are no list": Mistake("seeds", topic='query = "cycling"\nseeds = 3\n'),
    "seed that is no URL": Mistake("not a url", topic='query = "cycling"\nseeds = ["not a url"]\n'),
    "seed of another scheme": Mistake("ftp://", topic='query = "cycling"\nseeds = ["ftp://127.0.0.2/"]\n'),
    "nothing to look for": Mistake("query", topic='seeds = ["http://127.0.0.2:1/"]\n'),
    "unknown ordering": Mistake("breadth_first", args=ordering("luckiest_first")),
    "unknown argument of an ordering": Mistake("speed", args=ordering("best_first", "speed=9")),
    "argument of the wrong type": Mistake("many", args=ordering("best_first", "n=many")),
    "argument out of its choices": Mistake("sideways", args=ordering("best_first", "on=sideways")),
    "argument without a value": Mistake("on", args=ordering("best_first", "on")),
    "argument below what makes sense": Mistake("n=0", args=ordering("best_first", "n=0")),
    "ordering that is no ordering": Mistake("json.loads", args=ordering("json.loads")),
    "argument the spider does not have": Mistake("max_page", args=(("max_page", "10"),)),
    "setting that is spelt wrong": Mistake("FOCUSED_MAX_PAGES", settings=(("FOCUSED_MAX_PAGE", "10"),)),
    "number Scrapy itself reads": Mistake("DOWNLOAD_DELAY", settings=(("DOWNLOAD_DELAY", "long"),)),
    "crawl outside of the data directory": Mistake("FOCUSED_CRAWL", settings=(("FOCUSED_CRAWL", "../elsewhere"),)),
    "query without a telling word": Mistake(
        "the of and", topic='query = "the of and"\nseeds = ["http://127.0.0.2:1/"]\n'
    ),
    "limit that is no number": Mistake("FOCUSED_MAX_PAGES", settings=(("FOCUSED_MAX_PAGES", "many"),)),
    "limit below zero": Mistake("FOCUSED_MAX_PAGES", settings=(("FOCUSED_MAX_PAGES", "-1"),)),
    "site budget of no kind": Mistake("FOCUSED_SITE_BUDGET", settings=(("FOCUSED_SITE_BUDGET", "lots"),)),
    "address block that is none": Mistake("banana", settings=(("FOCUSED_ALLOW_ADDRESSES", "banana"),)),
    "sync of no kind": Mistake("FOCUSED_SYNC", settings=(("FOCUSED_SYNC", "SOMETIMES"),)),
    "data directory below a file": Mistake("{file}", settings=(("FOCUSED_DATA_DIR", "{file}/below"),)),
    "web of no kind": Mistake("dream", settings=(("FOCUSED_WEB", "dream:one"),)),
    "WARC that is not there": Mistake("nowhere", settings=(("FOCUSED_WEB", "warc:/nowhere/a.warc.gz"),)),
    "rendering of no kind": Mistake("sometimes", settings=(("FOCUSED_RENDER", "sometimes"),)),
    "browser that is not there": Mistake(
        "/nowhere/chrome", settings=(("FOCUSED_RENDER", "always"), ("FOCUSED_BROWSER", "/nowhere/chrome"))
    ),
    "threshold that is no number": Mistake("high", topic=GOOD + '[model]\nthreshold = "high"\n'),
    "model that is a module": Mistake("os.path", topic=GOOD + '[model]\nkind = "os.path"\n'),
    "word of a table that is spelt wrong": Mistake("relevent", topic=GOOD + "[examples]\nrelevent = []\n"),
    "seeds of a frozen web that are no number": Mistake("seeds", topic=GOOD + '[sim]\ntopic = "a"\nseeds = "b"\n'),
    "search for a topic that does not say what for": Mistake(
        "[search]", topic='query = "cycling"\n', settings=(("FOCUSED_SEARCH", "brave"),)
    ),
    "topic of a simulated web on the real one": Mistake("web=sim:small", args=(("topic", "cycling"),)),
    "WARC that is none": Mistake("{file}", settings=(("FOCUSED_WEB", "warc:{file}"),)),
}


def one_sentence(ended: Ended, said: str) -> None:
    lines = [line for line in (ended.out + ended.err).splitlines() if line.strip()]
    assert ended.code != 0, str(ended)
    assert "Traceback" not in ended.out + ended.err, str(ended)
    assert len(lines) == 1, str(ended)
    assert said in lines[0], str(ended)


def commit(mistake: Mistake, folder: Path) -> Ended:
    folder.mkdir()
    file = folder / "file.warc.gz"
    file.write_bytes(b"this is no archive at all, only some text\n" * 50)
    (folder / "topic.toml").write_text(mistake.topic)
    settings = {name: value.format(file=file) for name, value in mistake.settings}
    args = {"topic": str(folder / "topic.toml"), **dict(mistake.args)}
    return Command(folder / "data", args, settings).run(60)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Ended]]]:
    """All mistakes are made two at a time: most of each is the start of the interpreter."""
    folder = tmp_path_factory.mktemp("mistakes")
    with ThreadPoolExecutor(2) as pool:
        yield {
            name: pool.submit(commit, mistake, folder / str(i)) for i, (name, mistake) in enumerate(MISTAKES.items())
        }


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_one_sentence(name: str, outcomes: dict[str, Future[Ended]]) -> None:
    said = MISTAKES[name].said.format(file="file.warc.gz")
    one_sentence(outcomes[name].result(90), said)


def test_a_spider_that_is_not_there_gets_one_sentence(tmp_path: Path) -> None:
    one_sentence(Command(tmp_path / "data", spider="topc").run(60), "give one of catalogue, cycling")


def test_where_no_seed_can_be_had_the_last_words_say_where_to_look(tmp_path: Path) -> None:
    (tmp_path / "topic.toml").write_text(GOOD)
    ended = Command(tmp_path / "data", {"topic": str(tmp_path / "topic.toml")}, {"FOCUSED_MAX_TRIES": 1}).run(60)
    assert "scrapy explain" in ended.out and "no page was had" in ended.out
    assert ended.code == 1, "it did not do what was asked"


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    with LoopbackWeb(Shape(pages=60, sites=3, hanging=1)) as running:
        yield running


@pytest.fixture(scope="module")
def crawled(web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A crawl that is there and must come to no harm."""
    folder = tmp_path_factory.mktemp("crawled")
    command = Command(folder / "data", {"topic": web.topic(folder)}, {"FOCUSED_MAX_PAGES": 20})
    ended = command.run()
    assert ended.code == 0, str(ended)
    return command


def contents(command: Command) -> tuple[object, ...]:
    pages = rows(command.db, "SELECT id, url, state, score, visit, outcome FROM page ORDER BY id")
    files = [(command.data / name).read_bytes() for name in ("pages.warc.gz", "pages.jsonl")]
    return (pages, rows(command.db, "SELECT * FROM link"), *files)


def set_version(command: Command, version: object) -> None:
    with closing(sqlite3.connect(command.db)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", (version,))


def refused_without_harm(command: Command, said: str, run: Callable[[], Ended]) -> None:
    before = contents(command)
    one_sentence(run(), said)
    assert contents(command) == before


def test_a_mistake_does_not_harm_a_crawl_that_is_there(crawled: Command) -> None:
    wrong = Command(crawled.folder, {**crawled.args, "ordering": "luckiest_first"}, crawled.settings)
    refused_without_harm(crawled, "luckiest_first", wrong.run)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(crawled: Command) -> None:
    version = rows(crawled.db, "SELECT value FROM meta WHERE name = 'schema_version'")[0][0]
    set_version(crawled, 999)
    try:
        refused_without_harm(crawled, "999", crawled.but(FOCUSED_MAX_PAGES=30).run)
    finally:
        set_version(crawled, version)
    assert crawled.run().code == 0


def test_a_database_that_is_none_is_refused_and_left_alone(tmp_path: Path, web: LoopbackWeb) -> None:
    command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)})
    command.data.mkdir(parents=True)
    command.db.write_bytes(b"the diary of someone else" * 400)
    one_sentence(command.run(), "crawl.db")
    assert command.db.read_bytes() == b"the diary of someone else" * 400


def test_the_second_crawl_of_one_folder_is_refused(tmp_path: Path, web: LoopbackWeb) -> None:
    command = Command(tmp_path / "data", {"topic": web.topic(tmp_path)}, {"DOWNLOAD_TIMEOUT": 60})
    since = web.count()
    with Run(command) as first:
        web.wait(since + 55)
        second = Command(tmp_path / "other", command.args, {"FOCUSED_DATA_DIR": command.folder})
        one_sentence(second.run(), "crawl")
        assert first.alive()
    assert set(web.asked(since).values()) == {1}

"""Mistakes with a shared store: one sentence from the command, and the crawl that is there comes to no harm."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from focused.commands import compare, console, explain, export, report
from tests.crawls.test_bad_input import one_sentence
from tests.rig.postgres import server
from tests.rig.run import Command

NAME = "parrots"
TOPIC = 'query = "parrots"\nseeds = ["http://127.0.0.1:9/"]\n'
TABLES = ("meta", "bundle", "page", "site", "link", "total", "worker")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A crawl that is there: nobody answers at its seed, so it ends at once."""
    command = made(tmp_path_factory.mktemp("crawled"), server().fresh(), TOPIC)
    ended = command.run()
    assert "no page was had" in ended.out, str(ended)
    return command


def made(folder: Path, store: object, topic: str) -> Command:
    place = folder / NAME / "topic.toml"
    place.parent.mkdir(parents=True)
    place.write_text(topic)
    settings = {"FOCUSED_STORE": store, "FOCUSED_CRAWL": NAME, "FOCUSED_MAX_TRIES": 1}
    return Command(folder / "data", {"topic": place}, settings)


def contents(command: Command) -> list[object]:
    with psycopg.connect(str(command.settings["FOCUSED_STORE"]), options=f"-c search_path={NAME}") as db:
        return [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES]


def refused(command: Command, said: str, crawled: Command) -> None:
    before = contents(crawled)
    one_sentence(command.run(60), said)
    assert contents(crawled) == before


def test_an_address_where_nobody_answers(crawled: Command, tmp_path: Path) -> None:
    refused(made(tmp_path, "postgresql://who@127.0.0.1:1/none", TOPIC), "cannot be reached", crawled)


def test_a_user_who_may_not_read_the_crawl(crawled: Command, tmp_path: Path) -> None:
    server().ask("DROP ROLE IF EXISTS stranger")
    server().ask("CREATE ROLE stranger LOGIN")
    store = str(crawled.settings["FOCUSED_STORE"]).replace("focused@", "stranger@")
    refused(made(tmp_path, store, TOPIC), "may not", crawled)


READERS: dict[str, tuple[type[ScrapyCommand], list[str]]] = {
    "report": (report.Command, [NAME]),
    "explain": (explain.Command, [NAME, "http://127.0.0.1:9/"]),
    "export": (export.Command, [NAME]),
    "console": (console.Command, ["--port", "0"]),
    "compare": (compare.Command, [NAME, "--web", "sim:small", "--orderings", "breadth_first", "--pages", "5"]),
}


def said_by(name: str, store: object, data: Path) -> tuple[int, str]:
    """Status and standard error of a command that reads a shared store, as Scrapy runs it."""
    kind, words = READERS[name]
    command, parser = kind(), ArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    command.settings.setmodule("focused.settings", priority="project")
    command.settings.setdict({"FOCUSED_STORE": str(store), "FOCUSED_DATA_DIR": str(data)}, priority="cmdline")
    command.add_options(parser)
    parser.add_argument("words", nargs="*")
    opts = parser.parse_args(words)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as err:
        command.run(opts.words, opts)
    return command.exitcode, err.getvalue()


@pytest.mark.parametrize("name", READERS)
def test_a_store_that_cannot_be_reached_is_told_by_whoever_reads_it(
    name: str, crawled: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    topic = Path("topics", NAME, "topic.toml")
    topic.parent.mkdir(parents=True)
    topic.write_text(TOPIC)
    status, said = said_by(name, "postgresql://who@127.0.0.1:1/none", tmp_path / "data")
    assert (status, said.count("\n")) == (1, 1) and "cannot be reached" in said, said


@pytest.mark.parametrize("name", ["report", "export"])
def test_a_crawl_that_was_crawled_elsewhere_is_reported_and_exported_here(
    name: str, crawled: Command, tmp_path: Path
) -> None:
    assert said_by(name, crawled.settings["FOCUSED_STORE"], tmp_path / "none/yet") == (0, "")
    assert len([*(tmp_path / "none/yet" / NAME).iterdir()]) == 1
    (tmp_path / "file").touch()
    status, said = said_by(name, crawled.settings["FOCUSED_STORE"], tmp_path / "file")
    assert status == 1 and said.count("\n") == 1 and "cannot be made" in said


def test_two_crawls_with_one_name(crawled: Command, tmp_path: Path) -> None:
    other = made(tmp_path, crawled.settings["FOCUSED_STORE"], TOPIC.replace("parrots", "budgies"))
    refused(other, "goes by another topic than the one here (parrots/topic.toml)", crawled)


@pytest.mark.parametrize("version", [0, 999])
def test_a_schema_that_is_older_or_newer_than_any_known(crawled: Command, version: int, tmp_path: Path) -> None:
    sql = "UPDATE meta SET value = '{}' WHERE name = 'schema_version' RETURNING (SELECT value FROM meta old \
        WHERE old.name = 'schema_version')"
    with psycopg.connect(
        str(crawled.settings["FOCUSED_STORE"]), options=f"-c search_path={NAME}", autocommit=True
    ) as db:
        before = db.execute(sql.format(version)).fetchone()
        assert before is not None
        try:
            refused(crawled, f"schema version {version}", crawled)
            for name in ("report", "explain", "export"):
                status, said = said_by(name, crawled.settings["FOCUSED_STORE"], tmp_path)
                assert (status, said.count("\n")) == (1, 1) and f"schema version {version}" in said
        finally:
            db.execute(sql.format(before[0]))

"""Mistakes with a shared store: one sentence from the command, and the crawl that is there comes to no harm."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

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
    assert ended.code == 0, str(ended)
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


def test_two_crawls_with_one_name(crawled: Command, tmp_path: Path) -> None:
    other = made(tmp_path, crawled.settings["FOCUSED_STORE"], TOPIC.replace("parrots", "budgies"))
    refused(other, "goes by another topic than the one here (parrots/topic.toml)", crawled)


def test_a_schema_that_is_newer_than_any_known(crawled: Command, version: int = 999) -> None:
    sql = "UPDATE meta SET value = '{}' WHERE name = 'schema_version' RETURNING (SELECT value FROM meta old \
        WHERE old.name = 'schema_version')"
    with psycopg.connect(
        str(crawled.settings["FOCUSED_STORE"]), options=f"-c search_path={NAME}", autocommit=True
    ) as db:
        before = db.execute(sql.format(version)).fetchone()
        assert before is not None
        try:
            refused(crawled, f"schema version {version}", crawled)
        finally:
            db.execute(sql.format(before[0]))

"""Crawls of other versions, and schemas that are no crawl's: brought up to date, or refused and left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import StoreError
from focused.store.postgres import PostgresStore
from tests.focused.store.places import TO_VERSION_3, Two
from tests.rig.postgres import server


@pytest.mark.parametrize("version", [0, 999])
def test_a_crawl_of_another_schema_version_is_refused_and_left_alone(two: Two, version: int) -> None:
    two.do(f"UPDATE meta SET value = '{version}' WHERE name = 'schema_version'")
    with pytest.raises(StoreError, match=f"schema version {version}"):
        PostgresStore(two.url, two.schema, two.folder)
    assert two.rows("SELECT value FROM meta WHERE name = 'schema_version'") == [(str(version),)]


def test_a_crawl_of_the_version_before_is_brought_up_to_date(two: Two) -> None:
    two.do(TO_VERSION_3)
    two.do("INSERT INTO rescored VALUES (3, 7, 0.5)")
    for table in ("bundle", "page_text"):
        two.do(f"DROP TABLE {table}")
    for what in ("CONFIGURATION words", "DICTIONARY stem"):
        two.do(f"DROP TEXT SEARCH {what}")
    two.do("UPDATE meta SET value = '1' WHERE name = 'schema_version'")
    PostgresStore(two.url, two.schema, two.folder).close()
    assert two.rows("SELECT value FROM meta WHERE name = 'schema_version'") == [("4",)]
    assert two.rows("SELECT count(*) FROM bundle") == [(0,)]
    assert two.rows("SELECT site_id, page_id, value FROM letter") == [(7, 3, 0.5)]
    assert two.rows("SELECT count(links) FROM page") == [(0,)]


def test_a_schema_that_is_no_crawl_is_left_alone(tmp_path: Path) -> None:
    server().ask(
        "CREATE SCHEMA IF NOT EXISTS other_people; CREATE TABLE IF NOT EXISTS other_people.meta (name TEXT, value TEXT)"
    )
    with pytest.raises(StoreError, match="is no crawl's"):
        PostgresStore(server().url(), "other_people", tmp_path)

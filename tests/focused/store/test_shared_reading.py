"""Every question about a crawl has the same answer on PostgreSQL as on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from focused.errors import StoreError
from focused.store.answers import Choice
from focused.store.fulltext import SearchIndex
from focused.store.live import averages, dots, glance, last_events, last_page_at
from focused.store.neighbourhood import boundary, most_uncertain, neighbour_classes, neighbours
from focused.store.queries import Reading
from focused.store.shared_reading import crawls_in
from focused.store.websites import websites
from focused.urls import key_of
from tests.focused.made_crawl import BEGIN, copied, large_crawl
from tests.rig.postgres import server

VIEWS = (
    *("relevant_page", "harvest", "top_site", "try_census", "class_census", "neighbour_class", "class_link"),
    *("site_rating", "purest_site", "site_growth", "hub_neighbour", "promotion"),
)
Ask = Callable[[Reading], Any]
QUESTIONS: dict[str, Ask] = {
    "summary": Reading.summary,
    "glance": glance,
    "outcomes": Reading.outcomes,
    "harvest": Reading.harvest,
    "visits": Reading.visits,
    "windows": lambda reading: reading.windows(50),
    "histogram": Reading.relevance_histogram,
    "categories": Reading.categories,
    "events": Reading.events,
    "last_event": lambda reading: reading.last_event("site_closed"),
    "tries": Reading.tries,
    "promotions": Reading.promotions,
    "top_sites": Reading.top_sites,
    "verdicts": Reading.site_verdicts,
    "best_pages": Reading.best_pages,
    "hubs": Reading.hubs,
    "authorities": Reading.authorities,
    "find": lambda reading: reading.find(key_of(reading.page(7).url)),  # type: ignore[union-attr]
    "path": lambda reading: reading.path_to(300),
    "link": lambda reading: [reading.links_from(9), reading.links_to(9), reading.link(9, 4)],
    "before": lambda reading: reading.waiting_before(reading.page(420)),  # type: ignore[arg-type]
    "urls": lambda reading: sorted(reading.urls_of(reading.site("bike0.example"))),  # type: ignore[arg-type]
    "export": lambda reading: [list(reading.pages(Choice(relevant, new))) for relevant in (0, 1) for new in (0, 1)],  # type: ignore[arg-type]
    "graph": lambda reading: [list(reading.nodes(Choice(True))), sorted(reading.edges(Choice(True)))],
    "records": lambda reading: [list(reading.records()), reading.segments(), reading.committed("pages.jsonl")],
    "robots": lambda reading: list(reading.robots()),
    "dots": lambda reading: dots(reading, 400),
    "averages": lambda reading: [one._replace(relevance=round(one.relevance, 9)) for one in averages(reading, 400)],
    "latest": lambda reading: (last_page_at(reading), last_events(reading)),
    "neighbours": lambda reading: [neighbours(reading, [3, 5, 8]), neighbours(reading, [])],
    "doubts": lambda reading: [boundary(reading), list(most_uncertain(reading))[:50]],
    "classes": neighbour_classes,
    "websites": lambda reading: [websites(reading), websites(reading, Choice(True, True), 3)],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("both")
    crawl = large_crawl(folder, 400)
    judged = "posterior = relevance / pages, mean_confidence = 0.7, state = 'closed', why = 'enough'"
    crawl.db.execute(f"UPDATE site SET {judged} WHERE pages > 9")
    crawl.db.execute("UPDATE site SET relevant = pages WHERE id = 1")
    crawl.db.execute("UPDATE site SET robots_status = 200, robots = 'x', robots_until = 5 WHERE id < 4")
    crawl.db.executemany("INSERT INTO hub VALUES (?, ?, ?, 400)", [(n, 1 / n, n / 300) for n in range(1, 200)])
    crawl.link(3, 445)
    crawl.insert("event", at=BEGIN + 9, kind="promoted", detail="page 420: hub 3 links to it")
    copied(crawl.save())
    return folder


@pytest.fixture(scope="module")
def both(folder: Path) -> Iterator[tuple[Reading, Reading]]:
    with Reading(folder / "crawl.db") as alone, Reading(server().url(), folder) as shared:
        yield alone, shared


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_the_same_on_both_stores(both: tuple[Reading, Reading], name: str) -> None:
    alone, shared = (QUESTIONS[name](reading) for reading in both)
    assert shared == alone
    assert alone


def test_views_show_the_same(folder: Path) -> None:
    with (
        closing(sqlite3.connect(folder / "crawl.db")) as alone,
        psycopg.connect(server().url(), options=f"-c search_path={folder.name}") as shared,
    ):
        for view in VIEWS:
            ours, theirs = (db.execute(f"SELECT * FROM {view}").fetchall() for db in (alone, shared))  # type: ignore[attr-defined]
            assert [_plain(row) for row in theirs] == [_plain(row) for row in ours], view
            assert ours, view


def _plain(row: tuple[Any, ...]) -> list[Any]:
    return [value if isinstance(value, str) or value is None else pytest.approx(float(value)) for value in row]


def test_full_text_search_reads_the_shared_store(folder: Path, both: tuple[Reading, Reading]) -> None:
    index = SearchIndex(both[1])
    assert index.grow(lambda page: page.segment + "words", lambda: True) == 400
    assert index.search('"Mountain bicycle"')


def test_all_crawls_of_a_database_are_listed(folder: Path) -> None:
    assert folder.name in crawls_in(server().url())


def test_a_crawl_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no crawl 'nowhere' in postgresql://"):
        Reading(server().url(), tmp_path / "nowhere")


def test_nothing_can_be_written_by_a_reader(both: tuple[Reading, Reading]) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        both[1]._one("UPDATE site SET pages = 0 RETURNING id")

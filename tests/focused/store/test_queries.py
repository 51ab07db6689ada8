"""focused.store.queries: each question on a crawl whose answers can be counted by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from focused.errors import StoreError
from focused.store.answers import Choice
from focused.store.queries import Reading
from focused.urls import key_of
from tests.focused.made_crawl import BEGIN, MadeCrawl, large_crawl, small_crawl


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Reading]:
    with small_crawl(tmp_path).read() as opened:
        yield opened


def test_summary_counts_what_is_there(reading: Reading) -> None:
    summary = reading.summary()
    assert (summary.pages, summary.relevant, summary.harvest) == (4, 3, 0.75)
    assert (summary.sites, summary.relevant_sites) == (2, 2)
    assert (summary.discovered, summary.waiting, summary.in_flight, summary.failed) == (6, 1, 0, 1)
    assert summary.failures == {"robots": 1}
    assert (summary.reason, summary.started, summary.finished) == ("max_pages", BEGIN, BEGIN + 60)


def test_links_waiting_on_a_closed_site_are_counted_apart(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.site("c.example", state="closed", why="budget of 1 pages spent")
    summary = crawl.read().summary()
    assert (summary.waiting, summary.shut_out) == (0, 1)


def test_empty_crawl_has_an_answer_to_everything(tmp_path: Path) -> None:
    with MadeCrawl(tmp_path).read() as reading:
        assert reading.summary().harvest == 0.0
        assert reading.harvest() == reading.windows() == reading.top_sites() == reading.hubs() == []
        assert reading.outcomes() == reading.authorities() == reading.events() == reading.best_pages() == []
        assert list(reading.pages()) == []
        assert reading.find(1) is None


def test_harvest_curve_agrees_with_the_view(tmp_path: Path) -> None:
    with large_crawl(tmp_path, pages=300).read() as reading:
        points = [tuple(point) for point in reading.harvest()]
    database = sqlite3.connect(tmp_path / "crawl.db")
    assert points == database.execute("SELECT visit, relevant_so_far, harvest, harvest_100 FROM harvest").fetchall()
    database.close()


def test_page_that_could_not_be_judged_counts_against_the_harvest(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/picture", relevance=None)
    crawl.fetched("http://a.example/page")
    with crawl.read() as reading:
        assert [(p.relevant_so_far, p.harvest, p.harvest_100) for p in reading.harvest()] == [(0, 0, 0), (1, 0.5, 0.5)]


@pytest.mark.parametrize("at_most", [2, 7, 100, 2000])
def test_thinned_harvest_curve_is_short_and_ends_at_the_last_page(tmp_path: Path, at_most: int) -> None:
    with large_crawl(tmp_path, pages=2001).read() as reading:
        points = reading.harvest(at_most)
        assert len(points) <= at_most
        assert points[-1].visit == 2001
        assert points[-1].harvest == pytest.approx(reading.summary().harvest)


def test_windows_are_whole_hundreds(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    for visit in range(250):
        crawl.fetched(f"http://a.example/{visit}", 0.9 if visit < 130 else 0.1)
    assert crawl.read().windows() == [1.0, 0.3]


def test_relevance_histogram_puts_one_into_the_last_bin(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    for relevance in (0.0, 0.24, 0.5, 1.0):
        crawl.fetched(f"http://a.example/{relevance}", relevance)
    assert crawl.read().relevance_histogram(bins=4) == [(0, 2), (0, 0), (1, 0), (1, 0)]


def test_best_comes_first(reading: Reading) -> None:
    assert [page.url for page in reading.best_pages()] == [
        "http://b.example/one",
        "http://b.example/two",
        "http://a.example/list",
    ]
    assert [(site.host, site.relevant, site.pages) for site in reading.top_sites()] == [
        ("b.example", 2, 2),
        ("a.example", 1, 2),
    ]
    assert reading.outcomes() == [("ok", 4), ("robots", 1)]
    assert reading.categories() == [("Cycling", 2, 2)]


def test_hubs_are_counted_until_they_are_computed(reading: Reading) -> None:
    assert [(hub.url, hub.value) for hub in reading.hubs()] == [
        ("http://a.example/", 2),
        ("http://a.example/list", 1),
        ("http://b.example/one", 1),
    ]


def test_own_site_makes_no_authority(reading: Reading) -> None:
    """b/two is linked from a.example and from its own site: one site counts."""
    assert [(page.url, page.value) for page in reading.authorities()] == [
        ("http://b.example/one", 1),
        ("http://b.example/two", 1),
    ]


def test_computed_hubs_replace_the_counts(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.insert("hub", page_id=3, hub=0.8, authority=0.0, at_pages=4)
    crawl.insert("hub", page_id=1, hub=0.2, authority=0.9, at_pages=4)
    with crawl.read() as reading:
        assert reading.is_distilled()
        assert [hub.url for hub in reading.hubs()] == ["http://b.example/one", "http://a.example/"]
        assert [(page.url, page.value) for page in reading.authorities()] == [("http://a.example/", 0.9)]


def test_events_are_the_latest_in_order(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    for at in (1.0, 2.0, 2.0, 3.0):
        crawl.insert("event", at=at, kind="k", detail=str(at))
    assert [event.at for event in crawl.read().events(limit=3)] == [2.0, 2.0, 3.0]


def test_page_is_found_by_its_key(reading: Reading) -> None:
    page = reading.find(key_of("http://b.example/two"))
    assert page is not None and (page.id, page.title) == (4, "Two")
    assert reading.find(key_of("http://b.example/three")) is None


def test_path_begins_at_the_seed(reading: Reading) -> None:
    assert [page.id for page in reading.path_to(4)] == [1, 3, 4]


def test_path_that_bites_its_tail_ends(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.page("http://a.example/1", parent_id=2)
    crawl.page("http://a.example/2", parent_id=1)
    assert [page.id for page in crawl.read().path_to(1)] == [2, 1]


def test_links_of_a_page_both_ways(reading: Reading) -> None:
    assert [(link.url, link.anchor, link.score) for link in reading.links_from(1)] == [
        ("http://b.example/one", "the one", 0.7),
        ("http://c.example/later", "later", 0.3),
        ("http://b.example/two", "two", 0.2),
    ]
    assert [link.url for link in reading.links_to(4)] == ["http://b.example/one", "http://a.example/"]


def test_only_better_links_of_open_sites_wait_before_a_page(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    for host, score in (("a", 0.9), ("a", 0.4), ("shut", 0.9), ("a", 0.4), ("a", 0.1)):
        crawl.page(f"http://{host}.example/{crawl.db.total_changes}", score=score)
    crawl.site("shut.example", state="closed")
    with crawl.read() as reading:
        page = reading.page(4)
        assert page is not None and reading.waiting_before(page) == 2


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        (Choice(), [1, 2, 3, 4]),
        (Choice(relevant=True), [2, 3, 4]),
        (Choice(new=True), [3, 4]),
        (Choice(relevant=True, new=True), [3, 4]),
    ],
)
def test_chosen_pages_are_those_asked_for(reading: Reading, choice: Choice, ids: list[int]) -> None:
    assert [node[0] for node in reading.nodes(choice)] == ids
    assert len(list(reading.pages(choice))) == len(ids)
    assert all(source in ids and target in ids for source, target, *_ in reading.edges(choice))


def test_reading_cannot_write(reading: Reading) -> None:
    with pytest.raises(sqlite3.OperationalError):
        reading._db.execute("DELETE FROM page")


def test_crawl_may_go_on_while_it_is_read(tmp_path: Path) -> None:
    path = small_crawl(tmp_path).save()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    with Reading(path) as reading:
        with reading.snapshot():
            before = reading.summary()
            writer.execute("UPDATE page SET state = 3, outcome = 'timeout' WHERE id = 5")
            assert reading.summary() == before
        assert reading.summary().failed == before.failed + 1
    writer.close()


def test_newer_schema_is_refused(tmp_path: Path) -> None:
    path = MadeCrawl(tmp_path, version=99).save()
    with pytest.raises(StoreError, match="schema 99"):
        Reading(path)


def test_missing_or_broken_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no crawl database"):
        Reading(tmp_path / "crawl.db")
    (tmp_path / "crawl.db").write_text("this is not a database, it is a text of some length")
    with pytest.raises(StoreError, match="cannot be read"):
        Reading(tmp_path / "crawl.db")


def test_folder_with_odd_characters_is_opened(tmp_path: Path) -> None:
    with small_crawl(tmp_path / "a?b#c %41 é").read() as reading:
        assert reading.summary().pages == 4


def test_verdicts_are_of_sites_that_were_judged_as_a_whole(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.site("a.example", posterior=0.9)
    crawl.site("b.example", posterior=0.5)  # a tie is a no (W-12)
    assert crawl.read().site_verdicts() == {"a.example": True, "b.example": False}

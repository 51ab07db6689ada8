"""Full-text search beside a crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.errors import StoreError
from focused.store.fulltext import FILE, MARKS, NewPage, SearchIndex, query_of
from focused.store.queries import Reading
from tests.focused.made_crawl import MadeCrawl, small_crawl

TEXTS = {
    "http://a.example/": "All about cats and their gardens",
    "http://a.example/list": "A list of bicycle shops",
    "http://b.example/one": "Bicycles for the road, a shop of road bikes",
    "http://b.example/two": "Über den Café-Bäumen",
}


def text_of(page: NewPage) -> str:
    return TEXTS.get(page.url, "")


def always() -> bool:
    return True


@pytest.fixture
def crawl(tmp_path: Path) -> MadeCrawl:
    return small_crawl(tmp_path)


def found(reading: Reading, words: str) -> list[str]:
    index = SearchIndex(reading)
    index.grow(text_of, always)
    return [hit.url for hit in index.search(words)]


def test_pages_with_all_words_the_best_first(crawl: MadeCrawl) -> None:
    with crawl.read() as reading:
        assert found(reading, "shop bicycle") == ["http://a.example/list", "http://b.example/one"]
        assert found(reading, '"road bikes"') == ["http://b.example/one"]
        assert found(reading, '"bikes road"') == []
        assert found(reading, "cafe baumen") == ["http://b.example/two"]
        assert found(reading, "two") == ["http://b.example/two"]  # its title


def test_two_who_search_at_the_same_time_take_in_each_page_once(crawl: MadeCrawl) -> None:
    with crawl.read() as reading, Reading(reading.path) as other:

        def overtaken(page: NewPage) -> str:
            if page.visit == 2:
                SearchIndex(other).grow(text_of, always)
            return text_of(page)

        index = SearchIndex(reading)
        assert index.grow(overtaken, always) == 4
        assert index.count("bicycle") == 2


def test_a_hit_has_its_words_marked(crawl: MadeCrawl) -> None:
    with crawl.read() as reading:
        index = SearchIndex(reading)
        assert index.grow(text_of, always) == 4
        (hit,) = index.search("cats")
    assert (hit.page_id, hit.title, hit.relevance) == (1, "Start", 0.2)
    assert hit.snippet == f"All about {MARKS[0]}cats{MARKS[1]} and their gardens"


def test_the_index_grows_with_the_crawl(crawl: MadeCrawl) -> None:
    crawl.db.commit()
    with Reading(crawl.folder / "crawl.db") as reading:
        assert found(reading, "cats") == ["http://a.example/"]
        TEXTS["http://a.example/more"] = "More cats"
        crawl.fetched("http://a.example/more", 0.1)
        crawl.db.commit()
        asked: list[str] = []
        SearchIndex(reading).grow(lambda page: asked.append(page.url) or text_of(page), always)  # type: ignore[func-returns-value]
        assert asked == ["http://a.example/more"]
        assert sorted(found(reading, "cats")) == ["http://a.example/", "http://a.example/more"]


def test_growing_stops_when_it_must(crawl: MadeCrawl) -> None:
    with crawl.read() as reading:
        index = SearchIndex(reading)
        assert index.grow(text_of, lambda: False) == 0
        assert index.search("cats") == []


def test_the_index_of_an_earlier_crawl_is_not_believed(crawl: MadeCrawl) -> None:
    with crawl.read() as reading:
        assert found(reading, "cats") != []
    (crawl.folder / "crawl.db").unlink()
    again = MadeCrawl(crawl.folder)
    again.note(started_at=7)
    with again.read() as reading:
        assert SearchIndex(reading).search("cats") == []


def test_a_file_that_is_no_index_is_a_mistake(crawl: MadeCrawl) -> None:
    (crawl.folder / FILE).write_bytes(b"no database at all" * 100)
    with crawl.read() as reading, pytest.raises(StoreError, match="delete it, it is made again"):
        SearchIndex(reading).grow(text_of, always)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.one_of(st.text(max_size=40), st.text(alphabet='"*^():-+ ANDORNOTNEAR{}', max_size=40)))
def test_whatever_is_typed_is_no_error(tmp_path: Path, words: str) -> None:
    folder = tmp_path / "crawl"
    if not folder.exists():
        small_crawl(folder).save()
    with Reading(folder / "crawl.db") as reading:
        index = SearchIndex(reading)
        index.grow(text_of, always)
        index.search(words)
        assert query_of(words).count('"') % 2 == 0

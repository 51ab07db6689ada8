"""Full-text search in the shared store: it finds what search.db finds, and each text has the fate of its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.store import shared_search
from focused.store.fulltext import CHARACTERS, MARKS, NewPage, SearchIndex
from focused.store.interface import Fenced
from focused.store.postgres import PostgresStore
from focused.store.queries import Reading
from focused.store.rows import DONE, GIVEN_UP, Fetched, Look
from focused.store.shared_search import SHOWN, SharedIndex, index_of, plain
from tests.focused.store.places import TO_VERSION_3, Place, Two
from tests.focused.store.test_store import pages
from tests.focused.store.test_team import filled

TEXTS = {
    1: ("Start", "All about cats and their gardens, the CAT's “own” paws"),
    2: ("List", "A list of bicycle shops; and/or e-mail us at shop@a.example"),
    3: ('One \\ "quoted"', "Bicycles for the road, a shop of road bikes: version 2.5e3, 3d"),
    4: ("Zwei Große", "Über den Café-Bäumen_liegt İstanbul, 自転車 und Ελλάδα"),
    5: (None, ""),
}
QUERIES = (
    *("cats", "CATS", "cat garden", "the", "and/or", "own", '"road bikes"', '"bikes road"', "shop bicycle", "shops"),
    *(
        "cafe baumen",
        "Café-Bäumen",
        '"café bäumen liegt"',
        "istanbul",
        "自転車",
        "ελλάδα",
        "ελλαδα",
        "große",
        "2.5e3",
        "3d",
    ),
    *("quoted one", "start cats", "a.example", '"a example 2"', "shop@a.example", "NOT cats", "cats OR shop", "-cats"),
    *("cats*", "nothing", "", '""', "!", "& |", "bike:*", "e-mail", "mail", "a", "5", "example/5", "road 3", "\\"),
)


class Crawl(Place):
    """One worker's crawl, and a reader of it."""

    def __init__(self, folder: Path) -> None:
        super().__init__("postgres", folder)
        self.store: PostgresStore = self.reopen()
        (self.site,) = self.store.enter_sites(["a.example"])
        self.store.add(pages(1, 9, self.site.id))
        self.store.commit({})

    def have(self, page: int, title: str | None, text: str, warc_offset: int | None = 7) -> None:
        lease = self.store.lease(page, None)
        assert lease is not None
        self.store.keep_text(page, text)
        row = Fetched(DONE, "ok", page, 1.0, 200, 0.5, True, None, title, 7, warc_offset)
        assert self.store.finish(page, lease.token, row)

    def have_again(self, page: int, title: str, text: str, warc_offset: int | None = 7) -> None:
        leased = self.store.again.lease(page, None)
        assert leased is not None
        self.store.keep_text(page, text)
        row = Fetched(DONE, "ok", leased[1].visit, 1.0, 200, 0.5, True, None, title, 8, warc_offset)
        assert self.store.finish(page, leased[0].token, row)
        self.store.again.looked(page, leased[0].token, Look(2.0, is_changed=True))

    def reading(self) -> Reading:
        return Reading(self.url, self.folder / self.schema)

    def found(self, words: str) -> list[int]:
        self.store.commit({})
        with self.reading() as reading:
            return [hit.page_id for hit in index_of(reading).search(words)]


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Crawl]:
    crawl = Crawl(tmp_path)
    yield crawl
    crawl.close()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SearchIndex, SharedIndex]]:
    """The file and the store, of the same pages."""
    crawl = Crawl(tmp_path_factory.mktemp("search"))
    for page, (title, text) in TEXTS.items():
        crawl.have(page, title, text)
    crawl.store.commit({})
    with crawl.reading() as reading:
        alone, shared = SearchIndex(reading), index_of(reading)
        assert isinstance(shared, SharedIndex)
        assert alone.grow(_text_of, lambda: True) == shared.grow(_text_of, lambda: True) == len(TEXTS)
        yield alone, shared
    crawl.close()


def _text_of(page: NewPage) -> str:
    return TEXTS[page.id][1]


@pytest.mark.parametrize("words", QUERIES)
def test_the_store_finds_and_shows_what_the_file_does(both: tuple[SearchIndex, SharedIndex], words: str) -> None:
    alone, shared = ({hit.page_id: hit for hit in index.search(words)} for index in both)
    assert shared.keys() == alone.keys()
    assert [hit.snippet for hit in shared.values()] == [alone[page].snippet for page in shared]
    assert [(hit.title or None, hit.url, hit.relevance) for hit in shared.values()] == [
        (alone[page].title, alone[page].url, alone[page].relevance) for page in shared
    ]


def test_most_of_these_questions_have_an_answer(both: tuple[SearchIndex, SharedIndex]) -> None:
    assert sum(bool(both[1].search(words)) for words in QUERIES) > len(QUERIES) / 2


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.one_of(st.text(max_size=40), st.text(alphabet="\"*^():-+!&|<>'\\% catsroadNOT", max_size=40)))
def test_whatever_is_typed_is_no_error(both: tuple[SearchIndex, SharedIndex], words: str) -> None:
    both[1].search(words)


@given(st.text(max_size=60))
def test_words_are_small_and_without_accents_or_signs(text: str) -> None:
    once = plain(text).replace("\0", "")
    assert plain(once) == once
    assert all(part.isalnum() for part in once.split())


def test_a_title_counts_more_than_an_address_and_an_address_more_than_a_text(crawl: Crawl) -> None:
    crawl.have(1, "Cats", "Words of several kinds, and others, and more of them")
    crawl.have(2, "Dogs", "cats are here as well, and other words, and more of them")
    crawl.have(3, "Dogs", "2 of other words, and more of them, and 4 by 4")
    assert crawl.found("cats") == [1, 2]
    assert crawl.found("2") == [2, 3]


def test_a_hit_has_its_words_marked_and_one_without_any_shows_how_it_begins(crawl: Crawl) -> None:
    crawl.have(1, "Start", "All about cats and their gardens")
    crawl.have(2, "Dogs", "No word of it. " * 100)
    crawl.store.commit({})
    with crawl.reading() as reading:
        (hit,) = index_of(reading).search("cat")
        (other,) = index_of(reading).search("dogs")
    assert hit.snippet == f"All about {MARKS[0]}cats{MARKS[1]} and their gardens"
    assert other.snippet.startswith("No word of it.")
    assert len(other.snippet) <= SHOWN


def test_a_text_is_found_with_the_commit_of_its_page_and_not_before(crawl: Crawl) -> None:
    crawl.have(1, "One", "zebra")
    with crawl.reading() as reading:
        assert index_of(reading).search("zebra") == []
    assert crawl.found("zebra") == [1]
    crawl.have(2, "Two", "zebra")
    crawl.store = crawl.reopen()  # the process dies between two commits
    crawl.store.resume()
    assert crawl.found("zebra") == [1]
    crawl.have(2, "Two", "zebra")
    assert crawl.found("zebra") == [1, 2]
    assert _rows(crawl) == {1: "zebra", 2: "zebra"}


def test_a_page_had_again_has_its_new_text_only(crawl: Crawl) -> None:
    crawl.have(1, "One", "zebra")
    assert crawl.found("zebra") == [1]
    crawl.have_again(1, "Two", "giraffe")
    assert (crawl.found("zebra"), crawl.found("one"), crawl.found("giraffe"), crawl.found("two")) == ([], [], [1], [1])
    crawl.have_again(1, "Two", "a secret", warc_offset=None)
    assert (crawl.found("giraffe"), crawl.found("secret"), crawl.found("two")) == ([], [], [1])
    assert _rows(crawl) == {1: ""}


def test_what_was_not_recorded_has_a_title_but_no_text(crawl: Crawl) -> None:
    crawl.have(1, "Noindex", "zebra", warc_offset=None)
    assert (crawl.found("zebra"), crawl.found("noindex")) == ([], [1])


def test_what_was_not_had_is_not_found(crawl: Crawl) -> None:
    lease = crawl.store.lease(3, None)
    assert lease is not None
    assert crawl.store.finish(3, lease.token, Fetched(GIVEN_UP, "http_404"))
    crawl.store.keep_text(4, "zebra")
    assert not crawl.store.finish(4, 1, Fetched(DONE, "ok", 1, warc_offset=1))
    crawl.have(5, "Five", "")
    assert (crawl.found("example"), crawl.found("zebra")) == ([5], [])


def test_only_the_beginning_of_a_text_is_kept(crawl: Crawl) -> None:
    crawl.have(1, "One", "word " * (CHARACTERS // 5) + "zebra")
    crawl.have(2, "Two", "x" * 5_000 + " giraffe" + "\0 \U0001f6b2" * CHARACTERS)
    assert (crawl.found("zebra"), crawl.found("word"), crawl.found("giraffe")) == ([], [1], [2])
    assert {page: len(text) for page, text in _rows(crawl).items()}[1] == CHARACTERS


def test_words_side_by_side_are_found_at_the_beginning_of_the_longest_text(crawl: Crawl) -> None:
    crawl.have(1, "One", " ".join(f"w{n} x{n}" for n in range(CHARACTERS // 12)))
    assert crawl.found('"w3000 x3000"') == [1]
    assert crawl.found('"x3000 w3000"') == []


def test_a_worker_that_wakes_too_late_leaves_no_text(tmp_path: Path) -> None:
    two = Two(tmp_path)
    filled(two.first)
    lease = two.first.lease(1, None)
    assert lease is not None
    two.first.commit({})
    two.is_silent(two.first)
    two.second.team.reclaim()
    two.first.keep_text(1, "zebra")
    assert two.first.finish(1, lease.token, Fetched(DONE, "ok", 1, warc_offset=1))
    with pytest.raises(Fenced):
        two.first.commit({})
    assert two.rows("SELECT * FROM page_text") == []
    two.close()


def test_of_very_many_hits_some_are_ranked(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    for page in range(1, 6):
        crawl.have(page, "One", "zebra")
    assert crawl.found("zebra") == [1, 2, 3, 4, 5]
    monkeypatch.setattr(shared_search, "RANKED", 2)
    assert len(crawl.found("zebra")) == 2


def test_the_index_serves_the_search(crawl: Crawl) -> None:
    crawl.store.session.db.execute("SET enable_seqscan = off")
    plan = crawl.store.session.all("EXPLAIN SELECT 1 FROM page_text WHERE words @@ phraseto_tsquery('words', 'a b')")
    assert sum("Bitmap Index Scan on page_text_" in line for (line,) in plan) == 8


def test_a_crawl_of_version_2_is_searched_as_before_and_by_title_once_a_worker_has_run(crawl: Crawl) -> None:
    crawl.have(1, "Mountain-bikes", "zebra")
    crawl.store.commit({})
    for what in ("TABLE page_text", "TEXT SEARCH CONFIGURATION words", "TEXT SEARCH DICTIONARY stem"):
        crawl.store.session.db.execute(f"DROP {what}")
    crawl.store.session.db.execute(TO_VERSION_3)
    crawl.store.session.db.execute("UPDATE meta SET value = '2' WHERE name = 'schema_version'")
    with crawl.reading() as reading:
        index = index_of(reading)
        assert isinstance(index, SearchIndex)
        index.grow(lambda page: "zebra", lambda: True)
        assert len(index.search("zebra")) == 1
    crawl.store = crawl.reopen()
    assert (crawl.found("zebra"), crawl.found('"mountain bike"'), crawl.found("1")) == ([], [1], [1])
    crawl.have_again(1, "Mountain-bikes", "giraffe")
    assert crawl.found("giraffe") == [1]


def _rows(crawl: Crawl) -> Mapping[int, str]:
    return dict(crawl.rows("SELECT page_id, text FROM page_text ORDER BY page_id"))  # type: ignore[arg-type]

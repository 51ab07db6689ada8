"""focused.store.pageindex: the index that stands in for a search engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import StoreError
from focused.search.embedded import Embedded
from focused.search.engine import Answers, SearchFault
from focused.store.pageindex import PageIndex

PAGES = [
    ("Zoom", "a camera with a lens", "http://a.example/"),
    ("Lenses", "a zoom lens, and a hot-shoe", "http://b.example/"),
    ("Boats", "nothing of the kind", "http://c.example/"),
]


@pytest.fixture
def index(tmp_path: Path) -> PageIndex:
    made = PageIndex(tmp_path / "folder" / "known.db")
    assert not made.exists
    made.fill(PAGES)
    assert made.exists
    return made


def test_all_words_must_be_there_and_hits_are_counted(index: PageIndex) -> None:
    assert index.find("zoom", 10) == (["http://a.example/", "http://b.example/"], 2)  # a title counts more
    assert index.find("zoom", 1) == (["http://a.example/"], 2)
    assert index.find("lens hot-shoe", 10) == (["http://b.example/"], 1)
    assert index.find("zoom boats", 10) == ([], 0)


@pytest.mark.parametrize("words", ["", "   ", '"', "NOT", "a AND", "title:x", "*", "zoom*", "(", "\0"])
def test_nobody_can_break_it_with_words(index: PageIndex, words: str) -> None:
    urls, hits = index.find(words, 10)
    assert len(urls) <= hits <= 3


def test_as_an_engine_it_answers_or_is_down(index: PageIndex) -> None:
    assert Embedded(index).ask("boats", 10) == Answers(["http://c.example/"], 1)
    index.path.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="delete it"):
        index.find("boats", 10)
    with pytest.raises(SearchFault) as caught:
        Embedded(index).ask("boats", 10)
    assert caught.value.outcome == "search_down"


def test_no_site_fills_the_first_answers_of_the_engine(tmp_path: Path) -> None:
    made = PageIndex(tmp_path / "known.db")
    urls = [f"http://{site}.example/{page}" for site in "ab" for page in range(4)]
    made.fill([("boats", "on boats", url) for url in urls])
    assert Embedded(made).ask("boats", 4).urls == [urls[place] for place in (0, 1, 4, 5)]
    assert Embedded(made).ask("boats", 10) == Answers([urls[place] for place in (0, 1, 4, 5, 2, 3, 6, 7)], 8)

"""focused.evaluate.terms: a link's score is taken apart from the recorded page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from focused.evaluate.terms import ScoreTerms
from focused.orderings.base import Ordering
from focused.page import Page, PageReader
from focused.store.queries import Reading
from models.model import Floats, Ids, Judgement, Readable
from models.text import Vocabulary
from tests.focused.made_crawl import small_crawl, write_warc


class Model:
    """Half relevant, whatever it reads."""

    threshold = 0.5

    def judge(self, page: Readable) -> Judgement:
        return Judgement(0.5, True)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        raise NotImplementedError

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        return []


@dataclass
class Telling(Ordering):
    """Says what it was asked about."""

    def terms(self, page: Page, index: int) -> dict[str, float]:
        return {page.links[index].anchor: page.relevance}


def asked(reading: Reading, source: int, target: int) -> dict[str, float]:
    terms = ScoreTerms(reading.warc, PageReader(Vocabulary()), Model(), Telling())
    pages = reading.page(source), reading.page(target)
    assert pages[0] is not None and pages[1] is not None
    return dict(terms(pages[0], pages[1]))


def test_ordering_is_asked_about_the_very_link_of_the_recorded_page(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    write_warc(crawl)
    with crawl.read() as reading:
        assert asked(reading, 1, 3) == {"the one": 0.5}
        assert asked(reading, 1, 5) == {"later": 0.5}


def test_link_that_is_not_on_the_page_has_no_terms(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    write_warc(crawl)
    with crawl.read() as reading:
        assert asked(reading, 4, 1) == {}


def test_page_that_was_not_recorded_has_no_terms(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        assert asked(reading, 1, 3) == {}

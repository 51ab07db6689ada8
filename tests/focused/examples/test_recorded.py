"""Examples proposed out of a crawl, and accepted by a person."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from focused.errors import TopicError
from focused.examples.recorded import PROPOSALS, Proposal, accepted, proposals, write_proposals
from focused.outputs import Exchange, Outputs
from focused.page import PageReader
from models.text import Vocabulary
from tests.focused.made_crawl import MadeCrawl, small_crawl


def recorded(folder: Path, *urls: str) -> None:
    """A crawl's recording with a page for each URL."""
    outputs = Outputs(folder, {})
    for url in urls:
        body = f"<title>{url}</title><p>words of {url[7] * 4}".encode()
        outputs.write_exchange(Exchange(url, "GET", [], 200, [("Content-Type", "text/html")], body, 1.0e9))
    outputs.flush()
    outputs.close()


def crawl(folder: Path) -> MadeCrawl:
    """pure.example has only relevant pages, mixed.example one of three, plain.example none; few.example is small."""
    made = MadeCrawl(folder)
    for host, relevances in {
        "mixed.example": (0.9, 0.1, 0.2),
        "pure.example": (0.6, 0.7, 0.8),
        "plain.example": (0.3, 0.0, 0.1),
        "few.example": (0.9, 0.9),
    }.items():
        for number, relevance in enumerate(relevances):
            made.fetched(f"http://{host}/{number}", relevance, title=f" {host}\n{number}")
    return made


def test_purest_sites_come_first_and_small_ones_say_nothing(tmp_path: Path) -> None:
    with crawl(tmp_path).read() as reading:
        found = proposals(reading)
    assert [one.url for one in found if one.label == "relevant"] == [
        *(f"http://pure.example/{number}" for number in (2, 1, 0)),
        "http://mixed.example/0",
    ]
    assert [one.url for one in found if one.label == "other"] == [f"http://plain.example/{n}" for n in (1, 2, 0)]
    assert found[0] == Proposal("http://pure.example/2", "relevant", 0.8, "pure.example", "pure.example 2")


def test_crawl_without_anything_relevant_proposes_nothing(tmp_path: Path) -> None:
    made = MadeCrawl(tmp_path)
    made.fetched("http://a.example/", 0.1)
    with made.read() as reading, pytest.raises(TopicError, match="no page to propose as relevant: let it fetch more"):
        proposals(reading)
    with small_crawl(tmp_path / "b").read() as reading, pytest.raises(TopicError, match="to propose as relevant"):
        proposals(reading)


def test_what_a_person_left_is_taken_and_the_rest_is_named(tmp_path: Path) -> None:
    recorded(tmp_path, "http://a.example/", "http://b.example/", "http://c.example/")
    rows = [Proposal(f"http://{name}.example/", "relevant", 0.9, name, "title") for name in "abcd"]
    write_proposals(
        tmp_path / PROPOSALS, [rows[0], rows[1]._replace(label="Other "), rows[2]._replace(label="?"), rows[3]]
    )
    with (tmp_path / PROPOSALS).open() as file:
        assert next(csv.reader(file)) == ["url", "label", "relevance", "site", "title"]
    found = accepted(PageReader(Vocabulary()), tmp_path)
    assert [(page.url, page.label) for page in found.pages] == [
        ("http://a.example/", "relevant"),
        ("http://b.example/", "other"),
    ]
    assert found.skipped == [
        ("http://c.example/", "'?' is no label: write relevant or other"),
        ("http://d.example/", "not in the crawl's recording"),
    ]


def test_nothing_proposed_or_nothing_recorded_is_one_sentence(tmp_path: Path) -> None:
    reader = PageReader(Vocabulary())
    with pytest.raises(TopicError, match=r"There is no .*proposals.csv: run `scrapy train .* --bootstrap` first"):
        accepted(reader, tmp_path)
    write_proposals(tmp_path / PROPOSALS, [])
    with pytest.raises(TopicError, match="are not there any more"):
        accepted(reader, tmp_path)

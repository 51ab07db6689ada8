"""What becomes an example, and what is left out under which name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.examples.collection import MOST_BYTES, PLAIN, Document, Examples
from focused.page import PageReader
from models.text import Vocabulary

PAGE = b"<title>Bikes</title><p>bicycle wheels and chains"


def examples(*good: str) -> Examples:
    return Examples(PageReader(Vocabulary()), good)


def words(found: Examples, at: int = 0) -> list[str]:
    return [found.vocabulary.terms[i] for i in found.pages[at].terms if i]


def test_page_becomes_title_and_text_with_its_site() -> None:
    found = examples()
    found.add(Document("a", "https://www.example.org/a", PAGE), "relevant")
    page = found.pages[0]
    assert words(found) == ["bike", "bicycl", "wheel", "chain"]
    assert (page.label, page.site, page.url) == ("relevant", "www.example.org", "https://www.example.org/a")


def test_saved_page_belongs_to_the_site_it_names_as_its_own() -> None:
    found = examples()
    body = b'<link rel="canonical" href="https://www.example.org/saved">' + PAGE
    found.add(Document("saved.html", "", body), "relevant")
    assert (found.pages[0].site, found.pages[0].url) == ("www.example.org", "https://www.example.org/saved")


def test_page_of_no_known_site_goes_by_its_name() -> None:
    found = examples()
    found.add(Document("saved.html", "", PAGE), "relevant")
    assert (found.pages[0].site, found.pages[0].url) == ("", "saved.html")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (b"%PDF-1.4 plain words", "binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 20, "binary"),
        (b"<p>word</p>" * (MOST_BYTES // 10), "larger than 8 MiB"),
        (b"<p>the of and 12 3</p>", "no text"),
        (b"<html><script>bicycle()</script>", "no text"),
    ],
)
def test_what_cannot_be_used_is_left_out_by_name(body: bytes, why: str) -> None:
    found = examples()
    found.add(Document("odd", "", body), "relevant")
    assert (found.pages, found.skipped) == ([], [("odd", why)])


@pytest.mark.parametrize(
    "body",
    [
        "<p>Fahrräder und Züge".encode("latin-1"),
        '<meta charset="utf-8"><p>Fahrräder und Züge'.encode("latin-1"),  # it says what it is not
        "<p>Fahrräder und Züge".encode("utf-16"),
        "<p>Fahrräder und Züge".encode("utf-8-sig"),
    ],
)
def test_any_encoding_is_read(body: bytes) -> None:
    found = examples()
    found.add(Document("page", "", body), "relevant")
    assert found.skipped == []
    assert len(words(found)) >= 2


def test_plain_text_is_no_markup() -> None:
    found = examples()
    found.add(Document("a.txt", "", b"wheels <script> chains </script>", PLAIN), "relevant")
    assert words(found) == ["wheel", "script", "chain", "script"]


def test_same_text_counts_once_and_contradictions_are_named() -> None:
    found = examples()
    for name, label in (("a", "relevant"), ("b", "relevant"), ("c", "other")):
        found.add(Document(name, "", PAGE), label)
    assert [page.url for page in found.pages] == ["a"]
    assert found.skipped == [("b", "duplicate"), ("c", "the same text is labelled relevant")]


def test_good_is_inherited() -> None:
    found = examples("Recreation/Cycling")
    labels = ("relevant", "Recreation/Cycling", "Recreation/Cycling/Races", "Recreation", "Recreation/Cyclingroutes")
    assert [found.is_good(label) for label in labels] == [True, True, True, False, False]


def test_pages_of_no_site_are_sites_of_their_own() -> None:
    found = examples()
    for name, url in (("a", "http://x.org/1"), ("b", "http://x.org/2"), ("c", ""), ("d", "")):
        found.add(Document(name, url, PAGE + name.encode() * 3), "relevant")
    assert found.sites_of("relevant") == 3


def test_fingerprint_is_that_of_the_data_not_of_the_order_or_the_process() -> None:
    first, second, third = examples(), examples(), examples()
    second.vocabulary.ids(["other", "words", "met", "before"])
    documents = [(Document(name, "", name.encode() * 2), "relevant") for name in ("wheels", "chains", "pedals")]
    for document, label in documents:
        first.add(document, label)
        third.add(document, "other")
    for document, label in reversed(documents):
        second.add(document, label)
    assert first.fingerprint() == second.fingerprint() != third.fingerprint()


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_raise(body: bytes) -> None:
    found = examples()
    found.add(Document("any", "", body), "relevant")
    assert len(found.pages) + len(found.skipped) == 1

"""Whatever the Web sends is read: bytes, tag soup, and pages written to cost time or memory."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.page import MAX_WORDS, PageReader
from models.text import Vocabulary, words_of
from tests.bench.pages import make_page
from tests.focused.soup import SOUP

SITE = "https://www.example.com"
URL = SITE + "/dir/page.html"
READER = PageReader(Vocabulary())


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.binary(max_size=60).map(lambda junk: b"<a href='" + junk + b"'>" + junk)))
def test_no_bytes_can_make_it_raise(body: bytes) -> None:
    page = READER.read(URL, body)
    assert isinstance(page.text, str) and len(page.terms) == len(page.words)


@settings(max_examples=400, deadline=None)
@given(SOUP)
def test_tag_soup_is_read_consistently(soup: str) -> None:
    page = READER.read(URL, soup.encode())
    assert all(re.fullmatch(r"[^\W_]+", word) for word in page.words)
    assert [link.start for link in page.links] == page.starts.tolist()
    assert [link.end for link in page.links] == page.ends.tolist()
    assert all(0 <= link.start <= link.end <= len(page.words) for link in page.links)
    assert len({link.url for link in page.links}) == len(page.links)
    assert all(link.dom_path.startswith("/html") for link in page.links)
    assert "\0" not in page.text and 0 <= page.main[0] <= page.main[1] <= len(page.words)
    assert "\0" not in (page.tree.html or "")


_SIMPLE = [
    "<p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<table><tr><td>",
    "</table>",
    "<li>",
    "one",
    "two three ",
    "—",
    "vier ß",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*_SIMPLE, "<a href=/%d>", "<a href=/%d>", "</a>", "</a>"]), max_size=40))
def test_every_anchor_is_the_text_of_its_element(pieces: list[str]) -> None:
    html = "".join(piece % number if "%" in piece else piece for number, piece in enumerate(pieces))
    page = READER.read(URL, html.encode())
    assert page.words == words_of(page.text)
    anchors: dict[str, list[str]] = {}
    for node in page.css("a"):
        url, words = SITE + (node.attributes["href"] or ""), words_of(node.text(separator=" "))
        anchors[url] = anchors.get(url) or words
    assert {link.url: link.words[link.start : link.end] for link in page.links} == anchors


def test_ordinary_pages_are_read_whole() -> None:
    page = READER.read(URL, make_page(50, 100, seed=1))
    assert len(page.links) == 100 and 1600 < len(page.words) < 1800 and not page.truncated
    for link, node in zip(page.links, page.css("a[href]"), strict=True):
        assert link.anchor == node.text()


LINK = b"<a href=/x>link</a>"
HOSTILE = {  # a body, and whether it is too much to be read whole
    "a million nested elements": (b"<div>" * 1_000_000 + LINK, True),
    "very many links": (b"".join(b"<a href=/%d>x</a>" % number for number in range(300_000)), True),
    "one link very many times": (b"<a href=/x>x</a>" * 300_000, True),
    "an attribute of 20 MB": (LINK + b"<a href='" + b"x" * 20_000_000 + b"'>y</a>", True),
    "an anchor of a million words": (LINK + b"<a href=/y>" + b"word " * 1_000_000 + b"</a>", True),
    "a label of a million words": (LINK + b"<a href=/y title='" + b"word " * 1_000_000 + b"'></a>", False),
    "a million attributes": (LINK + b"<p " + b"".join(b"a%d " % number for number in range(1_000_000)) + b">", True),
    "a memory bomb": (LINK + b"<p>" + b"".join(b"<b id=%d>" % n for n in range(5000)) + b"<p>x" * 5000, True),
    "nine megabytes of entities": (LINK + b"&amp;&lt;" * 1_000_000, False),
    "links nested by tables": (b"".join(b"<a href=/%d><table><tr><td>x" % n for n in range(20_000)), True),
    "ten thousand scripts": (LINK + b"<script>x</script>" * 10_000, False),
    "twenty megabytes of NUL": (LINK + b"\0" * 20_000_000, True),
    "a wide list": (b"<ul>" + b"".join(b"<li><a href=/%d>x</a>" % n for n in range(20_000)) + b"</ul>", False),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_costs_a_bounded_time_and_nothing_is_left_out_silently(name: str) -> None:
    body, too_much = HOSTILE[name]
    start = time.process_time()
    page = READER.read(URL, body)
    assert time.process_time() - start < 40
    assert page.truncated is too_much
    assert 1 <= len(page.links) <= READER.max_links
    assert len(page.words) <= MAX_WORDS
    assert len(page.links) < 1000 or page.dropped_links > 15_000

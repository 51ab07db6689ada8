"""The words of a page: which are visible, where they end, which are the main content."""

from __future__ import annotations

import re

import numpy as np
import pytest

from focused.page import MAX_WORDS, Page, PageReader
from models.text import Vocabulary

URL = "https://www.example.com/dir/page.html"
READER = PageReader(Vocabulary())


def read(html: str | bytes, content_type: str = "") -> Page:
    return READER.read(URL, html if isinstance(html, bytes) else html.encode(), content_type)


def test_the_words_are_those_of_the_title_and_the_visible_text() -> None:
    page = read(
        "<head><title> My\n title </title><style>p {}</style><script>var x</script></head>"
        "<body><!-- no --><p>One</p><p>two<br>three</p><table><td>four<td>five</table>"
        "<noscript>not <b>this</b><style>x</style> nor this</noscript>"
        "<template>nor this</template><iframe>nor this</iframe><ul><li>six<li>seven</ul>"
    )
    assert page.title == "My title"
    assert page.words == ["My", "title", "One", "two", "three", "four", "five", "six", "seven"]
    assert page.text == "My title One two three four five six seven"
    assert page.terms.tolist() == READER.vocabulary.ids(page.words).tolist()
    assert not page.truncated


def test_words_are_unicode_words_in_their_own_case_and_end_at_tags() -> None:
    page = read("<p>Zürich's 2nd_edition — Ελλάδα, 東京 <b>foo</b>bar x&nbsp;y")
    assert page.words == ["Zürich", "s", "2nd", "edition", "Ελλάδα", "東京", "foo", "bar", "x", "y"]


def test_a_title_is_not_that_of_a_drawing() -> None:
    assert read("<svg><title>drawing</title></svg><p>x").title == ""
    assert read("<svg><title>drawing</title></svg><title>page</title>").title == "page"
    assert read("<title>one</title><title>two</title>").title == "one"


def test_a_page_without_anything_is_a_page() -> None:
    for body in (b"", b"   ", b"\0", b"\xef\xbb\xbf", b"<p>", b"<!DOCTYPE html>", b"<frameset>"):
        page = READER.read(URL, body)
        assert (page.words, page.links, page.text, page.main) == ([], [], "", (0, 0))
        assert page.terms.dtype == page.starts.dtype == np.int32


def test_a_charset_of_the_header_is_used() -> None:
    assert read("<p>Привет".encode("cp1251"), content_type="text/html; charset=windows-1251").words == ["Привет"]


def test_too_many_words_are_cut_and_said_to_be() -> None:
    page = read("<p>" + "word " * (MAX_WORDS + 5) + "<a href=/late>late</a>")
    assert len(page.words) == len(page.terms) == MAX_WORDS and page.truncated
    assert page.links[0].anchor == "" and page.ends.max() <= MAX_WORDS
    assert not read("<p>" + "word " * MAX_WORDS).truncated


@pytest.mark.parametrize(
    "element", ["main", "div role=main", "section role='main'", "main role=main", "html role=main><main"]
)
def test_the_one_main_element_is_the_main_content(element: str) -> None:
    inside = " ".join(f"m{number}" for number in range(60))
    end = re.split("[ <>]", element)[-1 if "<" in element else 0]
    page = read(f"<title>Bicycle races</title><nav>before</nav><{element}>{inside}</{end}>after")
    assert page.main == (3, 63)
    assert page.main_words == inside.split()
    assert page.judged_terms.tolist() == READER.vocabulary.ids(["Bicycle", "races", *page.main_words]).tolist()


@pytest.mark.parametrize(
    "body",
    [
        "{0}",
        "<main>short</main>",
        "<main>{0}</main><main>{0}</main>",
        "<div role=main><main>{0}</main></div>",
        "<html role=main><p>{0}",
        "<script role=main>{0}</script>{0}",
    ],
)
def test_without_one_long_main_element_all_is_main(body: str) -> None:
    page = read("<nav>before</nav>" + body.format("word " * 60))
    assert page.main == (0, len(page.words))
    assert page.main_words == page.words

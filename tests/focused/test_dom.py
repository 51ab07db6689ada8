"""Words, marks and DOM paths, against plain references."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from focused.dom import MAX_DEPTH, DomPaths, Found, Marks, Words, apart, unmarked, visible
from tests.focused.soup import SOUP

WORD = re.compile(r"[^\W_]+")


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
@example("it's a_b — “quoted” naïve Straße 2nd №5 ½ x² 東京タワー кот,пёс\u00a0x\u200by\x1cz")
@example("".join(map(chr, range(1, 0x3000))))
@example("".join(map(chr, range(1, 256))) * 2)
def test_words_apart_are_the_words_of_the_regular_expression(text: str) -> None:
    assert apart(text).split() == WORD.findall(text)


@given(st.text("ab,.\0 é—", max_size=20))
def test_marks_survive_being_put_apart(text: str) -> None:
    assert apart(text).count("\0") == text.count("\0")


@settings(max_examples=200, deadline=None)
@given(SOUP)
def test_taking_the_marks_out_restores_the_tree(soup: str) -> None:
    tree = LexborHTMLParser(soup)
    before = tree.html
    found, marks = Found(), Marks()
    found.walk(tree)
    marks.set(found.links, found)
    marks.remove()
    assert tree.html == before
    assert marks.nodes == []


@settings(max_examples=200, deadline=None)
@given(SOUP)
def test_every_mark_comes_back_out_of_the_text(soup: str) -> None:
    tree = LexborHTMLParser(soup)
    found, marks = Found(), Marks()
    found.walk(tree)
    marks.set(found.links, found)
    text = visible(tree)
    assert len(re.findall("\0a", text)) == len(re.findall("\0b", text)) == len(found.links)
    words = Words(text, found.links)
    assert all(0 <= start <= end <= len(words.words) for start, end in zip(words.starts, words.ends, strict=True))
    assert words.starts == sorted(words.starts)
    assert "\0" not in unmarked(text)


@pytest.mark.parametrize("forged", ["\0a", "&#0;a", "&#x0;b", "a\0\0b", "<b\0>", "<p>\0c<p>\0d", "<title>\0e</title>"])
def test_no_page_can_forge_a_mark(forged: str) -> None:
    forms = (
        "{}",
        "<svg>{}</svg>",
        "<math>{}",
        "<textarea>{}",
        "<table>{}",
        "<select>{}",
        "<svg><![CDATA[{}]]>",
        "<xmp>{}",
    )
    for form in forms:
        text = LexborHTMLParser(form.format(forged)).text(separator=" ")
        assert "\0" not in text


def paths_of(html: str, selector: str) -> list[str]:
    paths = DomPaths()
    return [paths.of(node) for node in LexborHTMLParser(html).css(selector)]


def test_a_path_has_an_index_where_siblings_share_the_tag() -> None:
    html = "<div></div><div><ul><li><a>1</a><li><li>x<!-- c --><b><a>2</a></b><a>3</a><a>4</a></ul></div>"
    assert paths_of(html, "a") == [
        "/html/body/div[2]/ul/li[1]/a",
        "/html/body/div[2]/ul/li[3]/b/a",
        "/html/body/div[2]/ul/li[3]/a[1]",
        "/html/body/div[2]/ul/li[3]/a[2]",
    ]
    assert paths_of(html, "html, body, ul") == ["/html", "/html/body", "/html/body/div[2]/ul"]


@settings(max_examples=150, deadline=None)
@given(SOUP)
def test_a_path_leads_back_to_its_element(soup: str) -> None:
    tree = LexborHTMLParser(soup)
    paths = DomPaths()
    for node in tree.css("html *")[:60]:
        steps = paths.of(node).split("/")[2:]
        if all(re.fullmatch(r"[a-z0-9]+(\[\d+\])?", step) for step in steps):
            css = " > ".join(re.sub(r"\[(\d+)\]", r":nth-of-type(\1)", step) for step in ["html", *steps])
            assert node.mem_id in [match.mem_id for match in tree.css(css)]
            assert len(tree.css(css)) == 1


def test_a_link_too_deep_has_no_path_and_costs_little() -> None:
    html = "<a>0</a>" + "<span>" * (MAX_DEPTH * 4) + "<a>1</a><a>2</a>"
    first, *deep = paths_of(html, "a")
    assert first == "/html/body/a" and deep == ["", ""]


def test_many_long_paths_do_not_add_up() -> None:
    html = "<averylongelementname><a>x</a>" * 1500
    paths = DomPaths()
    found = [paths.of(node) for node in LexborHTMLParser(html).css("a")]
    assert found[0] and not found[-1]
    assert sum(map(len, found)) < 10_000_000

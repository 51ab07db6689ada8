"""Bytes made safe to parse: charsets, and pages written to hurt a parser."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from focused.html import MAX_BODY, is_wild, readable
from tests.bench.pages import make_page

META = b"<meta charset='%s'><p>"
HEADER = "text/html; charset="


def text_of(body: bytes, content_type: str = "text/html") -> str:
    return readable(body, content_type).html.decode()


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("<p>Grüße".encode(), "text/html", "<p>Grüße"),
        ("<p>Grüße".encode(), "", "<p>Grüße"),
        ("<p>Grüße".encode("latin-1"), "text/html", "<p>Grüße"),
        ("<p>„Grüße“".encode("cp1252"), HEADER + "ISO-8859-1", "<p>„Grüße“"),
        ("<p>Привет".encode("cp1251"), HEADER + "windows-1251", "<p>Привет"),
        ("<p>Привет".encode("koi8-r"), HEADER + '"KOI8-R"', "<p>Привет"),
        ("<p>日本".encode("shift_jis"), HEADER + "Shift_JIS", "<p>日本"),
        ("<p>中文".encode("gb18030"), HEADER + "gb2312", "<p>中文"),
        ("<p>日本".encode("utf-16-le"), HEADER + "utf-16", "<p>日本"),
        (META % b"windows-1251" + "Привет".encode("cp1251"), "text/html", "<meta charset='windows-1251'><p>Привет"),
        (META % b"windows-1251" + "Привет".encode(), HEADER + "utf-8", "<meta charset='windows-1251'><p>Привет"),
        (META % b"utf-16" + "Grüße".encode(), "text/html", "<meta charset='utf-16'><p>Grüße"),
        (META % b"utf-8" + b"Gr\xfc\xdfe", "text/html", "<meta charset='utf-8'><p>Gr\ufffd\ufffde"),
        (b"\xef\xbb\xbf" + "<p>ß".encode(), HEADER + "windows-1251", "<p>ß"),
        ("\ufeff<p>日本".encode("utf-16-le"), HEADER + "utf-8", "<p>日本"),
        ("\ufeff<p>日本".encode("utf-16-be"), "", "<p>日本"),
        (b"<p>Gr\xfc\xdfe", HEADER + "no-such-thing", "<p>Gr\ufffd\ufffde"),
        (b"<p>Gr\xfc\xdfe", HEADER + "utf-8", "<p>Gr\ufffd\ufffde"),
        (b"<p>+ADw-script+AD4-", HEADER + "utf-7", "<p>+ADw-script+AD4-"),
        (b"<p>\\x3cb\\x3e", HEADER + "unicode_escape", "<p>\\x3cb\\x3e"),
        (b"PHA+", HEADER + "base64", "PHA+"),
        (META % b"rot13" + b"abc", "", "<meta charset='rot13'><p>abc"),
        (b"", "", ""),
    ],
)
def test_a_page_is_decoded_as_bom_then_header_then_meta_say(body: bytes, content_type: str, expected: str) -> None:
    assert text_of(body, content_type) == expected


def test_a_meta_is_looked_for_in_the_first_kilobyte_only() -> None:
    late = b" " * 1024 + META % b"windows-1251" + b"Gr\xfc\xdfe"
    assert text_of(late).endswith("Grüße")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.text(max_size=20), st.booleans())
def test_no_bytes_and_no_label_can_make_it_raise(body: bytes, label: str, in_meta: bool) -> None:
    if in_meta:
        body = b"<meta charset='" + label.encode("utf-8", "replace") + b"'>" + body
    assert isinstance(readable(body, "" if in_meta else HEADER + label).html.decode(), str)  # neither raises


ENCODINGS = st.sampled_from("utf-8 cp1252 cp1251 shift_jis euc_jp gb18030 big5 utf-16-le unicode_escape idna".split())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=100), ENCODINGS)
def test_known_labels_on_any_bytes_give_valid_utf8(body: bytes, encoding: str) -> None:
    assert isinstance(readable(body, HEADER + encoding).html.decode(), str)  # decode would raise


def test_a_huge_body_is_cut_between_characters_and_says_so() -> None:
    page = readable(b"<p>" + "ß".encode() * (MAX_BODY // 2), "")
    assert page.cut and not page.flat
    assert len(page.html) <= MAX_BODY
    assert "\ufffd" not in page.html.decode() and "Ã" not in page.html.decode()


def repeated(*parts: bytes, times: int) -> bytes:
    return b"".join(part % number if b"%" in part else part for number in range(times) for part in parts)


WILD = {
    "nested": b"<div>" * 30_000 + b"<a href=/x>link</a>",
    "nested and closed": b"<div>" * 30_000 + b"<a href=/x>link</a>" + b"</div>" * 30_000,
    "nested lists": b"<ul><li>" * 15_000 + b"<a href=/x>link</a>",
    "nested definitions": b"<dl><dd>" * 15_000 + b"<a href=/x>link</a>",
    "a million nested": b"<div>" * 1_000_000 + b"<a href=/x>link</a>",
    "closed by another": b"<div></x>" * 15_000 + b"<a href=/x>link</a>",
    "closed in a comment": b"<div><!--</div>-->" * 15_000 + b"<a href=/x>link</a>",
    "closed in a script": b"<div><script></div></script>" * 15_000 + b"<a href=/x>link</a>",
    "closed behind a wall": b"<div><object></div></object>" * 15_000 + b"<a href=/x>link</a>",
    "crossed": b"<b><div></b>" * 15_000 + b"<a href=/x>link</a>",
    "formatting and paragraphs": b"<p>" + repeated(b"<b id=%d>", times=3000) + b"<p>x" * 3000 + b"<a href=/x>link</a>",
    "quoted formatting": b"<p>" + repeated(b"<b id='>%d'>", times=3000) + b"<p>x" * 3000 + b"<a href=/x>link</a>",
    "fonts": b"<p>" + repeated(b"<FONT size=%d>", times=2000) + b"</p><p>x" * 2000 + b"<a href=/x>link</a>",
    "formatting behind walls": b"<p>"
    + repeated(b"<b id=%d><object></b></object>", times=3000)
    + b"<p>x" * 3000
    + b"<a href=/x>link</a>",
    "attributes": b"<div " + repeated(b"a%d=1 ", times=100_000) + b"><a href=/x>link</a>",
    "attributes without values": b"<div " + repeated(b"a%d ", times=100_000) + b"><a href=/x>link</a>",
    "attributes with tags in them": b"<div " + repeated(b"a%d='<p>'", times=50_000) + b"><a href=/x>link</a>",
    "attributes behind a comment": b'<!-- <x y=" --><div '
    + repeated(b"a%d=1 ", times=50_000)
    + b'"><a href=/x>link</a>',
    "very many tags": b"<p>x</p>" * 60_000 + b"<a href=/x>link</a>",
}


@pytest.mark.parametrize("name", WILD)
def test_a_page_that_would_hurt_the_parser_is_read_flat_and_quickly(name: str) -> None:
    start = time.process_time()
    page = readable(WILD[name], "text/html")
    tree = LexborHTMLParser(page.html)
    assert page.flat
    assert [link.text().strip() for link in tree.css("a[href]")] == ["link"]
    assert len(tree.css("*")) < 10
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "body",
    [
        make_page(50, 100, seed=1),
        make_page(400, 1000, seed=2),
        b"<html><body>" + b"<div><p>x<br><span>y</span><i class='icon'></i></div>" * 4000,
        b"<table>" + b"<tr><td>1<td>2<td><b>3</b>" * 5000 + b"</table>",
        b"<ul>" + b"<li>x <em>y</em> <a href=/z>z</a>" * 5000 + b"</ul>",
        b"<p>" + b"<svg><path d='1'/><path d='2'/><g><circle r=1 /></g></svg>" * 3000,
        b"<p>" + b"<!-- <div><table> --><div><!-- <table> <div> -->x</div>" * 800,
        b"<p>" + b"<div><!-- <p>x</p> --><b>x</b></div>" * 4000,
        b"<p>" + b"<div><script>document.write('<table><div>')</script>x</div>" * 300,
        b"<p>" + b"<font color='red'>a</font> <font color='blue'>b</font><p>" * 2500,
        b"<script>" + b"for(i=0;i<n;i++){ a = 'b' }\n" * 5000 + b"</script><p>x",
        b"<img src='data:image/png;base64," + b"QUJD" * 50_000 + b"'>",
        b"<script type=application/json>{" + b'"some text": "with a few words in it", ' * 3000 + b"}</script>",
    ],
    ids=lambda body: ascii(body[:40]),
)
def test_a_large_ordinary_page_is_left_alone(body: bytes) -> None:
    assert not is_wild(body)
    assert readable(body) == (body, False, False)


def test_flat_reading_keeps_links_text_and_head_and_drops_the_rest() -> None:
    body = (
        b"<title>T</title><base href='/b/'><meta name=robots content=nofollow><!-- <a href=/no>no</a> -->"
        b"<script>'<a href=/no>'</script><div class='<'>one<DIV>two<A HREF='/x' title=\"t\">three</A>1 < 2"
        + b"<div>"
        * 30_000
    )
    html = readable(body).html
    tree = LexborHTMLParser(html)
    assert [node.attributes["href"] for node in tree.css("[href]")] == ["/b/", "/x"]
    assert [title.text().strip() for title in tree.css("title")] == ["T"] and len(tree.css("meta")) == 1
    assert "one two three 1 < 2" in " ".join(tree.text(separator=" ").split())
    assert b"<div" not in html.lower() and b"script" not in html


@pytest.mark.parametrize(
    "piece",
    [
        b"<",
        b"<!--",
        b"<!",
        b"</",
        b"<a",
        b"<a '",
        b"<a \"'",
        b"<script",
        b"<style>",
        b"&#",
        b"<b ",
        b"-->",
        b"'\"",
        b"<\0",
    ],
)
def test_the_time_grows_with_the_size_only(piece: bytes) -> None:
    start = time.process_time()
    readable(piece * (1_000_000 // len(piece)))
    assert time.process_time() - start < 20

"""Damage to a page-per-line corpus: named and counted, and the rest is served."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focused.errors import WebError
from focused.webs import open_web
from focused.webs.pages import PagesWeb
from tests.focused.webs.collected import A, B, C, jsonl, links_of, page, web_of


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made ready goes to .cache of the working folder."""
    monkeypatch.chdir(tmp_path)


GOOD = [page(f"http://a.example/{n}", f"page {n} " + os.urandom(300).hex(), ["http://a.example/0"]) for n in range(50)]


def had(web: PagesWeb) -> int:
    return sum(web.fetch(given["url"]).status == 200 for given in GOOD)


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (b'{"url": "http://x.example/", "html"\n', "bad_json"),
        (b"[1, 2]\n", "bad_json"),
        (b'"text"\n', "bad_json"),
        (b'{"html": "no url"}\n', "bad_url"),
        (b'{"url": 3, "html": ""}\n', "bad_url"),
        (b'{"url": "javascript:x", "html": ""}\n', "bad_url"),
        (jsonl(GOOD[3]), "duplicate_url"),
        (jsonl({**GOOD[3], "url": "https://a.example/3"}), "duplicate_url"),
    ],
)
def test_a_line_that_is_no_page_is_counted_and_the_rest_is_served(bad: bytes, fault: str) -> None:
    web = web_of(*GOOD[:20], bad, b"\n  \n", *GOOD[20:])
    assert web.faults == {fault: 1} and had(web) == len(web) == 50


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"html": None}, {"no_html": 1}),
        ({"html": 5, "title": 7}, {"no_html": 1}),
        ({"links": "none"}, {"no_links": 1}),
        ({"labels": None}, {"no_labels": 1}),
        ({"labels": [3, "Birds"]}, {}),
        ({"links": [{"url": B}, {"anchor": "x"}, 3, {"url": "mailto:x"}]}, {"bad_link": 3}),
        ({"hub": "yes", "host": None}, {}),
    ],
)
def test_a_page_with_fields_missing_is_served_with_the_others(change: dict[str, Any], faults: dict[str, int]) -> None:
    web = web_of(page(A, f'<a href="{B}">two</a>', [B]) | change, page(B))
    assert web.faults == faults and web.fetch(A).status == 200
    assert [url for url, _ in links_of(web, A)] == [B]


def test_a_line_that_is_not_utf8_is_served_as_far_as_it_can_be_read() -> None:
    latin = json.dumps(page(A, "caf@")).replace("@", "é").encode("latin-1") + b"\n"
    web = web_of(latin, page(C))
    assert web.faults == {"not_utf8": 1} and "caf\ufffd" in web.fetch(A).body.decode()


def test_a_truncated_file_is_served_up_to_the_cut() -> None:
    data = gzip.compress(jsonl(*GOOD))
    for name, content in (("t.jsonl.gz", data[: len(data) // 2]), ("t.jsonl", jsonl(*GOOD)[:-500])):
        Path(name).write_bytes(content)
        web = PagesWeb(name)
        assert sum(web.faults.values()) == 1 and 15 < had(web) == len(web) < 50


@pytest.mark.parametrize("damage", [lambda data: data[:30] + b"\xff" * 9 + data[39:], lambda data: b"garbage" * 99])
def test_a_damaged_gzip_member_costs_only_its_lines(damage: Callable[[bytes], bytes]) -> None:
    parts = [gzip.compress(jsonl(*GOOD[n : n + 10])) for n in range(0, 50, 10)]
    parts[2] = damage(parts[2])
    Path("d.jsonl.gz").write_bytes(b"".join(parts))
    web = PagesWeb("d.jsonl.gz")
    assert web.faults["corrupt_gzip"] >= 1 and 40 <= had(web) < 50


def test_lines_may_cross_gzip_members() -> None:
    data = jsonl(*GOOD)
    Path("m.jsonl.gz").write_bytes(b"".join(gzip.compress(data[at : at + 777]) for at in range(0, len(data), 777)))
    web = PagesWeb("m.jsonl.gz")
    assert not web.faults and had(web) == 50


def test_an_endless_line_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.webs.pagefile.LONGEST_LINE", 100_000)
    web = web_of(*GOOD[:5], b"x" * 400_000 + b"\n", *GOOD[5:])
    assert web.faults == {"too_long": 1} and had(web) == 50


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"only text\n" * 50, b"\x1f\x8b\x08garbage", gzip.compress(b"[]\n", mtime=0), b"{}\n"]
)
def test_a_file_that_is_no_corpus_is_refused_in_one_sentence(content: bytes) -> None:
    Path("no.jsonl.gz").write_bytes(content)
    with pytest.raises(WebError, match=r"'no\.jsonl\.gz' has no pages in it: give a \.jsonl") as raised:
        open_web("pages:no.jsonl.gz")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("spec", ["pages:", "pages:/nowhere.jsonl", "pages:."])
def test_a_file_that_is_not_there_is_named(spec: str) -> None:
    with pytest.raises(WebError, match=r"write pages:FILE\.jsonl\.gz"):
        open_web(spec)

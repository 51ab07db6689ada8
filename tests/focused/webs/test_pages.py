"""Page-per-line corpora as webs: what is served, what is known about it, and what damage costs."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.errors import WebError
from focused.page import PageReader
from focused.webs import about, open_web, pagestore
from focused.webs.pagefile import Row
from focused.webs.pagehtml import served
from focused.webs.pages import PagesWeb
from models.text import Vocabulary

A, B, C = "http://a.example/x/one.htm", "http://a.example/x/two.htm", "http://b.example/"
SCHOOLS = Path(__file__).parents[4] / "shared/corpora/schools-wikipedia-2007.jsonl.gz"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made ready goes to .cache of the working folder."""
    monkeypatch.chdir(tmp_path)


def page(url: str, html: str = "", links: list[str] | None = None, **more: Any) -> dict[str, Any]:
    listed = [{"url": link, "anchor": "words"} for link in links or []]
    made = f"<html><head><title>T</title></head><body>{html}</body></html>"
    return {"url": url, "host": "h", "title": "T", "html": made, "links": listed, "labels": [], "hub": False} | more


def jsonl(*pages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(given).encode() + b"\n" for given in pages)


def web_of(*pages: dict[str, Any] | bytes, name: str = "web.jsonl.gz") -> PagesWeb:
    data = b"".join(given if isinstance(given, bytes) else jsonl(given) for given in pages)
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return PagesWeb(name)


def links_of(web: PagesWeb, url: str) -> list[tuple[str, str]]:
    """The links of a page as a crawl reads them, and their anchors."""
    answer = web.fetch(url)
    assert answer.status == 200
    read = PageReader(Vocabulary()).read(url, answer.body, answer.headers["Content-Type"])
    return [(link.url, link.anchor) for link in read.links]


# --- what is served ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["web.jsonl", "web.jsonl.gz"])
def test_a_page_is_served_under_its_url_in_any_spelling_and_scheme(name: str) -> None:
    web = web_of(page(A, "<p>Ödön</p>"), page(C, "c"), name=name)
    assert len(web) == 2 and not web.faults
    for url in (A, "https://A.example:443/x/one.htm#top"):
        answer = web.fetch(url)
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert "<p>Ödön</p>" in answer.body.decode()
    assert [web.fetch(url).status for url in (B, "http://a.example/robots.txt", "", "ftp://x/")] == [404] * 4


def test_html_whose_links_are_the_listed_ones_is_served_as_it_is() -> None:
    html = '<a href="two.htm">two</a> <a href="#top">up</a> <a href="mailto:x@y.z">me</a> <A NAME=x>here</A>'
    given = page(A, html, [B])
    assert web_of(given, page(B)).fetch(A).body.decode() == given["html"]


def test_a_link_that_is_not_listed_becomes_plain_text() -> None:
    html = '<a class="image" href="../images/1.png.htm" title="a > b">picture</a> <a href="two.htm">two</a>'
    web = web_of(page(A, html, [B]), page(B))
    assert links_of(web, A) == [(B, "two")]
    assert '<a class="image" title="a > b">picture</a>' in web.fetch(A).body.decode()


def test_a_listed_link_that_the_html_lacks_is_added_with_its_anchor() -> None:
    web = web_of(page(A, "no links", [B, C]), page(B), page(C))
    assert links_of(web, A) == [(B, "words"), (C, "words")]


def test_a_link_that_leads_out_of_the_web_stays() -> None:
    web = web_of(page(A, "", ["http://gone.example/"]))
    assert links_of(web, A) == [("http://gone.example/", "words")]


def test_percent_signs_escaped_in_links_only_still_name_the_page() -> None:
    target = "http://a.example/x/D%C3%A1l.htm"
    web = web_of(page(A, '<a href="D%25C3%25A1l.htm">there</a>', ["http://a.example/x/D%25C3%25A1l.htm"]), page(target))
    assert links_of(web, A) == [(target, "there")] and web.fetch(target).status == 200


def test_frames_areas_and_the_base_count_as_in_a_browser() -> None:
    frames = page(A, "", [B, C])
    frames["html"] = f'<frameset><frame src="two.htm"><frame src="/no.htm"><frame src={C}></frameset>'
    deep = "http://a.example/far/away/page.htm"
    based = page(deep, '<area href="one.htm"><a href="?page=2">next</a><a href="other.htm">no</a>', [A, f"{B}?page=2"])
    based["html"] = based["html"].replace("<head>", "<head><base href='../../x/y/../two.htm'>")
    web = web_of(frames, based, page(C))
    assert [url for url, _ in links_of(web, A)] == [B, C]
    assert links_of(web, deep) == [(A, ""), (f"{B}?page=2", "next")]


def test_without_a_list_the_links_of_the_html_stand() -> None:
    given = page(A, '<a href="two.htm">two</a>')
    del given["links"]
    web = web_of(given)
    assert links_of(web, A) == [(B, "two")] and web.faults == {"no_links": 1}


TARGETS = [f"http://t.example/{n}?q={n}&x='\"" for n in range(6)]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(TARGETS)),
    st.lists(st.sampled_from(TARGETS)),
    st.text(st.sampled_from("<>\"'/=a href!-"), max_size=30),
)
def test_a_crawl_reads_exactly_the_listed_links(listed: list[str], written: list[str], noise: str) -> None:
    from focused.urls import canonical

    known = [(str(canonical(url)), "w") for url in listed]
    html = "".join(f"<p>{n}<a href='{url.replace(chr(39), '&#39;')}'>w</a></p>" for n, url in enumerate(written))
    body = served(Row(A, "", f"<body>{html}</body>{noise}", known, (), False), lambda url: url)
    read = PageReader(Vocabulary()).read(A, body, "text/html; charset=utf-8")
    stray = {link.url for link in read.links} - set(TARGETS) - {url for url, _ in known}
    assert {link.url for link in read.links} - stray == {url for url, _ in known}


# --- what is known about it -------------------------------------------------------------------------------


def test_a_page_may_have_several_subjects_and_a_subject_holds_those_below_it() -> None:
    web = web_of(page(A, labels=["Science.Biology.Birds", "Countries"]), page(B, labels=["Science/Biology"]), page(C))
    assert web.labels(A) == ("Science/Biology/Birds", "Countries") and web.truth(A) == "Science/Biology/Birds"
    assert [about(web, A, topic) for topic in ("Science/Biology", "Science.Biology.Birds", "Countries")] == [True] * 3
    assert [about(web, A, topic) for topic in ("Science/Bio", "Birds", "Science/Biology/Birds/Owls")] == [False] * 3
    assert about(web, B, "Science") and not about(web, C, "Science") and not about(web, "http://no.example/", "Science")
    assert web.truth(C) is None


def test_a_web_with_one_topic_a_page_can_be_asked_the_same() -> None:
    web = open_web("sim:small,pages=300")
    url = web.seeds("home/cooking", 1, 0)[0]
    assert about(web, url, str(web.truth(url))) and not about(web, url, "science/astronomy")


def subject(count: int) -> list[dict[str, Any]]:
    urls = [f"http://a.example/{n}" for n in range(count)]
    return [page(url, "", [urls[0], urls[-1]], labels=["Birds"]) for url in urls]


def test_seeds_are_pages_of_the_subject_and_fixed_by_their_seed() -> None:
    web = web_of(*subject(40), page(C, labels=["Other"], links=[A]))
    sets = [web.seeds("Birds", 5, seed) for seed in range(6)]
    assert sets == [web.seeds("Birds", 5, seed) for seed in range(6)]
    assert all(len(set(urls)) == 5 and all(about(web, url, "Birds") for url in urls) for urls in sets)
    assert len({tuple(urls) for urls in sets}) == 6
    assert len(web.seeds("Birds", 500, 0)) == 40


def test_seeds_are_no_index_pages_and_no_dead_ends() -> None:
    index = page(B, labels=["Birds"], links=[A], hub=True)
    alone = [page(f"http://d.example/{n}", labels=["Birds"], links=["http://out.example/"]) for n in range(9)]
    web = web_of(page(A, labels=["Birds"], links=[C]), index, page(C), *alone)
    assert web.seeds("Birds", 9, 1) == [A]


def test_seeds_are_the_entrances_of_different_sites_where_there_are_sites() -> None:
    pages = [
        page(f"http://{host}.example/{n}", links=[f"http://{host}.example/0", C], labels=["Birds"])
        for host in "pqrs"
        for n in range(5)
    ]
    web = web_of(*pages, page(C))
    entrances = {f"http://{host}.example/0" for host in "pqrs"}
    assert set(web.seeds("Birds", 4, 0)) == entrances == set(web.seeds("Birds", 4, 1))
    assert {tuple(web.seeds("Birds", 2, seed)) for seed in range(20)} != {tuple(web.seeds("Birds", 2, 0))}
    assert len(web.seeds("Birds", 9, 0)) == 9 and set(web.seeds("Birds", 9, 0)) > entrances


def test_a_subject_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(WebError, match=r"'Fish' is not in 'web\.jsonl\.gz': choose among Birds"):
        web_of(*subject(2)).seeds("Fish", 1, 0)
    with pytest.raises(WebError, match="no labels"):
        web_of(page(A, links=[C]), page(C), name="other.jsonl").seeds("Fish", 1, 0)


# --- damage -----------------------------------------------------------------------------------------------

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
    "content", [b"", b"\n\n", b"only text\n" * 50, b"\x1f\x8b\x08garbage", gzip.compress(b"[]\n"), b"{}\n"]
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


# --- the store --------------------------------------------------------------------------------------------


def stores() -> list[str]:
    return sorted(path.name for path in pagestore.CACHE.iterdir())


def test_a_file_is_made_ready_once_and_again_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    web_of(page(A, "old"))
    before = stores()
    making = pagestore._Making.run
    monkeypatch.setattr(pagestore._Making, "run", None)
    assert b"old" in PagesWeb("web.jsonl.gz").fetch(A).body and stores() == before
    monkeypatch.setattr(pagestore._Making, "run", making)
    assert b"newer" in web_of(page(A, "newer")).fetch(A).body
    assert len(stores()) == 1 and stores() != before


def test_a_web_that_is_open_survives_the_store_being_made_anew() -> None:
    first = web_of(page(A, "old"))
    second = web_of(page(A, "newer"))
    assert b"old" in first.fetch(A).body and b"newer" in second.fetch(A).body


def test_two_that_make_it_at_once_both_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    making = pagestore._Making.run
    quicker: list[int] = []

    def overtaken(self: pagestore._Making) -> None:
        making(self)
        monkeypatch.setattr(pagestore._Making, "run", making)
        assert PagesWeb("web.jsonl.gz").fetch(A).status == 200
        quicker.extend(folder.stat().st_ino for folder in pagestore.CACHE.glob("web-*"))

    monkeypatch.setattr(pagestore._Making, "run", overtaken)
    assert b"twice" in web_of(page(A, "twice")).fetch(A).body
    assert [folder.stat().st_ino for folder in pagestore.CACHE.iterdir()] == quicker  # nobody's is taken away


def test_what_a_dead_process_left_is_cleared_away() -> None:
    left = pagestore.CACHE / "draft-dead"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))
    web_of(page(A))
    assert len(stores()) == 1 and not left.exists()


def test_where_nothing_can_be_kept_the_web_works_all_the_same() -> None:
    Path(".cache").write_text("a file where a folder should be")
    web = web_of(page(A, "words"))
    assert b"words" in web.fetch(A).body


def test_a_damaged_store_is_a_fault_and_no_crash() -> None:
    web = web_of(page(A, "words"))
    next(pagestore.CACHE.glob("*/bodies")).write_bytes(b"x")
    assert web.fetch(A).status == 404 and web.faults == {"unreadable": 1}


def test_memory_stays_small_however_large_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.webs.warcfile.IN_MEMORY", 1_000_000)  # what is inflated beyond it goes to disk
    with gzip.open("large.jsonl.gz", "wb", 1) as out:
        for n in range(100):
            out.write(jsonl(page(f"http://a.example/{n}", os.urandom(50_000).hex(), [A])))
    tracemalloc.start()
    web = PagesWeb("large.jsonl.gz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(web) == 100 and peak < 4_000_000, peak


@pytest.mark.skipif(not SCHOOLS.is_file(), reason=f"the collection {SCHOOLS.name} is not on this machine")
def test_the_shared_collection_replays_as_it_lists_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])  # where it may be ready already
    web = PagesWeb(str(SCHOOLS))
    assert len(web) == 5462 and not web.faults
    seeds = web.seeds("Science/Biology/Birds", 5, 0)
    assert all(about(web, url, "Science") for url in seeds)
    with gzip.open(SCHOOLS, "rt") as lines:
        for _, line in zip(range(60), lines, strict=False):
            given = json.loads(line)
            wanted = {link["url"].replace("%25", "%") for link in given["links"]} - {given["url"]}
            assert {url for url, _ in links_of(web, given["url"])} == wanted

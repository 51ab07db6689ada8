"""Page-per-line corpora as webs: what is served, and what is known about it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.errors import WebError
from focused.page import PageReader
from focused.urls import canonical
from focused.webs import about, open_web
from focused.webs.pagefile import Row
from focused.webs.pagehtml import served
from focused.webs.pages import PagesWeb
from models.text import Vocabulary
from tests.focused.webs.collected import A, B, C, links_of, page, web_of

SCHOOLS = Path(__file__).parents[4] / "shared/corpora/schools-wikipedia-2007.jsonl.gz"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made ready goes to .cache of the working folder."""
    monkeypatch.chdir(tmp_path)


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

"""focused.evaluate.reach: what a crawl can reach, by the rules of a crawl."""

from __future__ import annotations

import pytest

from focused.evaluate.reach import Atlas, Reach, Rules
from focused.page import PageReader
from focused.webs.base import Answer
from models.similarity import Similarity
from models.text import Vocabulary

HTML = {"content-type": "text/html"}
ANY = Rules(agent=None)


class HandMade:
    """A frozen web from a table; counts what is asked of it."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def fetch(self, url: str) -> Answer:
        self.asked.append(url)
        return self.answers.get(url, Answer(404, HTML, b""))

    def truth(self, url: str) -> str | None:
        return None

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        return []


def page(*links: str, head: str = "", **headers: str) -> Answer:
    anchors = "".join(f'<a href="{link}">bicycle clubs</a>' for link in links)
    return Answer(200, HTML | headers, f"<html><head>{head}</head><body>{anchors}</body></html>".encode())


def moved(target: str) -> Answer:
    return Answer(301, {"Location": target}, b"")


def atlas(web: HandMade, rules: Rules = ANY) -> Atlas:
    vocabulary = Vocabulary()
    return Atlas(web, PageReader(vocabulary), Similarity(vocabulary, "bicycle"), rules)


def explored(answers: dict[str, Answer], rules: Rules = ANY) -> Reach:
    return atlas(HandMade(answers), rules).reach(["http://a/"], limit=100)


def links_of(reach: Reach) -> dict[str, set[str]]:
    return {url: {reach.urls[at] for at in reach.graph.links(n)} for n, url in enumerate(reach.urls)}


def test_links_are_followed_as_the_crawler_reads_them() -> None:
    found = explored({"http://a/": page("/b#x", "HTTP://A/c?utm_source=x", "mailto:x@a"), "http://a/b": page("/")})
    assert links_of(found) == {"http://a/": {"http://a/b"}, "http://a/b": {"http://a/"}}
    assert found.seeds == [0] and found.is_whole


def test_a_redirect_is_no_page_and_leads_to_its_end() -> None:
    chain = {f"http://a/{n}": moved(f"/{n + 1}") for n in range(1, 6)}
    found = explored({"http://a/": page("/1", "/6"), **chain, "http://a/6": page()})
    assert links_of(found) == {"http://a/": {"http://a/6"}, "http://a/6": set()}
    too_long = explored({"http://a/": page("/0"), "http://a/0": moved("/1"), **chain, "http://a/6": page()})
    assert too_long.urls == ["http://a/"]


def test_a_redirect_in_a_circle_is_nothing() -> None:
    found = explored({"http://a/": page("/1", "/3"), "http://a/1": moved("/2"), "http://a/2": moved("/1")})
    assert found.urls == ["http://a/"]
    assert explored({"http://a/": moved("/")}).urls == []


def test_a_seed_may_be_a_redirect_and_may_be_named_twice() -> None:
    web = HandMade({"http://a/": moved("http://b/"), "http://b/": page()})
    found = atlas(web).reach(["http://a/", "http://b/", "http://b/#top", "ftp://x/", "http://gone/"], limit=10)
    assert (found.urls, found.seeds) == (["http://b/"], [0])


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404, HTML, b"<a href=/x>"),
        Answer(500, HTML, b""),
        Answer(200, {"Content-Type": "application/pdf"}, b"%PDF"),
        moved(""),
        moved("javascript:1"),
    ],
)
def test_what_is_no_page_is_not_within_reach(answer: Answer) -> None:
    assert explored({"http://a/": page("/b"), "http://a/b": answer, "http://a/x": page()}).urls == ["http://a/"]


def test_pages_without_a_type_are_read() -> None:
    assert len(explored({"http://a/": Answer(200, {}, b"<a href=/b>x</a>"), "http://a/b": page()}).urls) == 2


def test_nofollow_is_obeyed() -> None:
    links = Answer(200, HTML, b"<a rel=nofollow href=/b>x</a><a href=/c>x</a>")
    found = explored(
        {"http://a/": links, "http://a/b": page(), "http://a/c": page("/d", **{"X-Robots-Tag": "nofollow"})}
    )
    assert found.urls == ["http://a/", "http://a/c"]
    meta = page("/b", head="<meta name=robots content=nofollow>")
    assert explored({"http://a/": meta, "http://a/b": page()}).urls == ["http://a/"]


def test_robots_txt_is_asked_once_a_site_and_obeyed() -> None:
    web = HandMade(
        {
            "http://a/": page("/b", "/c", "http://shut/"),
            "http://a/b": page(),
            "http://a/c": page(),
            "http://a/robots.txt": moved("http://a/rules"),
            "http://a/rules": Answer(200, {}, b"User-agent: *\nDisallow: /b\n"),
            "http://shut/": page(),
            "http://shut/robots.txt": Answer(503, {}, b""),
        }
    )
    assert atlas(web, Rules("focused")).reach(["http://a/"], 10).urls == ["http://a/", "http://a/c"]
    assert web.asked.count("http://a/robots.txt") == 1
    assert len(atlas(web, Rules(None)).reach(["http://a/"], 10).urls) == 4


def test_large_pages_and_private_addresses_are_refused_as_in_a_crawl() -> None:
    answers = {"http://a/": page("http://127.0.0.1/", "/large"), "http://127.0.0.1/": page()}
    answers["http://a/large"] = Answer(200, HTML, b"x" * 2000)
    assert len(explored(answers, Rules(None, ("127.0.0.0/8",))).urls) == 3
    assert explored(answers, Rules(None, (), largest=1000)).urls == ["http://a/"]


def test_nothing_is_asked_twice_whatever_the_seeds() -> None:
    web = HandMade({"http://a/": page("/b"), "http://a/b": page("/c"), "http://a/c": page("/")})
    explorer = atlas(web)
    assert len(explorer.reach(["http://a/"], 10).urls) == 3
    second = explorer.reach(["http://a/b"], 10)
    assert (second.urls[0], len(second.urls), second.seeds) == ("http://a/b", 3, [0])
    assert len(web.asked) == len(set(web.asked)) == 3


def test_a_limit_cuts_the_farthest_and_says_so() -> None:
    chain = {f"http://a/{n}": page(f"/{n + 1}") for n in range(300)}
    heard: list[int] = []
    found = atlas(HandMade({"http://a/": page("/0"), **chain})).reach(["http://a/"], 250, heard.append)
    assert (len(found.urls), found.is_whole, found.urls[-1]) == (250, False, "http://a/248")
    assert heard == [100, 200]
    assert found.graph.links(249) == []


def test_verdicts_and_terms_are_kept_for_the_pages() -> None:
    explorer = atlas(HandMade({"http://a/": page("/b"), "http://a/b": Answer(200, HTML, b"<p>stocks and bonds")}))
    explorer.reach(["http://a/"], 10)
    assert explorer.verdicts == {"http://a/": True, "http://a/b": False}
    assert {url: len(ids) for url, (ids, _) in explorer.terms.items()} == {"http://a/": 2, "http://a/b": 2}


def test_pages_beyond_the_limit_that_somebody_has_found_are_within_reach() -> None:
    chain = {f"http://a/{n}": page(f"/{n + 1}", f"/x{n}") for n in range(20)}
    explorer = atlas(HandMade({"http://a/": page("/0"), **chain, **{f"http://a/x{n}": page() for n in range(20)}}))
    also = {f"http://a/{n}" for n in range(10)}
    found = explorer.reach(["http://a/"], 4, also=also)
    assert also | {"http://a/", "http://a/x0"} == set(found.urls) and not found.is_whole
    assert links_of(found)["http://a/8"] == {"http://a/9"}

"""focused.webs.walking: pages of a frozen web, breadth first."""

from __future__ import annotations

from itertools import islice

from focused.page import PageReader
from focused.webs import open_web
from focused.webs.base import Answer
from focused.webs.walking import pages_from
from models.text import Vocabulary

HTML = {"Content-Type": "text/html"}
PAGES = {
    "http://a.example/": Answer(200, HTML, b'<a href="/1">1</a> <a href="/gone">x</a> <a href="/old">2</a>'),
    "http://a.example/1": Answer(200, HTML, b'<a href="/">home</a> <a href="/3">3</a>'),
    "http://a.example/old": Answer(301, {"Location": "/2"}, b""),
    "http://a.example/2": Answer(200, HTML, b"the end"),
    "http://a.example/3": Answer(200, {"Content-Type": "application/pdf"}, b"%PDF"),
}


class Small:
    def fetch(self, url: str) -> Answer:
        return PAGES.get(url, Answer(404, HTML, b""))

    def truth(self, url: str) -> str | None:
        return None

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        return []


def test_every_page_once_in_the_order_of_their_distance() -> None:
    found = [page.url for page in pages_from(Small(), ["http://a.example/"], PageReader(Vocabulary()))]
    assert found == ["http://a.example/", "http://a.example/1", "http://a.example/2"]


def test_as_many_as_are_wanted_of_a_large_web() -> None:
    web = open_web("sim:small,pages=500,seed=1")
    starts = web.seeds("recreation/cycling", 3, 0)
    pages = list(islice(pages_from(web, starts, PageReader(Vocabulary())), 20))
    assert len({page.url for page in pages}) == 20 and pages[0].url == starts[0]

from __future__ import annotations

from collections import Counter

import pytest

from focused.page import PageReader
from focused.webs import open_web
from focused.webs.base import Answer
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.mischief import ROBOTS, is_hostile
from focused.webs.simulated.shape import CONTENT
from focused.webs.simulated.web import SimWeb
from models.text import Vocabulary

PAGES = 600


def spoilt(**shares: float) -> tuple[SimWeb, list[tuple[str, Answer, Answer]]]:
    """Content pages of a web where that is wrong with every page, and the same pages as they should be."""
    knobs = {"pages": PAGES, "seed": 2, "documents": 0.0}
    bad, good = SimWeb(Knobs(**knobs, **shares)), SimWeb(Knobs(**knobs))  # type: ignore[arg-type]
    urls = [card.url for card in map(good.addresses.card, range(0, PAGES, 17)) if card.place.kind == CONTENT]
    return bad, [(url, bad.fetch(url), good.fetch(url)) for url in urls]


def links(url: str, answer: Answer) -> set[str]:
    return {link.url for link in PageReader(Vocabulary()).read(url, answer.body, answer.headers["Content-Type"]).links}


def test_ordinary_webs_are_not_spoilt() -> None:
    assert not is_hostile(Knobs()) and is_hostile(Knobs(broken=0.1))


def test_a_stuffed_page_is_keywords_and_on_no_topic() -> None:
    web, pages = spoilt(stuffed=1.0)
    for url, bad, good in pages:
        article = bad.body.partition(b"<article>")[2].partition(b"</article>")[0].decode()
        assert len(article.split()) > 400 and article not in good.body.decode()
        assert web.truth(url) == "stuffed"
    assert web.count("recreation/cycling") < SimWeb(Knobs(pages=PAGES, seed=2)).count("recreation/cycling")


def test_stuffed_pages_are_not_counted_as_pages_of_a_topic() -> None:
    web = SimWeb(Knobs(pages=PAGES, seed=2, stuffed=0.5))
    everything = [web.addresses.card(page).url for page in range(PAGES)]
    assert list(web.pages_of("home/cooking")) == [url for url in everything if web.truth(url) == "home/cooking"]


def test_a_huge_page_is_huge_but_below_two_megabytes() -> None:
    _, pages = spoilt(huge=1.0)
    assert all(1_000_000 < len(bad.body) < 2_000_000 for _, bad, _ in pages)
    _, larger = spoilt(huge=1.0, huge_bytes=50_000_000)
    assert all(len(bad.body) < 2_000_000 for _, bad, _ in larger)


def test_broken_html_keeps_most_of_its_links() -> None:
    web, pages = spoilt(broken=1.0)
    for url, bad, good in pages:
        assert b"</p>" not in bad.body and b"</html>" not in bad.body and b"\x00" in bad.body
        assert len(links(url, bad) & links(url, good)) > 0.6 * len(links(url, good)), url
        assert web.truth(url) not in (None, "stuffed")


def test_a_wrong_charset_leaves_the_links_readable() -> None:
    _, pages = spoilt(miscoded=1.0)
    said = Counter(bad.headers["Content-Type"].partition("charset=")[2] for _, bad, _ in pages)
    assert set(said) == {"utf-8", "iso-8859-1", "x-no-such-charset"}
    assert any(bad.body.startswith((b"\xff\xfe", b"\xfe\xff")) for _, bad, _ in pages)
    for url, bad, good in pages:
        if not bad.body.startswith((b"\xff\xfe", b"\xfe\xff")):
            assert links(url, bad) == links(url, good)


def test_robots_txt_of_every_bad_kind_is_served() -> None:
    web = SimWeb(Knobs(pages=3_000, seed=2, bad_robots=1.0))
    found = {web.fetch(f"http://{host}/robots.txt")[::2] for host in web.addresses.hosts}
    assert found == {answer[::2] for answer in ROBOTS}
    assert max(len(body) for _, body in found) > 500 * 1024, "RFC 9309 §2.5"


@pytest.mark.parametrize("kind", ["stuffed", "trap", "gone"])
def test_the_hostile_web_has_it_all(kind: str) -> None:
    web = open_web("sim:hostile,seed=1")
    assert isinstance(web, SimWeb)
    assert {family.name for family in web.markup.traps.of.values()} >= {"Calendar", "Browse", "Files", "Items"}
    cards = [web.addresses.card(page) for page in range(0, 10_000, 20)]
    truths = Counter(web.truth(card.url) for card in cards) + Counter(
        web.truth(web.addresses.gone(card)) for card in cards
    )
    truths += Counter(
        web.truth(web.addresses.site(s).root + family.path(999_999)) for s, family in web.markup.traps.of.items()
    )
    assert truths[kind] > 5

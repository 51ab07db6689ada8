from __future__ import annotations

import re

import pytest

from focused.urls import canonical
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import CONTENT, HOME
from focused.webs.simulated.web import SimWeb


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=3_000, seed=5, soft_missing=0.0))


def test_every_page_has_its_own_url_and_every_url_its_page(web: SimWeb) -> None:
    urls = [web.addresses.card(page).url for page in range(3_000)]
    assert len(set(urls)) == 3_000
    assert [web.addresses.page(url) for url in urls] == list(range(3_000))


def test_urls_are_canonical(web: SimWeb) -> None:
    urls = [web.addresses.card(page).url for page in range(0, 3_000, 7)]
    assert [canonical(url) for url in urls] == urls


def test_hosts_are_names_that_nobody_can_own(web: SimWeb) -> None:
    name = re.compile(r"(www\.)?[a-z]+-[a-z]+(-\d+)?(\.[a-z]+)?\.(example|test)")
    assert all(name.fullmatch(host) for host in web.addresses.hosts)
    assert len({host.rpartition(".")[2] for host in web.addresses.hosts}) == 2


def test_both_schemes_name_the_same_page(web: SimWeb) -> None:
    url = web.addresses.card(17).url
    other = url.replace("https://", "http://") if url.startswith("https") else url.replace("http://", "https://")
    assert web.fetch(other) == web.fetch(url) and web.truth(other) == web.truth(url)


def test_an_old_url_redirects_to_the_page(web: SimWeb) -> None:
    cards = [card for card in map(web.addresses.card, range(500)) if card.place.kind in (HOME, CONTENT)]
    for card in cards:
        old = web.addresses.old(card)
        answer = web.fetch(old)
        assert (answer.status, answer.headers["Location"], web.truth(old)) == (301, card.url, None)


def test_a_page_under_a_wrong_name_redirects_to_its_own(web: SimWeb) -> None:
    card = next(c for c in map(web.addresses.card, range(3_000)) if c.place.kind == CONTENT)
    wrong = card.url.rpartition("/")[0] + f"/some-other-words-{card.place.nth}.html"
    assert web.fetch(wrong).headers["Location"] == card.url


NOWHERE = "/nothing.html /nowhere/1.html /links99.html /about7.html /old/ /old/x/1.html // /a/b/c/ /?a=1 /index.html?x"


@pytest.mark.parametrize("path", NOWHERE.split())
def test_what_is_not_there_is_not_found(web: SimWeb, path: str) -> None:
    root = web.addresses.card(0).url.rstrip("/")
    assert web.fetch(root + path).status == 404
    assert web.truth(root + path) is None


def test_pages_beyond_the_end_are_not_found(web: SimWeb) -> None:
    for card in map(web.addresses.card, range(0, 3_000, 11)):
        gone = web.addresses.gone(card)
        assert web.fetch(gone).status == 404, gone
    assert web.fetch("https://www.unheard-of.example/").status == 404


def test_every_host_has_a_robots_txt(web: SimWeb) -> None:
    texts = []
    for host in web.addresses.hosts:
        answer = web.fetch(f"https://{host}/robots.txt")
        assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/plain")
        texts.append(answer.body.decode())
    assert all(text.startswith("User-agent: *\n") for text in texts)
    assert sum(text.endswith("Disallow:\n") for text in texts) > 0.85 * len(texts)
    assert any("Crawl-delay" in text for text in texts)

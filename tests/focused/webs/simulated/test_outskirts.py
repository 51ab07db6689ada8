from __future__ import annotations

import pytest

from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.web import SimWeb


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=3_000, seed=5))


def test_some_sites_answer_200_for_a_page_that_is_gone(web: SimWeb) -> None:
    seen = set()
    for card in map(web.addresses.card, range(0, 3_000, 7)):
        gone = web.addresses.gone(card)
        is_soft = web.outskirts.is_soft(card.place.site)
        assert (web.fetch(gone).status, web.truth(gone)) == ((200, "gone") if is_soft else (404, None))
        seen.add(is_soft)
    assert seen == {True, False}


def test_a_site_says_the_same_for_all_that_is_gone(web: SimWeb) -> None:
    site = next(site for site in range(web.shape.site_count) if web.outskirts.is_soft(site))
    root = web.addresses.site(site).root
    assert web.fetch(f"{root}/nothing.html") == web.fetch(f"{root}/neither/this") != web.fetch(f"{root}/")


def test_no_host_but_ours_answers(web: SimWeb) -> None:
    assert web.fetch("https://www.unheard-of.example/").status == 404
    assert web.truth("https://www.unheard-of.example/robots.txt") is None


def test_robots_txt_is_no_page(web: SimWeb) -> None:
    assert all(web.truth(f"http://{host}/robots.txt") is None for host in web.addresses.hosts)

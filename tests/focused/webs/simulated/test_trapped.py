from __future__ import annotations

from collections import deque
from urllib.parse import urlsplit

import pytest

from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=2_000, seed=3, traps=0.3, trap_pages=120, thin_frames=0.0, thin_words=0.0))


def doors(web: SimWeb) -> dict[str, str]:
    """The first page of one trap of each kind."""
    return {family.name: web.addresses.site(site).root + family.path(0) for site, family in web.markup.traps.of.items()}


def test_every_page_of_a_site_shows_the_way_into_its_trap(web: SimWeb) -> None:
    for site, family in web.markup.traps.of.items():
        card = web.addresses.card(web.shape.content(web.shape.sites.first[site])[0])
        if web.truth(card.url):
            assert family.path(0) in web.fetch(card.url).body.decode()


def test_pages_of_a_trap_are_on_no_topic(web: SimWeb) -> None:
    assert len(doors(web)) == 6
    for site, family in web.markup.traps.of.items():
        for n in (0, 1, 17, 119):
            url = web.addresses.site(site).root + family.path(n)
            assert web.truth(url) == "trap" and web.fetch(url).status == 200
        beyond = web.addresses.site(site).root + family.path(120)
        assert web.truth(beyond) in (None, "gone")


@pytest.mark.parametrize("name", ["Calendar", "Log in", "Browse", "Topics", "Files", "Items"])
def test_a_walk_into_a_trap_finds_only_more_of_it_and_the_site(web: SimWeb, name: str) -> None:
    door = doors(web)[name]
    queue, seen = deque([door]), {door}
    while queue:
        url = queue.popleft()
        for found, _ in links_in(url, web.fetch(url).body):
            if found not in seen and web.truth(found) == "trap":
                assert urlsplit(found).netloc == urlsplit(door).netloc
                seen.add(found)
                queue.append(found)
    assert 40 <= len(seen) <= 120


def test_a_session_shows_the_page_with_a_fresh_id_in_every_link(web: SimWeb) -> None:
    door = doors(web)["Log in"]
    plain = door.partition("?")[0]
    shown = [url for url, _ in links_in(door, web.fetch(door).body)]
    ids = [url for url in shown if "sid=" in url and url != door]
    assert len(ids) > 3 and len({url.rpartition("sid=")[2] for url in ids}) == len(ids)
    assert b"canonical" not in web.fetch(door).body
    assert [text for _, text in links_in(door, web.fetch(door).body)] == [
        text for _, text in links_in(plain, web.fetch(plain).body)
    ]


def test_a_session_on_a_page_that_is_not_there_is_not_there(web: SimWeb) -> None:
    root, _, query = doors(web)["Log in"].partition("/?")
    assert web.truth(f"{root}/nowhere/7.html?{query}") in (None, "gone")

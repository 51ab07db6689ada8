from __future__ import annotations

import pytest

from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import CONTENT, HOME
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=3_000, seed=2, mirrors=0.7, mirror_least=40))


def copies(web: SimWeb) -> list[tuple[str, str]]:
    """URLs of the homepage and of a content page of each copied site, with those of their copies."""
    mirrors, found = web.markup.mirrors, []
    for site, host in mirrors.host_of.items():
        for page in (web.shape.sites.start[site], web.shape.content(web.shape.sites.first[site])[0]):
            url = web.addresses.card(page).url
            if web.truth(url):
                found.append((url, url.replace(url.split("/")[2], host)))
    return found


def test_a_copy_has_the_same_text_and_stays_on_its_own_host(web: SimWeb) -> None:
    assert len(copies(web)) > 10
    for url, copy in copies(web):
        own, other = url.split("/")[2], copy.split("/")[2]
        answer = web.fetch(copy)
        assert answer.status == 200 and own != other
        bodies = (answer.body, web.fetch(url).body)
        bare = [body.replace(other.encode(), b"").replace(own.encode(), b"") for body in bodies]
        assert bare[0] == bare[1]
        assert not [link for link, _ in links_in(copy, answer.body) if link.split("/")[2] == own]


def test_half_of_the_copies_say_whose_they_are(web: SimWeb) -> None:
    named = [f'rel="canonical" href="{url}"'.encode() in web.fetch(copy).body for url, copy in copies(web)]
    assert 0 < sum(named) < len(named)


def test_a_page_counts_once_under_its_own_url(web: SimWeb) -> None:
    for url, copy in copies(web):
        assert web.original(copy) == url and web.original(url) is None
        assert web.truth(copy) == f"copy/{web.truth(url)}"


def test_what_is_not_on_the_original_is_not_on_the_copy(web: SimWeb) -> None:
    host = next(iter(web.markup.mirrors.hosts))
    assert web.fetch(f"https://{host}/robots.txt").body.startswith(b"User-agent")
    assert web.truth(f"https://{host}/nowhere/at.html") in (None, "copy/gone")
    assert web.fetch("https://mirror.unheard-of.example/").status == 404


def test_an_old_url_of_a_copy_redirects_within_the_copy(web: SimWeb) -> None:
    host = next(iter(web.markup.mirrors.hosts))
    answer = web.fetch(f"https://{host}/index.html")
    assert answer.status == 301 and answer.headers["Location"].split("/")[2] == host


def test_some_links_from_other_sites_go_to_the_copy(web: SimWeb) -> None:
    found = []
    for card in map(web.addresses.card, range(3_000)):
        if card.place.kind in (CONTENT, HOME):
            found += [
                url for url, _ in links_in(card.url, web.fetch(card.url).body) if card.url.split("/")[2] not in url
            ]
    hosts = web.markup.mirrors.hosts
    to_copy = sum(url.split("/")[2] in hosts for url in found)
    to_own = sum(web.addresses.hosts.get(url.split("/")[2]) in web.markup.mirrors.host_of for url in found)
    assert 0.10 < to_copy / (to_copy + to_own) < 0.30  # a quarter, less what the footers link to


def test_only_large_sites_that_are_no_islands_are_copied(web: SimWeb) -> None:
    sites = web.markup.mirrors.host_of
    assert all(web.shape.size(site) >= 40 and not web.shape.is_island(site) for site in sites)

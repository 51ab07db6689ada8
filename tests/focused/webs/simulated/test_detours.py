from __future__ import annotations

import pytest

from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import CONTENT
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=1_000, seed=3, chains=0.1, loops=0.1, soft_missing=0.0))


def follow(web: SimWeb, url: str, steps: int) -> list[str]:
    """The URLs a redirect leads to, one after the other."""
    found = [url]
    while len(found) <= steps and web.fetch(found[-1]).status == 302:
        found.append(web.fetch(found[-1]).headers["Location"])
    return found[1:]


def detours(web: SimWeb) -> list[str]:
    cards = [card for card in map(web.addresses.card, range(0, 1_000, 3)) if card.place.kind == CONTENT]
    links = {url for card in cards for url, _ in links_in(card.url, web.fetch(card.url).body)}
    return sorted(url for url in links if "/go-" in url)


def test_some_links_lead_over_two_to_seventeen_redirects_to_a_page(web: SimWeb) -> None:
    chains = [follow(web, url, 30) for url in detours(web) if "/go-to/" in url]
    lengths = {len(chain) for chain in chains}
    assert min(lengths) == 2 and max(lengths) == 17
    assert all(web.addresses.page(chain[-1]) is not None for chain in chains)


def test_some_links_never_arrive(web: SimWeb) -> None:
    rounds = next(url for url in detours(web) if "/go-round/" in url)
    onward = next(url for url in detours(web) if "/go-on/" in url)
    assert len(set(follow(web, rounds, 50))) == 3
    assert len(set(follow(web, onward, 50))) == 50


def test_a_detour_is_no_page(web: SimWeb) -> None:
    assert all(web.truth(url) is None for url in detours(web))


@pytest.mark.parametrize("path", ["/go-to/99/1", "/go-to/1/999999", "/go-to/1", "/go-on/1/1", "/go-away/1"])
def test_a_detour_that_nobody_links_to_is_not_there(web: SimWeb, path: str) -> None:
    assert web.fetch(web.addresses.card(0).url.rstrip("/") + path).status == 404

from __future__ import annotations

from collections import Counter, deque

import pytest

from focused.errors import WebError
from focused.urls import canonical
from focused.webs import open_web
from focused.webs.base import is_under
from focused.webs.simulated.catalogue import BRAND, LARGE, LIST, NEWS, SIZES, THING, TIMELINE, YEARS, Catalogue, Spot
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in


@pytest.fixture(scope="module")
def web() -> SimWeb:
    web = open_web("sim:catalogue,seed=2")
    assert isinstance(web, SimWeb)
    return web


@pytest.fixture(scope="module")
def catalogue(web: SimWeb) -> Catalogue:
    return web.outskirts.catalogue


def links(web: SimWeb, url: str) -> set[str]:
    return {link for link, _ in links_in(url, web.fetch(url).body)}


def makers(catalogue: Catalogue, shop: int, places: list[int]) -> list[int]:
    goods = catalogue.shops[shop].domain
    return [catalogue.goods.brand(goods, catalogue.product(shop, goods, nth)) for nth in places]


def test_there_are_six_sites_of_each_domain_as_large_as_those_of_the_paper(catalogue: Catalogue) -> None:
    assert Counter(shop.domain for shop in catalogue.shops) == {"cameras": 6, "notebooks": 6}
    assert tuple(shop.sections["cameras"] for shop in catalogue.shops[:6]) == SIZES["cameras"]
    assert len(catalogue.hosts) == 12


def test_every_page_has_its_own_url_and_every_url_its_page(catalogue: Catalogue) -> None:
    for topic in ("cameras", "printers", "notebooks", "monitors", "accessories"):
        urls = list(catalogue.pages_of(f"catalogue/{topic}"))
        assert len(set(urls)) == len(urls) == catalogue.count(f"catalogue/{topic}") > 1_000
        assert all(canonical(url) == url for url in urls[::50])
        assert {catalogue.truth(url) for url in urls[::7]} == {f"catalogue/{topic}"}


def test_instances_are_pages_and_nothing_else_is(web: SimWeb, catalogue: Catalogue) -> None:
    for shop in catalogue.shops:
        for path in ("/", "/news/", "/guide/3", f"/{shop.domain}/"):
            assert web.fetch(shop.root + path).status == 200 and web.truth(shop.root + path) == "shop"
        for path in ("/news/999", "/guide/12", "/tables/", f"/{shop.domain}/nobody/", f"/{shop.domain}/x-9999.html"):
            assert web.fetch(shop.root + path).status == 404 and web.truth(shop.root + path) is None
        beyond = catalogue.url(Spot(shop.number, THING, shop.domain, shop.sections[shop.domain]))
        assert web.fetch(beyond).status == 404 and web.truth(beyond) is None
    assert is_under("catalogue/cameras", "catalogue/cameras") and not is_under("shop", "catalogue")


def test_an_index_lists_every_instance_once(catalogue: Catalogue) -> None:
    for shop in catalogue.shops[::3]:
        pages = [
            Spot(shop.number, LIST, shop.domain, nth)
            for nth in range(catalogue.pages(Spot(shop.number, LIST, shop.domain)))
        ]
        listed = [spot.nth for page in pages for spot in catalogue.entries(page)]
        assert sorted(listed) == list(range(shop.sections[shop.domain])) and len(pages) > 3
        assert makers(catalogue, shop.number, listed) == sorted(makers(catalogue, shop.number, listed))
        brands = [Spot(shop.number, BRAND, shop.domain, 0, brand) for brand in range(16)]
        by_brand = [
            s.nth for b in brands for nth in range(catalogue.pages(b)) for s in catalogue.entries(b._replace(nth=nth))
        ]
        assert by_brand == listed


def test_an_index_leads_to_its_further_pages(web: SimWeb, catalogue: Catalogue) -> None:
    for shop in catalogue.shops:
        first, second = (catalogue.url(Spot(shop.number, LIST, shop.domain, nth)) for nth in (0, 1))
        assert second in links(web, first) and first in links(web, second)


def test_an_instance_links_back_to_the_index_that_lists_it(web: SimWeb, catalogue: Catalogue) -> None:
    for url in web.seeds("catalogue/notebooks", 12, 1):
        spot = catalogue.spot(url)
        assert spot is not None
        index = catalogue.url(catalogue.index_of(spot))
        assert index in links(web, url) and url in links(web, index)


def test_large_shops_have_further_sections_as_large_as_the_first_look_alike(catalogue: Catalogue) -> None:
    for shop in catalogue.shops:
        size, like = shop.sections[shop.domain], [*shop.sections][1:-1]
        assert len(like) == (4 if size > LARGE else 1) and not set(like) & set(SIZES)
        assert {shop.sections[goods] for goods in like} == {int(0.8 * size)}
    assert sum(len(shop.sections) > 3 for shop in catalogue.shops) == 9


def test_the_others_on_a_page_are_of_the_same_maker_and_section(web: SimWeb, catalogue: Catalogue) -> None:
    for url in web.seeds("catalogue/cameras", 6, 3):
        spot = catalogue.spot(url)
        assert spot is not None
        others = [other for other in map(catalogue.spot, links(web, url)) if other is not None and other.kind == THING]
        assert others and {other.goods for other in others} == {"cameras"}
        assert set(makers(catalogue, spot.shop, [other.nth for other in others])) == set(
            makers(catalogue, spot.shop, [spot.nth])
        )


def test_one_shop_of_a_domain_has_a_timeline_whose_years_link_to_each_other(web: SimWeb, catalogue: Catalogue) -> None:
    with_timeline = [shop for shop in catalogue.shops if shop.has_timeline]
    assert [shop.domain for shop in with_timeline] == ["cameras", "notebooks"]
    for shop in with_timeline:
        years = [Spot(shop.number, TIMELINE, nth=year) for year in range(YEARS)]
        listed = [spot.nth for year in years for spot in catalogue.entries(year)]
        assert sorted(listed) == list(range(shop.sections[shop.domain]))
        urls = set(map(catalogue.url, years))
        assert all(urls - {url} <= links(web, url) for url in urls)
        thing = catalogue.entries(years[4])[0]
        assert catalogue.url(years[4]) in links(web, catalogue.url(thing))
    assert web.fetch(f"{catalogue.shops[0].root}/timeline/").status == 404


def test_news_list_instances_of_all_sections(web: SimWeb, catalogue: Catalogue) -> None:
    for shop in catalogue.shops:
        pages = range(catalogue.pages(Spot(shop.number, NEWS)))
        kinds = Counter(s.goods for nth in pages for s in catalogue.entries(Spot(shop.number, NEWS, nth=nth)))
        assert set(kinds) == set(shop.sections) and kinds.most_common(1)[0][0] == shop.domain


def test_look_alikes_are_set_out_like_the_instances(web: SimWeb, catalogue: Catalogue) -> None:
    for shop in catalogue.shops:
        one, other = (
            web.fetch(catalogue.url(Spot(shop.number, THING, goods, 3))).body for goods in [*shop.sections][:2]
        )
        tags = [Counter(part.partition(b">")[0] for part in body.split(b"<")[1:]) for body in (one, other)]
        assert {tag for tag in tags[0] if b"href" not in tag} == {tag for tag in tags[1] if b"href" not in tag}


def test_half_of_the_menus_are_made_by_scripts(web: SimWeb, catalogue: Catalogue) -> None:
    for domain in SIZES:
        assert sum(shop.is_scripted for shop in catalogue.shops if shop.domain == domain) == 3
    for shop in catalogue.shops:
        assert (f"{shop.root}/{shop.domain}/" in links(web, f"{shop.root}/")) != shop.is_scripted


def test_seeds_are_instances_of_every_site(web: SimWeb) -> None:
    seeds = web.seeds("catalogue/cameras", 6, 0)
    assert seeds == web.seeds("catalogue/cameras", 6, 0) != web.seeds("catalogue/cameras", 6, 1)
    assert {web.truth(url) for url in seeds} == {"catalogue/cameras"}
    assert len({url.split("/")[2] for url in seeds}) == 6


def test_all_instances_of_a_site_are_reached_from_one(web: SimWeb, catalogue: Catalogue) -> None:
    smallest = catalogue.shops[9]
    start = catalogue.url(Spot(9, THING, "notebooks", 5))
    queue, seen = deque([start]), {start}
    while queue:
        for url in links(web, queue.popleft()):
            if url.startswith(smallest.root) and url not in seen:
                seen.add(url)
                queue.append(url)
    assert sum(web.truth(url) == "catalogue/notebooks" for url in seen) == smallest.sections["notebooks"]


def test_shops_and_ordinary_sites_link_to_each_other(web: SimWeb, catalogue: Catalogue) -> None:
    hubs = [card.url for card in map(web.addresses.card, range(2_000)) if card.place.kind in ("home", "links")]
    linked = {url.rstrip("/") for hub in hubs for url in links(web, hub)}
    assert {shop.root for shop in catalogue.shops} <= linked
    assert any(web.truth(url) in web.shape.words.topics for url in links(web, f"{catalogue.shops[0].root}/"))


def test_what_is_not_in_the_catalogue_is_refused(web: SimWeb) -> None:
    with pytest.raises(WebError, match="catalogue/cameras"):
        web.seeds("catalogue/boats", 5, 0)
    with pytest.raises(WebError, match="'catalogue/cameras' is not"):
        open_web("sim:small,pages=200").seeds("catalogue/cameras", 5, 0)


def test_a_shop_has_an_open_robots_txt(web: SimWeb, catalogue: Catalogue) -> None:
    assert web.fetch(f"{catalogue.shops[0].root}/robots.txt").body == b"User-agent: *\nDisallow:\n"

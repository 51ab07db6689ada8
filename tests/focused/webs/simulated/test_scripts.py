from __future__ import annotations

import pytest

from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.scripts import WAYS, menu, written
from focused.webs.simulated.shape import CONTENT
from focused.webs.simulated.web import SimWeb
from tests.focused.webs.simulated.graph import links_in
from tests.rig.browser import FLAGS, browser_path

ENTRIES = [("/one/", "One"), ("/two/?a=1", "Two")]
HOST = "http://shop.example/"
FINGER = "els => els.map(el => el.getAttribute('href'))"


@pytest.mark.parametrize("way", range(WAYS))
def test_a_menu_made_by_a_script_has_no_link_before_it_runs(way: int) -> None:
    html = menu(ENTRIES, way)
    assert links_in(HOST, html.encode()) == [] and "/one/" in html


def test_what_a_script_writes_cannot_end_it() -> None:
    html = written("<script>x</script><a href='/x/'>x</a>", "more")
    assert html.count("</script>") == 1 and links_in(HOST, html.encode()) == []


def test_a_browser_finds_the_links() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        page = browser.new_page()
        page.set_content(menu(ENTRIES, 0) + written('<a href="/three/">3</a>', "more"))
        assert page.eval_on_selector_all("a", FINGER) == ["/one/", "/two/?a=1", "/three/"]
        page.set_content(menu(ENTRIES, 2))
        page.hover("#menu")
        assert page.eval_on_selector_all("a", FINGER) == ["/one/", "/two/?a=1"]
        page.route("**/*", lambda route: route.fulfill(body=menu(ENTRIES, 1), content_type="text/html"))
        page.goto(HOST)
        page.click("text=Two")
        page.wait_for_url(f"{HOST}two/?a=1")
        browser.close()


def test_pages_with_scripts_hide_some_of_their_links() -> None:
    plain = SimWeb(Knobs(pages=1_000, seed=6, script_menus=0.0, script_links=0.0))
    scripted = SimWeb(Knobs(pages=1_000, seed=6, script_menus=1.0, script_links=1.0))
    for card in map(plain.addresses.card, range(0, 1_000, 23)):
        if card.place.kind == CONTENT:
            shown = {url for url, _ in links_in(card.url, scripted.fetch(card.url).body)}
            everything = {url for url, _ in links_in(card.url, plain.fetch(card.url).body)}
            assert shown < everything
            body = scripted.fetch(card.url).body.decode()
            assert all(url.partition("://")[2].partition("/")[2] in body for url in everything), card.url

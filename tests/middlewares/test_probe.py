"""Every way a script can lead elsewhere is found, and nobody goes there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from scrapy.http import HtmlResponse
from scrapy.utils.project import get_project_settings
from scrapy.utils.test import get_crawler

from focused.page import Revealed
from middlewares.probe import Limits, Probe
from middlewares.render import RenderMiddleware
from middlewares.supply import Kept, Supply
from tests.middlewares.scripted import WAYS, ScriptedSite
from tests.middlewares.showing import Showing, download

# The fixture of spec X-14, written anew.
FIXTURE = """<a href="/plain.html">plain</a><button onclick="location.href='/by-click.html'">go</button>
<div id=menu>menu</div><span id=nest>open</span><form action="/search"><input name=q></form><script>
const add = (html) => document.body.insertAdjacentHTML('beforeend', html);
menu.onmouseover = () => window.sub || add('<a id=sub href="/by-hover.html">sub</a>');
nest.onclick = () => { if (window.inner) return; add('<button id=inner>inner</button>');
  inner.onclick = () => window.open('/by-nested.html') };</script>"""


@pytest.fixture(scope="module")
def showing() -> Iterator[Showing]:
    with Showing() as made:
        yield made


@pytest.fixture(scope="module")
def site() -> Iterator[ScriptedSite]:
    with ScriptedSite() as made:
        yield made


def paths(links: list[Revealed]) -> set[str]:
    return {urlsplit(link.url).path for link in links}


@pytest.mark.parametrize("way", WAYS)
def test_a_page_leads_where_its_scripts_lead(way: str, showing: Showing, site: ScriptedSite) -> None:
    site.asked.clear()
    shown = showing.show(site.url(way), probes=Limits())
    assert paths(shown.links) == WAYS[way].leads_to
    asked = [path for _, path in site.asked if not path.startswith("/data/")]
    assert asked == [urlsplit(site.url(way)).path]  # fetched once, never left, no form sent
    assert {method for method, _ in site.asked} == {"GET"}


def test_the_fixture_of_the_specification_gives_its_four_links(showing: Showing) -> None:
    shown = showing.show("http://fixture.example/", FIXTURE, probes=Limits())
    assert paths(shown.links) == {"/plain.html", "/by-click.html", "/by-hover.html", "/by-nested.html"}


def test_a_link_has_the_text_and_the_path_of_what_leads_there(showing: Showing) -> None:
    html = """<div><p>x</p><ul><li onclick="location = '/a'">Compact  cameras</li><li><a href="/b">Lenses</a></li></ul>
    </div><x-menu></x-menu><script>document.querySelector('x-menu').attachShadow({ mode: 'open' }).innerHTML =
    `<button onclick="location = '/c'" aria-label="All brands"></button>`</script>"""
    shown = showing.show("http://paths.example/", html, probes=Limits())
    assert sorted(shown.links) == [
        Revealed("http://paths.example/a", "Compact cameras", "/html/body/div/ul/li[1]"),
        Revealed("http://paths.example/b", "Lenses", "/html/body/div/ul/li[2]/a"),
        Revealed("http://paths.example/c", "All brands", "/html/body/x-menu/#shadow-root/button"),
    ]


def test_without_probing_a_page_is_looked_at_and_nothing_is_touched(showing: Showing) -> None:
    shown = showing.show("http://fixture.example/", FIXTURE)
    assert paths(shown.links) == {"/plain.html"}


def test_the_number_of_actions_is_limited(showing: Showing) -> None:
    html = "".join(f"""<b onclick="location = '/{n}'">{n}</b>""" for n in range(30))
    shown = showing.show("http://many.example/", html, probes=Limits(actions=7))
    assert paths(shown.links) == {f"/{n}" for n in range(7)}


def test_the_depth_is_limited(showing: Showing) -> None:
    html = """<main id=m></main><script>function show(n) {
    m.innerHTML = `<a href="/${n}">link</a><b onclick="show(${n + 1})">down ${n}</b>` } show(0)</script>"""
    shown = showing.show("http://deep.example/", html, probes=Limits(depth=2, repeats=1))
    assert paths(shown.links) == {"/0", "/1", "/2", "/3"}


def test_what_was_found_before_the_time_is_up_is_kept(showing: Showing) -> None:
    html = """<b onclick="location = '/first'">one</b><b onclick="console.log('stuck'); while (true);">two</b>"""

    async def probe_until_stuck() -> list[Revealed]:
        supply = Supply(HtmlResponse("http://endless.example/", body=html.encode()), download, str.isascii, Kept())
        async with showing.browser.page(supply.url, supply.answer) as tab:
            stuck = asyncio.Event()
            tab.on("console", lambda _: stuck.set())
            supply.await_page()
            await tab.goto(supply.url)
            probe = Probe(tab, load=lambda: asyncio.sleep(0))
            running = asyncio.ensure_future(probe.run(3600))
            await stuck.wait()
            running.cancel()
            return await probe.run(0)

    assert paths(showing.run(probe_until_stuck())) == {"/first"}


def test_a_page_whose_menus_never_end_is_cut_off_and_keeps_what_was_found(showing: Showing) -> None:
    """Nothing but the clock ends this: each click brings another link, and no number of them is enough."""
    html = """<b id=more onclick="add()">more</b><script>let n = 0; function add() {
    document.body.insertAdjacentHTML('beforeend', `<a href="/${n++}">link</a>`) }</script>"""
    endless = Limits(actions=10**9, repeats=10**9)
    shown = showing.show("http://menus.example/", html, probes=endless, seconds=6.0)
    assert paths(shown.links) == {f"/{n}" for n in range(len(shown.links))} != set()


def test_a_page_has_ten_seconds_at_most_unless_settings_say_otherwise() -> None:
    """X-14: loading and probing share one clock, which the middleware winds."""
    ours = get_project_settings()
    settings = {name: ours[name] for name in ours if name.startswith("FOCUSED_")}
    settings |= {"FOCUSED_RENDER": "always", "FOCUSED_PROBE": True}
    by_default = RenderMiddleware.from_crawler(get_crawler(settings_dict=settings)).screen
    assert by_default.probes == Limits() and by_default.seconds == 10
    less = settings | {"FOCUSED_RENDER_SECONDS": 3}
    assert RenderMiddleware.from_crawler(get_crawler(settings_dict=less)).screen.seconds == 3


def test_a_page_that_replaces_itself_by_a_click_loses_nothing_found_before(showing: Showing) -> None:
    html = """<a href="/a">a</a><b onclick="location = '/b'">b</b><a href="javascript:'<p>other page</p>'">gone</a>"""
    shown = showing.show("http://other.example/", html, probes=Limits())
    assert paths(shown.links) >= {"/a", "/b"}
    assert "other page</p>" not in shown.html.replace("javascript:'<p>other page</p>'", "")

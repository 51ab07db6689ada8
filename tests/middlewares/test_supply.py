"""What a page in the browser can reach: what the crawler may reach, and nothing else. Listeners are the witnesses."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from focused.egress import EgressPolicy
from focused.visit import Refused
from middlewares.egress import EgressMiddleware
from middlewares.supply import Given, Kept
from tests.middlewares.showing import Showing
from tests.middlewares.showing import download as fetch
from tests.middlewares.test_egress import Listener

# Every way out of a page that is known to us; AT is an address nobody may reach.
WAYS_OUT = """<script>
const attempt = (how) => { try { how() } catch {} };
const at = 'AT', ice = { urls: ['stun:' + at, `turn:${at}?transport=tcp`], username: 'x', credential: 'x' };
const work = `fetch('http://${at}/worker'); new WebSocket('ws://${at}/worker')`;
attempt(() => fetch(`http://${at}/fetch`, { mode: 'no-cors' }));
attempt(() => { const x = new XMLHttpRequest(); x.open('GET', `http://${at}/xhr`); x.send() });
attempt(() => navigator.sendBeacon(`http://${at}/beacon`, 'x'));
attempt(() => new WebSocket(`ws://${at}/socket`));
attempt(() => new EventSource(`http://${at}/events`));
attempt(() => { new Image().src = `http://${at}/image` });
attempt(() => new Worker(URL.createObjectURL(new Blob([work]))));
attempt(() => new WebTransport(`https://${at}/transport`));
attempt(() => { const peer = new RTCPeerConnection({ iceServers: [ice] });
  peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) });
attempt(() => open(`http://${at}/window`));
attempt(() => navigator.serviceWorker.register('/service.js'));
</script>
<link rel="dns-prefetch" href="http://AT"><link rel="preconnect" href="http://AT">
<link rel="prefetch" href="http://AT/prefetch"><link rel="stylesheet" href="http://AT/style.css">
<link rel="prerender" href="http://AT/prerender"><link rel="modulepreload" href="http://AT/module.js">
<script type="speculationrules">{"prefetch": [{"urls": ["http://AT/ahead"], "eagerness": "immediate"}]}</script>
<script src="http://AT/script.js"></script><iframe src="http://AT/frame"></iframe><img src="http://AT/picture">
<object data="http://AT/object"></object><embed src="http://AT/embed"><video src="http://AT/video" autoplay></video>
<form id=f action="http://AT/form" method=post target=other></form><script>f.submit()</script>
<meta http-equiv="refresh" content="0; url=http://AT/refresh"><p>some text</p>"""


@pytest.fixture(scope="module")
def showing() -> Iterator[Showing]:
    with Showing() as made:
        yield made


@contextmanager
def canary() -> Iterator[tuple[Listener, list[bytes]]]:
    """A listener, and a socket for datagrams on the same port."""
    listener, datagrams = Listener("127.0.0.1"), list[bytes]()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as witness:
        witness.bind(("127.0.0.1", listener.port))
        witness.settimeout(0.2)
        is_over = threading.Event()

        def watch() -> None:
            while not is_over.is_set():
                try:
                    datagrams.append(witness.recv(2048))
                except TimeoutError:
                    continue

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            yield listener, datagrams
        finally:
            is_over.set()
            watching.join()
            listener.socket.close()


async def guarded(request: Request) -> Response:
    """The crawler's downloader as it is without allowed addresses: the policy first."""
    EgressMiddleware(EgressPolicy(), is_frozen=True).process_request(request)
    return await fetch(request)


def test_no_way_out_of_a_page_leads_to_an_address_that_is_refused(showing: Showing) -> None:
    with canary() as (listener, datagrams):
        html = WAYS_OUT.replace("AT", f"127.0.0.1:{listener.port}")
        shown = showing.show("http://page.example/", html, download=guarded)
        assert "some text" in shown.html
        showing.run(asyncio.sleep(0.5))  # for what a page leaves behind
        assert (listener.accepts, listener.paths, datagrams) == (0, [], [])


def test_what_is_allowed_is_fetched_by_the_crawler_and_scripts_only_once(showing: Showing) -> None:
    asked: list[str] = []

    async def download(request: Request) -> Response:
        asked.append(request.url)
        body = b"document.write('<a href=/made>made</a>')" if request.url.endswith(".js") else b"[]"
        return HtmlResponse(request.url, body=body, headers={"Content-Type": "text/javascript"})

    screen = showing.screen(download=download)
    html = b'<script src="/app.js"></script><script>fetch("/data.json")</script><img src="/x.png">'
    for path in ("/one", "/two"):
        response = HtmlResponse(f"http://page.example{path}", body=html)
        shown = showing.run(screen.show(response, lambda url: True))
        assert [link.url for link in shown.links] == ["http://page.example/made"]
    assert asked == [f"http://page.example/{name}" for name in ("app.js", "data.json", "data.json")]


def test_what_robots_txt_disallows_is_not_asked_for(showing: Showing) -> None:
    async def download(request: Request) -> Response:
        raise AssertionError(request.url)

    response = HtmlResponse("http://page.example/", body=b'<script src="/private/app.js"></script><p>text</p>')
    shown = showing.run(showing.screen(download=download).show(response, lambda url: "/private/" not in url))
    assert "text" in shown.html


def test_redirects_are_followed_step_by_step_through_the_policy(showing: Showing) -> None:
    asked: list[str] = []

    async def download(request: Request) -> Response:
        asked.append(request.url)
        if request.url == "http://elsewhere.example/b.js":
            raise Refused("egress")
        return HtmlResponse(request.url, 302, {"Location": "http://elsewhere.example/b.js"})

    showing.show("http://page.example/", '<script src="/a.js"></script>', download=download)
    assert asked == ["http://page.example/a.js", "http://elsewhere.example/b.js"]


def test_scripts_that_are_kept_are_bounded_and_the_oldest_go_first() -> None:
    kept = Kept(most=10)
    for name in "abc":
        kept.put(name, Given(200, {}, b"1234"))
        kept.get("a")
    assert [name for name in "abc" if kept.get(name)] == ["a", "c"]

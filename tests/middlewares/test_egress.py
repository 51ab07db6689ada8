"""Nothing that is not public is connected to; the listeners on this machine are the witnesses."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

CRAWL = r"""
import json, sys
from types import SimpleNamespace
from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver
from zope.interface import implementer
from middlewares.egress import EgressMiddleware

given = json.loads(sys.argv[1])

class Egress(EgressMiddleware):
    def process_request(self, request):
        sighted = self._refuses
        self._refuses = (lambda url: None) if request.url.endswith("/blind") else sighted
        try:
            super().process_request(request)
        finally:
            self._refuses = sighted

@implementer(IHostnameResolver)
class Names:
    def __init__(self, crawler, reactor):
        self.reactor = reactor
    @classmethod
    def from_crawler(cls, crawler, reactor):
        return cls(crawler, reactor)
    def install_on_reactor(self):
        self.reactor.installNameResolver(self)
    def resolveHostName(self, receiver, name, port=0, types=None, semantics="TCP"):
        receiver.resolutionBegan(None)
        answers = given["names"].get(name, [[name]])
        for host in answers.pop(0) if len(answers) > 1 else answers[0]:
            receiver.addressResolved((IPv6Address if ":" in host else IPv4Address)("TCP", host, port))
        receiver.resolutionComplete()
        return receiver

class Plain(Spider):
    name = "plain"
    async def start(self):
        for url in given["urls"]:
            visit = SimpleNamespace(heard=None)
            yield Request(url, errback=self.failed, dont_filter=True, meta={"focused_visit": visit})
    def parse(self, response):
        assert response.meta["focused_visit"].heard, "the beginning of the answer was not noticed"
        print(json.dumps([response.meta.get("redirect_urls", [response.url])[0], response.status]))
    def failed(self, failure):
        url = failure.request.meta.get("redirect_urls", [failure.request.url])[0]
        print(json.dumps([url, getattr(failure.value, "outcome", type(failure.value).__name__)]))

handler = "middlewares.egress.BoundedHandler"
process = AsyncCrawlerProcess({
    "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "RETRY_ENABLED": False,
    "HTTPPROXY_ENABLED": False, "CONCURRENT_REQUESTS": given.get("at_once", 1), "DOWNLOAD_TIMEOUT": 5,
    "DOWNLOADER_MIDDLEWARES": {Egress: 50}, "FOCUSED_ALLOW_ADDRESSES": given["allow"],
    "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
    "TWISTED_DNS_RESOLVER": Names if "names" in given else given["resolver"],
})
process.crawl(Plain)
process.start()
"""


def crawl(**given: Any) -> list[tuple[str, Any]]:
    command = [sys.executable, "-c", CRAWL, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=True)
    assert not done.stderr, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


class Listener:
    """Accepts, counts, reads the request and answers what `answer` makes of its path."""

    def __init__(self, host: str, port: int = 0) -> None:
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((host, port))
        self.socket.listen(50)
        self.port: int = self.socket.getsockname()[1]
        self.paths: list[str] = []
        self.accepts = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return
            self.accepts += 1
            with peer:
                try:
                    path = peer.recv(65536).split(b" ")[1].decode()
                    self.paths.append(path)
                    peer.sendall(self.answer(path))
                except (OSError, IndexError):
                    pass

    def answer(self, path: str) -> bytes:
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
        if path.startswith("/to/"):
            return b"HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: %s\r\n\r\n" % path[4:].encode()
        if path == "/head-of-60-kib":
            head += b"X-Long: %s\r\n" % (b"x" * 10_000) * 6
        if path == "/head-without-end":
            head += b"".join(b"X-%d: y\r\n" % i for i in range(200_000))
        if path == "/informed-without-end":
            head = b"HTTP/1.1 103 Early Hints\r\n\r\n" * 20_000 + head
        return head + b"Content-Length: 2\r\n\r\nok"


@contextmanager
def listening(*hosts: str) -> Iterator[list[Listener]]:
    """On one port, the first one's."""
    listeners = [Listener(hosts[0])]
    try:
        listeners += [Listener(host, listeners[0].port) for host in hosts[1:]]
        yield listeners
    finally:
        for listener in listeners:
            listener.socket.close()


SPELLINGS = [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001", "127.0.0.1.",
    "localhost", "0", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]",
]  # fmt: skip


@pytest.fixture(scope="module")
def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_nothing_of_this_machine_is_reached_by_default_not_even_if_no_url_is_looked_at(has_ipv6: bool) -> None:
    with listening("127.0.0.1", *["::1"] * has_ipv6) as canaries, ThreadPoolExecutor() as both:
        port = canaries[0].port
        sighted = [f"http://{host}:{port}/" for host in SPELLINGS] + [
            f"https://127.0.0.1:{port}/",
            "file:///etc/hostname",
        ]
        blind = [f"http://{host}:{port}/blind" for host in SPELLINGS if not host.endswith(".")]  # that one asks the DNS
        resolvers = ["scrapy.resolver.CachingThreadedResolver", "scrapy.resolver.CachingHostnameResolver"]
        crawls = both.map(lambda name: dict(crawl(urls=sighted + blind, allow=[], resolver=name, at_once=8)), resolvers)
        for resolver, outcomes in zip(resolvers, crawls, strict=True):
            assert {outcomes[url] for url in sighted} == {"egress"}, resolver
            # an address that the resolver itself cannot read is not connected to either
            assert {outcomes[url] for url in blind} <= {"egress", "CannotResolveHostError"}, resolver
            assert [outcomes[url] for url in blind].count("egress") >= 9, resolver
        assert [canary.accepts for canary in canaries] == [0] * len(canaries)


def test_an_allowed_address_is_reached_and_its_neighbours_are_not() -> None:
    with listening("127.0.0.2", "127.0.0.1") as (server, canary):
        port = server.port
        names = {
            "plain.test": [["127.0.0.2"]],
            "private.test": [["127.0.0.1"]],
            "rebind.test": [["127.0.0.2"], ["127.0.0.1"]],
            "mixed.test": [["127.0.0.1", "::1", "127.0.0.2", "169.254.169.254"]],
            "public.test": [["93.184.216.34"]],  # public, but not on this port
        }
        expected = {
            f"http://127.0.0.2:{port}/literal": 200,
            f"http://plain.test:{port}/name": 200,
            f"http://private.test:{port}/": "egress",
            f"http://rebind.test:{port}/first": 200,
            f"http://rebind.test:{port}/second": "egress",
            f"http://mixed.test:{port}/mixed": 200,
            f"http://public.test:{port}/": "egress",
            f"http://plain.test:{port}/to/http://127.0.0.1:{port}/": "egress",
            f"http://plain.test:{port}/to/http://private.test:{port}/": "egress",
            f"http://plain.test:{port}/head-of-60-kib": 200,
            f"http://plain.test:{port}/head-without-end": "headers",
            f"http://plain.test:{port}/informed-without-end": "headers",
        }
        outcomes = crawl(urls=list(expected), allow=["127.0.0.2/32"], names=names)
        assert canary.accepts == 0
        assert dict(outcomes) == expected
        assert {"/literal", "/name", "/first", "/mixed"} <= set(server.paths)
        assert "/second" not in server.paths

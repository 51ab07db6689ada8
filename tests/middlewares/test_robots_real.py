"""robots.txt of real servers, in a real crawl."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.middlewares.robots_house import PRIVATE

CRAWL = r"""
import json, sys
from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from focused.visit import KEY, Visit
from tests.middlewares.robots_house import FakeCrawl

urls = json.loads(sys.argv[1])

class Extension:
    @classmethod
    def from_crawler(cls, crawler):
        vars(crawler)["focused_crawl"] = FakeCrawl()
        return cls()

class Plain(Spider):
    name = "plain"
    async def start(self):
        for url in urls:
            visit = Visit(0, url, hash(url.split("/")[2]), 1, 0.5, 0, 0, 1)
            yield Request(url, errback=self.failed, dont_filter=True, meta={KEY: visit})
    def parse(self, response):
        print(json.dumps([response.url, response.status]))
    def failed(self, failure):
        error = failure.value
        outcome = getattr(error, "outcome", None) or getattr(error, "seconds", None) or repr(error)
        print(json.dumps([failure.request.url, outcome]))

process = AsyncCrawlerProcess({
    "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False, "RETRY_ENABLED": False,
    "REDIRECT_ENABLED": False, "HTTPPROXY_ENABLED": False, "DOWNLOAD_TIMEOUT": 3, "DOWNLOAD_MAXSIZE": 1_000_000,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4, "ROBOTSTXT_OBEY": True, "USER_AGENT": "focused/0.1",
    "EXTENSIONS": {Extension: 1}, "FOCUSED_ALLOW_ADDRESSES": ["127.0.0.0/29"], "DOWNLOADER_MIDDLEWARES": {
        "middlewares.egress.EgressMiddleware": 50, "middlewares.robots.RobotsMiddleware": 100,
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None},
})
process.crawl(Plain)
process.start()
"""

LONG = b"User-agent: *\nDisallow: /no\n" + b"# as long as one likes\n" * 150_000


class Handler(BaseHTTPRequestHandler):
    """A site of its own on each address; the address says how it serves its robots.txt."""

    log: list[tuple[str, str]] = []

    def do_GET(self) -> None:
        host, self.port = self.connection.getsockname()
        self.log.append((host, self.path))
        with suppress(OSError):
            if self.path == "/robots.txt":
                getattr(self, "robots_" + host[-1])()
            elif self.path == "/elsewhere.txt":
                self.say(200, PRIVATE + b"Disallow: /no\n")
            else:
                self.say(200, b"page")

    def say(self, status: int, body: bytes = b"", **headers: str | None) -> None:
        self.send_response(status)
        for name, value in {"Content_Length": str(len(body)), "Connection": "close", **headers}.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def robots_1(self) -> None:
        self.say(200, LONG)

    def robots_2(self) -> None:
        self.say(302, Location=f"http://127.0.0.1:{self.port}/elsewhere.txt")

    def robots_3(self) -> None:
        """Without end, though it began well."""
        self.say(200, PRIVATE + b"Disallow: /no\n", Content_Length=None)
        while True:
            self.wfile.write(b"#" * 65536)

    def robots_4(self) -> None:
        self.say(503, Retry_After="90")

    def robots_5(self) -> None:
        self.close_connection = True

    def robots_6(self) -> None:
        self.say(200, gzip.compress(b"User-agent: *\nDisallow: /no\n"), Content_Encoding="gzip")

    def robots_7(self) -> None:
        self.say(302, Location=f"http://127.0.0.9:{self.port}/robots.txt")

    def log_message(self, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False


@contextmanager
def serving(hosts: list[str]) -> Iterator[int]:
    with ExitStack() as stack:
        port = 0
        for host in hosts:
            server = stack.enter_context(Server((host, port), Handler))
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            stack.callback(server.shutdown)
            port = server.server_port
        yield port


def test_a_real_crawl_obeys_what_real_servers_say_or_fail_to_say() -> None:
    hosts = [f"127.0.0.{i}" for i in range(1, 10) if i != 8]
    with serving(hosts) as port:
        urls = [f"http://{host}:{port}/{path}" for host in hosts[:7] for path in ("yes", "no")]
        done = subprocess.run(
            [sys.executable, "-c", CRAWL, json.dumps(urls)], capture_output=True, text=True, timeout=280
        )
        assert done.returncode == 0 and not done.stderr, done.stderr
    outcomes = dict(map(json.loads, done.stdout.splitlines()))
    seen: dict[str, list[Any]] = {
        host[-1]: [outcomes[f"http://{host}:{port}/{path}"] for path in ("yes", "no")] for host in hosts[:7]
    }
    assert [seen[i] for i in "1236"] == [[200, "robots"]] * 4  # cut, redirected, endless, compressed against our wish
    assert seen["4"] == pytest.approx([90, 90], abs=5)
    assert seen["5"] == pytest.approx([60, 60], abs=5)
    assert seen["7"] == pytest.approx([60, 60], abs=5)  # redirected to what may not be connected to
    assert sorted(host for host, path in Handler.log if path == "/robots.txt") == hosts[:7]
    assert sorted(host for host, path in Handler.log if path in ("/yes", "/no")) == [f"127.0.0.{i}" for i in "1236"]

"""robots.txt is asked for first and once, kept, obeyed, and a site that gives none is left alone."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotConfigured,
)
from scrapy.http import Response
from scrapy.settings import Settings

from focused.robots import Robots
from focused.visit import KEY, Postponed, Refused, Visit
from middlewares import robots as robots_module
from middlewares.robots import RobotsMiddleware

SITE = "https://example.com"
ROBOTS = f"{SITE}/robots.txt"
NOTHING = b"User-agent: *\nDisallow: /\n"
PRIVATE = b"User-agent: *\nDisallow: /private\n"


class FakeStore:
    def __init__(self) -> None:
        self.rows: dict[int, tuple[int | None, str, float]] = {}

    def robots(self, site_id: int) -> tuple[int | None, str, float] | None:
        return self.rows.get(site_id)

    def save_robots(self, site_id: int, status: int | None, text: str, until: float) -> None:
        self.rows[site_id] = (status, text, until)


class FakeCrawl:
    def __init__(self, delay: float = 0.0) -> None:
        self.store = FakeStore()
        self.delay = delay
        self.delays: dict[int, float] = {}

    def slow_down(self, site_id: int, seconds: float) -> None:
        self.delays[site_id] = seconds

    def delay_of(self, site_id: int) -> float:
        return max(self.delay, self.delays.get(site_id, 0.0))


Said = tuple[int, bytes] | tuple[int, bytes, dict[str, str]] | Exception


class House:
    """The middleware between a crawl, a web and a clock that are all ours."""

    def __init__(self, said: Said | dict[str, Said], crawl: FakeCrawl | None = None, agent: str = "focused") -> None:
        self.said = said if isinstance(said, dict) else {ROBOTS: said}
        self.asked: list[str] = []
        self.crawl = crawl or FakeCrawl()
        self.now = 1_000_000.0
        self.middleware = RobotsMiddleware(lambda: self.crawl, self.download, agent)
        self.middleware.clock = lambda: self.now

    async def download(self, request: Request) -> Response:
        self.asked.append(request.url)
        await asyncio.sleep(0)
        said = self.said[request.url]
        if isinstance(said, Exception):
            raise said
        return Response(request.url, said[0], body=said[1], headers=said[2] if len(said) > 2 else None)

    async def _outcome(self, url: str, site_id: int) -> str | float:
        try:
            waiting = self.middleware.process_request(visiting(url, site_id))
            if waiting is not None:
                await waiting
        except Refused as refused:
            return refused.outcome
        except Postponed as postponed:
            return postponed.seconds
        return "fetch"

    def outcome(self, url: str = f"{SITE}/page", site_id: int = 1) -> str | float:
        return asyncio.run(self._outcome(url, site_id))

    def outcomes(self, *urls: str, site_id: int = 1) -> list[str | float]:
        async def together() -> list[str | float]:
            return list(await asyncio.gather(*(self._outcome(url, site_id) for url in urls)))

        return asyncio.run(together())


def visiting(url: str, site_id: int = 1) -> Request:
    visit = Visit(id=1, url=url, site_id=site_id, token=1, score=0.5, depth=0, hops=0, tries=1)
    return Request(url, meta={KEY: visit})


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ((200, PRIVATE), "fetch"),
        ((200, NOTHING), "robots"),
        ((200, b""), "fetch"),
        ((204, b""), "fetch"),
        ((301, b""), "fetch"),  # to nowhere
        ((401, NOTHING), "fetch"),
        ((403, NOTHING), "fetch"),
        ((404, NOTHING), "fetch"),
        ((429, b""), 600.0),
        ((500, b""), 600.0),
        ((503, b"User-agent: *\nAllow: /\n"), 600.0),
        ((999, b""), 600.0),
        (DownloadTimeoutError("slow"), 60.0),
        (CannotResolveHostError("gone"), 60.0),
        (DownloadCancelledError("too large"), 60.0),
        (IgnoreRequest("swelled"), 60.0),
        (ConnectionResetError(), 60.0),
        (RuntimeError("whatever"), 60.0),
        ((200, b"User-agent: *\nCrawl-delay: 61\n"), "crawl_delay"),
        ((200, b"User-agent: *\nCrawl-delay: 1e9\nDisallow: /\n"), "crawl_delay"),
    ],
)
def test_what_robots_txt_says_becomes_of_the_link(said: Said, outcome: str | float) -> None:
    house = House(said)
    assert house.outcome() == outcome
    assert house.outcome() == outcome
    assert house.asked == [ROBOTS]


def test_each_page_is_judged_by_the_rules_of_its_own_site() -> None:
    other = "http://other.example:8080"
    house = House({ROBOTS: (200, PRIVATE), f"{other}/robots.txt": (200, b"User-agent: focused\nDisallow: /*?\n")})
    assert house.outcome(f"{SITE}/private/a") == "robots"
    assert house.outcome(f"{SITE}/a?b") == "fetch"
    assert house.outcome(f"{other}/private/a", site_id=2) == "fetch"
    assert house.outcome(f"{other}/a?b", site_id=2) == "robots"
    assert house.asked == [ROBOTS, f"{other}/robots.txt"]


def test_requests_that_are_no_visits_pass_without_a_question() -> None:
    house = House((200, NOTHING))
    assert house.middleware.process_request(Request(f"{SITE}/page")) is None
    assert house.asked == []


def test_robots_txt_itself_is_asked_for_as_no_visit_uncompressed_and_bounded() -> None:
    request = robots_module._request(ROBOTS)
    assert KEY not in request.meta
    assert request.meta["focused_robots"] is True
    assert request.headers["Accept-Encoding"] == b"identity"
    assert 0 < request.meta["download_maxsize"] <= 16 * 1024 * 1024


def test_the_page_comes_no_sooner_after_robots_txt_than_the_delay() -> None:
    house = House((200, PRIVATE), FakeCrawl(delay=1.5))
    assert house.outcome() == 1.5
    assert house.outcome() == "fetch"
    assert house.asked == [ROBOTS]


def test_crawl_delay_slows_the_site_down_also_after_a_restart() -> None:
    house = House((200, b"User-agent: *\nCrawl-delay: 7\n"), FakeCrawl(delay=1.0))
    assert house.outcome() == 7.0
    assert house.crawl.delays == {1: 7.0}
    house.crawl.delays.clear()
    again = House({}, house.crawl)
    assert again.outcome() == "fetch"
    assert house.crawl.delays == {1: 7.0}


def test_a_parked_site_is_not_slowed_down_but_left_alone() -> None:
    house = House((200, b"User-agent: *\nCrawl-delay: 3600\n"), FakeCrawl(delay=1.0))
    assert house.outcome() == "crawl_delay"
    assert house.crawl.delays == {}


def chain(hops: int, last: Said, hosts: int = 1) -> dict[str, Said]:
    """robots.txt, redirected `hops` times, over so many hosts."""
    urls = [ROBOTS] + [f"https://h{i % hosts}.example/{i}.txt" for i in range(hops)]
    said: dict[str, Said] = {a: (302, NOTHING, {"Location": b}) for a, b in pairwise(urls)}
    return said | {urls[-1]: last}


@pytest.mark.parametrize(("hops", "outcome"), [(1, "robots"), (4, "robots"), (5, "robots"), (6, "fetch"), (9, "fetch")])
@pytest.mark.parametrize("hosts", [1, 3])
def test_five_redirects_are_followed_over_any_host_and_more_are_no_file(hops: int, hosts: int, outcome: str) -> None:
    house = House(chain(hops, (200, NOTHING), hosts))
    assert house.outcome() == outcome
    assert len(house.asked) == 1 + min(hops, 5)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_kind_of_redirect_is_followed_and_a_relative_one_too(status: int) -> None:
    house = House({ROBOTS: (status, b"", {"Location": "/r.txt"}), f"{SITE}/r.txt": (200, NOTHING)})
    assert house.outcome() == "robots"


def test_a_redirect_in_a_circle_is_no_file() -> None:
    house = House((302, b"", {"Location": ROBOTS}))
    assert house.outcome() == "fetch"
    assert len(house.asked) == 6


@pytest.mark.parametrize("target", ["file:///etc/passwd", "javascript:alert(1)", "http://[", "data:,x", ""])
def test_a_redirect_to_what_is_no_web_address_is_no_file(target: str) -> None:
    house = House((302, NOTHING, {"Location": target}))
    assert house.outcome() == "fetch"
    assert house.asked == [ROBOTS]


def test_a_redirect_to_a_failure_is_a_failure() -> None:
    assert House(chain(2, (503, b""))).outcome() == 600.0
    assert House(chain(2, DownloadTimeoutError("slow"))).outcome() == 60.0
    assert House(chain(2, Refused("egress"))).outcome() == 60.0


def test_a_site_that_may_not_be_connected_to_is_called_that() -> None:
    house = House(Refused("egress"))
    assert house.outcome() == "egress"
    assert house.crawl.store.rows == {}
    assert house.outcomes(f"{SITE}/a", f"{SITE}/b") == ["egress", "egress"]


@pytest.mark.parametrize(
    ("said", "first"), [((503, b""), 600.0), ((429, b""), 600.0), (DownloadTimeoutError("slow"), 60.0)]
)
def test_the_links_of_an_unreachable_site_wait_twice_and_are_then_refused(said: Said, first: float) -> None:
    house = House(said)
    assert house.outcome() == first
    house.now += first - 10
    assert house.outcome() == pytest.approx(10)
    house.now += 10
    assert house.outcome() == 2 * first
    house.now += 2 * first
    assert house.outcome() == "robots_unreachable"
    assert house.outcome() == "robots_unreachable"
    assert len(house.asked) == 3
    house.now += 24 * 3600
    house.said[ROBOTS] = (200, PRIVATE)
    assert house.outcome() == "fetch"


def test_a_site_that_answers_again_is_forgiven() -> None:
    house = House((503, b""))
    assert house.outcome() == 600.0
    house.now += 601
    house.said[ROBOTS] = (200, PRIVATE)
    assert house.outcome() == "fetch"
    house.now += 24 * 3600 + 1
    house.said[ROBOTS] = (503, b"")
    assert house.outcome() == 600.0


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("120", 120.0),
        ("0", 60.0),
        ("1800", 1800.0),
        ("Mon, 12 Jan 1970 14:46:40 GMT", 3600.0),  # an hour after the clock of the test
        ("Mon, 12 Jan 1970 13:00:00 GMT", 60.0),
        ("7200", "robots_unreachable"),
        ("Mon, 12 Jan 2099 13:00:00 GMT", "robots_unreachable"),
        ("315360000", "robots_unreachable"),
        ("soon", 600.0),
        ("-5", 600.0),
        ("", 600.0),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_waited_for_within_reason(status: int, header: str, wait: str | float) -> None:
    house = House((status, b"", {"Retry-After": header}))
    assert house.outcome() == wait
    assert house.crawl.store.rows[1][2] <= house.now + 24 * 3600


def test_a_frozen_web_is_asked_once() -> None:
    house = House((503, b""))
    house.middleware._tries = 1
    assert house.outcome() == "robots_unreachable"


def test_what_is_known_outlives_the_process() -> None:
    house = House((200, PRIVATE), FakeCrawl(delay=1.0))
    assert house.outcome() == 1.0
    again = House({}, house.crawl)
    assert again.outcome(f"{SITE}/private") == "robots"
    assert again.outcome(f"{SITE}/public") == "fetch"
    assert again.asked == []


@pytest.mark.parametrize(("failures", "outcome"), [(1, 500.0), (3, "robots_unreachable")])
def test_a_restart_is_no_reason_to_ask_an_unreachable_site_sooner(failures: int, outcome: str | float) -> None:
    house = House((503, b""))
    for _ in range(failures):
        house.now += 3600
        house.outcome()
    again = House({}, house.crawl)
    again.now = house.now + 100
    assert again.outcome() == outcome
    assert again.asked == []


def test_no_copy_is_used_for_longer_than_a_day() -> None:
    house = House((200, NOTHING))
    house.outcome()
    house.said[ROBOTS] = (200, b"")
    house.now += 24 * 3600 - 1
    assert house.outcome() == "robots"
    house.now += 2
    assert house.outcome() == "fetch"
    assert len(house.asked) == 2


def test_the_rules_kept_for_another_name_are_not_ours() -> None:
    said: Said = (200, b"User-agent: focused\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n")
    house = House(said)
    assert house.outcome() == "robots"
    other = House(said, house.crawl, agent="other")
    assert other.outcome() == "fetch"
    assert other.asked == [ROBOTS]


def test_links_that_come_together_share_one_request() -> None:
    house = House((200, PRIVATE))
    assert (
        house.outcomes(*[f"{SITE}/private"] * 2, *[f"{SITE}/{i}" for i in range(8)]) == ["robots"] * 2 + ["fetch"] * 8
    )
    assert house.asked == [ROBOTS]
    polite = House((200, PRIVATE), FakeCrawl(delay=2.0))
    assert polite.outcomes(f"{SITE}/a", f"{SITE}/b") == [2.0, 2.0]
    assert polite.asked == [ROBOTS]


def test_one_visit_called_off_does_not_take_the_others_with_it() -> None:
    house = House((200, PRIVATE))

    async def together() -> str | float:
        first = asyncio.ensure_future(house._outcome(f"{SITE}/a", 1))
        second = asyncio.ensure_future(house._outcome(f"{SITE}/b", 1))
        third = asyncio.ensure_future(house._outcome(f"{SITE}/c", 1))
        await asyncio.sleep(0)
        second.cancel()
        with suppress(asyncio.CancelledError):
            await second
        await first
        return await third

    assert asyncio.run(together()) == "fetch"
    assert house.asked == [ROBOTS]


def test_memory_is_bounded_by_sites_and_rules_and_the_store_remembers_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Said] = {f"https://h{i}.example/robots.txt": (200, PRIVATE * 2) for i in range(9)}
    for limits in ({"MAX_SITES": 3}, {"MAX_RULES": 6}):
        house = House(said)
        for name, limit in limits.items():
            monkeypatch.setattr(robots_module, name, limit)
        for i in list(range(9)) * 2:
            assert house.outcome(f"https://h{i}.example/private", site_id=i) == "robots"
            assert len(house.middleware._known) <= 3
            assert house.middleware._rules == sum(known.robots.size for known in house.middleware._known.values())
        assert len(house.asked) == 9
        monkeypatch.undo()


def test_a_long_file_is_read_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    parse = Robots.parse

    def watched(*args: Any) -> Robots:
        threads.append(threading.current_thread())
        return parse(*args)

    monkeypatch.setattr(Robots, "parse", watched)
    rules = b"".join(b"Disallow: /%d/\n" % i for i in range(20_000))
    house = House((200, b"User-agent: *\n" + rules))
    assert house.outcome(f"{SITE}/19999/") == "robots"
    assert House({}, house.crawl).outcome(f"{SITE}/19999/") == "robots"
    assert House((200, PRIVATE)).outcome() == "fetch"
    assert [thread is threading.main_thread() for thread in threads] == [False, False, True]


def test_a_known_page_costs_microseconds() -> None:
    house = House({ROBOTS: (200, PRIVATE + b"Disallow: /*?s=\n"), "https://b.example/robots.txt": (404, b"")})
    house.outcome()
    house.outcome("https://b.example/", site_id=2)
    requests = [visiting(f"{SITE}/a/{i}") for i in range(2000)] + [
        visiting(f"https://b.example/{i}", 2) for i in range(2000)
    ]
    started = time.perf_counter()
    for request in requests:
        assert house.middleware.process_request(request) is None
    assert (time.perf_counter() - started) / len(requests) < 60e-6  # of a loaded machine: four times what it may take


def made_by(settings: dict[str, Any]) -> RobotsMiddleware:
    crawler: Any = SimpleNamespace(settings=Settings(settings))
    return RobotsMiddleware.from_crawler(crawler)


def test_it_is_not_there_when_robots_txt_is_not_to_be_obeyed() -> None:
    with pytest.raises(NotConfigured):
        made_by({"ROBOTSTXT_OBEY": False})


@pytest.mark.parametrize(
    ("settings", "agent", "tries"),
    [
        ({"USER_AGENT": "focused/0.1 (x)"}, "focused", 3),
        ({"USER_AGENT": "Mine/2", "FOCUSED_WEB": "sim:small"}, "mine", 1),
        ({"USER_AGENT": "Mozilla/5.0", "ROBOTSTXT_USER_AGENT": "MyBot"}, "mybot", 3),
    ],
)
def test_the_settings_say_who_we_are(settings: dict[str, Any], agent: str, tries: int) -> None:
    middleware = made_by({"ROBOTSTXT_OBEY": True, **settings})
    assert middleware._agent == agent
    assert middleware._tries == tries


CRAWL = r"""
import json, sys
from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from focused.visit import KEY, Visit
from tests.middlewares.test_robots import FakeCrawl

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
            [sys.executable, "-c", CRAWL, json.dumps(urls)], capture_output=True, text=True, timeout=60
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

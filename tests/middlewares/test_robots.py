"""robots.txt is asked for first and obeyed, and a site that gives none is left alone."""

from __future__ import annotations

import asyncio
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
from scrapy.settings import Settings

from focused.visit import KEY, Postponed, Refused
from middlewares import robots as robots_module
from middlewares.robots import RobotsMiddleware
from tests.middlewares.robots_house import NOTHING, PRIVATE, ROBOTS, SITE, FakeCrawl, House, Said, visiting


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


@pytest.mark.parametrize(("depth", "is_told"), [(0, True), (1, False)])
def test_whoever_waits_for_a_seed_is_told_that_nobody_answers(
    depth: int, is_told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    house, request = House(CannotResolveHostError("gone")), visiting(f"{SITE}/page")
    request.meta[KEY].depth = depth

    async def asked() -> None:
        with pytest.raises(Postponed):
            await house.middleware.process_request(request)  # type: ignore[misc]

    with caplog.at_level("WARNING", "middlewares.robots"):
        asyncio.run(asked())
    assert [ROBOTS in record.getMessage() for record in caplog.records] == [True] * is_told


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

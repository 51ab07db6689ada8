from __future__ import annotations

from typing import Any

import orjson
import pytest
from scrapy import Request, Spider
from twisted.python.failure import Failure

from focused.requests import asked_of, request_of
from focused.visit import Visit, visit_of


class Foreign(Spider):
    name = "foreign"

    def parse(self, response: Any) -> None: ...
    def other(self, response: Any, number: int) -> None: ...
    def broken(self, failure: Any) -> None: ...


SPIDER = Foreign()


def visit_with(stored: str | None) -> Visit:
    return Visit(1, "http://a.example/", 1, 1, 0.5, 0, 0, 1, request=orjson.loads(stored) if stored else None)


def settle(failure: Failure) -> None: ...


def test_a_plain_request_is_kept_as_its_url_alone() -> None:
    asked = asked_of(Request("http://a.example/#x"), SPIDER)
    assert asked is not None
    assert (asked.url, asked.stored) == ("http://a.example/", None)


def test_everything_of_its_own_survives() -> None:
    request = Request(
        "http://a.example/", SPIDER.other, method="POST", body=b"\xff\x00", headers={"X-Own": ["1", "2"]},
        cb_kwargs={"number": 7}, meta={"mine": [1]}, errback=SPIDER.broken,
    )  # fmt: skip
    asked = asked_of(request, SPIDER)
    assert asked is not None
    again = request_of(visit_with(asked.stored), SPIDER, settle)
    assert (again.callback, again.method, again.body) == (SPIDER.other, "POST", b"\xff\x00")
    assert (again.headers.getlist("X-Own"), again.cb_kwargs, again.meta["mine"]) == ([b"1", b"2"], {"number": 7}, [1])
    assert visit_of(again) is not None


def test_a_failure_is_settled_before_the_spider_hears_of_it() -> None:
    heard: list[str] = []

    class Listening(Foreign):
        def broken(self, failure: Any) -> None:
            heard.append("spider")

    spider = Listening()
    asked = asked_of(Request("http://a.example/", errback=spider.broken), spider)
    assert asked is not None
    request = request_of(visit_with(asked.stored), spider, lambda _: heard.append("settled"))
    assert request.errback is not None
    request.errback(Failure(ValueError()))
    assert heard == ["settled", "spider"]


def test_requests_that_differ_in_method_or_body_are_different() -> None:
    requests = [Request("http://a.example/"), Request("http://a.example/", method="POST")]
    requests.append(Request("http://a.example/", method="POST", body=b"x"))
    keys = {asked.key for request in requests if (asked := asked_of(request, SPIDER))}
    assert len(keys) == 3


def test_what_must_not_be_filtered_is_not() -> None:
    keys = {asked.key for _ in range(2) if (asked := asked_of(Request("http://a.example/", dont_filter=True), SPIDER))}
    assert len(keys) == 2


def test_a_start_request_is_fetched_once_though_scrapy_says_otherwise() -> None:
    request = Request("http://a.example/", dont_filter=True, meta={"is_start_request": True})
    asked, plain = asked_of(request, SPIDER), asked_of(Request("http://a.example/"), SPIDER)
    assert asked == plain


def test_what_json_cannot_say_is_refused_with_a_sentence() -> None:
    with pytest.raises(TypeError, match="only what JSON can say"):
        asked_of(Request("http://a.example/", cb_kwargs={"number": object()}), SPIDER)


def test_a_request_that_is_no_web_address_is_nothing() -> None:
    assert asked_of(Request("data:text/plain,x"), SPIDER) is None

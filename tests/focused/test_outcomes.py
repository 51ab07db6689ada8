from __future__ import annotations

import pytest
from twisted.internet.error import DNSLookupError, TCPTimedOutError
from twisted.web.client import ResponseFailed

from focused.outcomes import blames_site, of_exception, retry_after, wait_before_retry, worth_another_try


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (TCPTimedOutError(), "timeout"),
        (DNSLookupError(), "dns"),
        (ConnectionRefusedError(), "connection"),
        (ResponseFailed([]), "cut_off"),
        (ZeroDivisionError(), "error_zerodivisionerror"),
    ],
)
def test_every_exception_has_a_name(error: Exception, name: str) -> None:
    assert of_exception(error) == name


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("5", 5.0),
        (" 7 ", 7.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 60.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
        (None, None),
        ("99999999999999999999", 86400.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, 60.0) == seconds


def test_waits_double_and_end_at_a_day() -> None:
    assert [wait_before_retry(tries, None) for tries in (1, 2, 3)] == [5.0, 10.0, 20.0]
    assert wait_before_retry(1, 10**9) == 86400.0


def test_what_is_final_is_not_tried_again() -> None:
    assert not any(map(worth_another_try, ("http_404", "robots", "egress", "not_html", "too_large")))
    assert all(map(worth_another_try, ("timeout", "http_503", "http_429", "dns")))


def test_a_server_that_answers_is_not_unreachable() -> None:
    assert not blames_site("http_503")
    assert blames_site("timeout")

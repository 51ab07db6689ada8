"""The names of what can become of a visit, and which of them are worth another try."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

OK = "ok"
REDIRECT = "redirect"
NOINDEX = "noindex"  # the page asks not to be kept; its links may be followed all the same
LONGEST_WAIT = 24 * 3600.0
FIRST_WAIT = 5.0
MOST_HOPS = 5
UNNAMED = "error_"

_AGAIN = {
    "timeout",
    "connection",
    "dns",
    "tls",
    "cut_off",
    "browser",
    "http_408",
    "http_429",
    "http_500",
    "http_502",
    "http_503",
    "http_504",
}
_OF_THE_SITE = {"timeout", "connection", "dns", "tls"}
_NAMES = {
    "TimeoutError": "timeout",
    "DownloadTimeoutError": "timeout",
    "TCPTimedOutError": "timeout",
    "UserTimeoutError": "timeout",
    "DNSLookupError": "dns",
    "CannotResolveHostError": "dns",
    "UnsupportedURLSchemeError": "scheme",
    "ConnectionRefusedError": "connection",
    "ConnectError": "connection",
    "ConnectionLost": "connection",
    "ConnectionDone": "connection",
    "ResponseNeverReceived": "connection",
    "DownloadConnectionRefusedError": "connection",
    "DownloadFailedError": "connection",
    "ResponseFailed": "cut_off",
    "ResponseDataLossError": "cut_off",
    "SSLError": "tls",
    "CertificateError": "tls",
    "DownloadCancelledError": "too_large",
    "CancelledError": "too_large",
    "IgnoreRequest": "ignored",
}


def of_status(status: int) -> str:
    return f"http_{status}"


def of_exception(error: BaseException) -> str:
    """A name for what went wrong, from the kind of the exception or of the nearest kind it descends from."""
    named = getattr(error, "outcome", None)  # refused by a middleware, which knows why
    if isinstance(named, str):
        return named
    for kind in type(error).__mro__:
        if kind.__name__ in _NAMES:
            return _NAMES[kind.__name__]
    return UNNAMED + type(error).__name__.lower()


def is_known(outcome: str) -> bool:
    """Not so: a mistake of ours or of a spider, which must be seen."""
    return not outcome.startswith(UNNAMED)


def worth_another_try(outcome: str) -> bool:
    return outcome in _AGAIN


def blames_site(outcome: str) -> bool:
    """The site did not answer at all: a few of these in a row and it is left alone."""
    return outcome in _OF_THE_SITE


def wait_before_retry(tries: int, retry_after: float | None) -> float:
    """Seconds: what the server asked for, else 5, 10, 20 ..."""
    wait = retry_after if retry_after is not None else FIRST_WAIT * 2.0 ** max(0, tries - 1)
    return min(max(wait, 0.0), LONGEST_WAIT)


def retry_after(header: str | None, now: float) -> float | None:
    """Seconds from a Retry-After header: a number or an HTTP date; None if absent or nonsense.

    >>> retry_after("120", 0.0)
    120.0
    """
    if not header:
        return None
    if header.strip().isdigit():
        return float(min(int(header.strip()[:12]), int(LONGEST_WAIT)))
    try:
        when = parsedate_to_datetime(header)
    except (TypeError, ValueError, IndexError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, when.timestamp() - now) if isinstance(when, datetime) else None

"""The one place the network is reached through: refused URLs, refused addresses, answers without end.

A URL is judged before it is asked for, an address after it was resolved and before it is connected to (whatever the
name said a moment ago), the address that answered once more. FOCUSED_WEB connects to nothing: only the URL is judged.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from scrapy.exceptions import CannotResolveHostError, DownloadFailedError
from twisted.internet.defer import fail
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from focused.egress import PORTS, SETTING, EgressPolicy
from focused.visit import Postponed, Refused, visit_of
from middlewares.lease import may_ask

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.web.iweb import IResponse

MAX_ORIGINS = 10_000
MAX_HEAD = 64 * 1024
Heard = dict[bytes, float]  # by URL: when an answer began that is not at its end yet


class EgressMiddleware:
    """Raises Refused("egress") for what may not be connected to, Refused("headers") for a head without end."""

    def __init__(self, policy: EgressPolicy, is_frozen: bool = False) -> None:
        self.policy = policy
        self._is_frozen = is_frozen
        self._refuses = lru_cache(MAX_ORIGINS)(policy.refuses_url)
        self._resolver: EgressResolver | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        is_frozen = bool(crawler.settings.get("FOCUSED_WEB"))
        middleware = cls(EgressPolicy(crawler.settings.getlist(SETTING), None if is_frozen else PORTS), is_frozen)
        crawler.signals.connect(middleware.close, signals.spider_closed)
        return middleware

    def close(self) -> None:
        if self._resolver is not None:
            self._resolver.policies.remove(self.policy)

    def process_request(self, request: Request) -> None:
        url = request.url
        end = url.find("/", 8)  # behind "https://": the verdict is one of the origin, not of the page
        reason = self._refuses(url if end < 0 else url[:end])
        if reason is not None:
            raise Refused("egress", f"{reason} of {url[:200]}")
        if not self._is_frozen:
            self._resolver = _guard(self.policy)

    def process_response(self, request: Request, response: Response) -> Response:
        if response.ip_address is not None:
            reason = self.policy.refuses_address(response.ip_address)
            if reason is not None:
                raise Refused("egress", f"{reason} {response.ip_address} answered for {request.url[:200]}")
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Gives the failures that are our own doing their name; all others go on as they are."""
        if isinstance(exception, CannotResolveHostError) and self._resolver is not None:
            reason = self._resolver.refused.get(urlsplit(request.url).hostname or "")
            if reason is not None:
                raise Refused("egress", f"{reason} of {request.url[:200]}") from exception
        if isinstance(exception, DownloadFailedError):
            reasons = getattr(exception.__cause__, "reasons", ())
            if any(reason.check(HeadTooLong) for reason in reasons):
                raise Refused("headers", f"more than {MAX_HEAD} bytes") from exception


@implementer(IHostnameResolver)
class EgressResolver:
    """Around the reactor's resolver: hands on only the addresses that may be connected to.

    Every connection of Scrapy's http handler asks it, literal addresses too, and connects to exactly what it was
    handed, so a name that changes its address between two look-ups gains nothing.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.policies: list[EgressPolicy] = []  # crawls that share a reactor: what one refuses, none gets
        self.refused: OrderedDict[str, str] = OrderedDict()  # by host: why its last look-up gave no address

    def resolveHostName(
        self,
        resolutionReceiver: Any,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[IAddress]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        checked = _Checked(resolutionReceiver, self, hostName, portNumber)
        return self._inner.resolveHostName(checked, hostName, portNumber, addressTypes, transportSemantics)

    def refuses(self, address: str, port: int) -> str | None:
        reasons = (policy.refuses_address(address, port) for policy in self.policies)
        return next(filter(None, reasons), None)

    def remember(self, host: str, reason: str | None) -> None:
        host = host if host.isascii() else ".".join(map(_as_in_url, host.split(".")))
        self.refused.pop(host, None)
        if reason is not None:
            self.refused[host] = reason
        if len(self.refused) > MAX_ORIGINS:
            self.refused.popitem(last=False)


def _as_in_url(label: str) -> str:
    """Twisted hands a resolver the Unicode form of a name; the URL has the other one."""
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def _guard(policy: EgressPolicy) -> EgressResolver:
    """The guarded resolver of the running reactor. Scrapy installs its own when the process starts, which is after the
    middlewares are made: so this looks before each request."""
    from twisted.internet import reactor  # not earlier: importing it chooses one

    installed: Any = reactor.nameResolver
    resolver = installed if isinstance(installed, EgressResolver) else EgressResolver(installed)
    if resolver is not installed:
        reactor.installNameResolver(resolver)
    if policy not in resolver.policies:
        resolver.policies.append(policy)
    return resolver


@implementer(IResolutionReceiver)
class _Checked:
    """One look-up: passes on what the policy lets through."""

    def __init__(self, receiver: Any, resolver: EgressResolver, host: str, port: int) -> None:
        self._receiver = receiver
        self._resolver = resolver
        self._host = host
        self._port = port
        self._reason: str | None = None
        self._passed = 0

    def resolutionBegan(self, resolutionInProgress: Any) -> None:
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: IAddress) -> None:
        reason = self._resolver.refuses(getattr(address, "host", ""), self._port)
        if reason is None:
            self._passed += 1
            self._receiver.addressResolved(address)
        else:
            self._reason = f"{reason} {getattr(address, 'host', '')}"

    def resolutionComplete(self) -> None:
        self._resolver.remember(self._host, None if self._passed else self._reason)
        self._receiver.resolutionComplete()


class HeadTooLong(Exception):
    """Status line and headers of an answer exceed MAX_HEAD bytes."""


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's http handler, which bounds the body and each header but not their number, with a bound on them all."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._heard: Heard = {}
        factory = partial(_BoundedFactory, partial(may_ask, crawler), self._heard)
        self._pool._factory = factory  # type: ignore[assignment]

    async def download_request(self, request: Request) -> Response:
        try:
            return await super().download_request(request)
        finally:
            heard, visit = self._heard.pop(request.url.encode(), None), visit_of(request)
            if visit is not None:
                visit.heard = heard
            if len(self._heard) > MAX_ORIGINS:  # of URLs that Twisted writes otherwise
                self._heard.clear()


class _BoundedFactory(_LenientHTTP11ClientFactory):
    def __init__(self, may_ask: Callable[[], bool], heard: Heard, *rest: Any) -> None:
        super().__init__(*rest)  # type: ignore[no-untyped-call]
        self._may_ask, self._heard = may_ask, heard

    def buildProtocol(self, addr: IAddress | None) -> _LenientHTTP11ClientProtocol:
        protocol = _BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
        protocol.may_ask, protocol.heard = self._may_ask, self._heard
        return protocol


class _BoundedProtocol(_LenientHTTP11ClientProtocol):
    may_ask: Callable[[], bool]
    heard: Heard

    def request(self, request: Any) -> Deferred[IResponse]:
        """Connecting takes time, in which a worker may fall asleep: the last look is here, where the bytes go out."""
        transport: Any = self.transport
        if not self.may_ask():
            transport.loseConnection()
            return fail(Postponed(0.0))
        answer = super().request(request)
        _send(transport)
        # Twisted names its parser class in the middle of request(); Scrapy replaces it afterwards, and so do we.
        assert self._parser is not None
        self._parser.__class__ = _BoundedParser
        vars(self._parser)["heard"] = self.heard
        return answer


def _send(transport: Any) -> None:
    """Now. Twisted keeps what is written until the reactor comes round, after the pages of a whole turn were read: a
    worker that falls asleep there would ask, on waking, sites that are another's by then."""
    if aggregator := getattr(transport, "_aggregator", None):  # TLS, which gathers small writes above the socket
        aggregator.flush()
        transport = transport.transport
    transport.doWrite()


class _BoundedParser(_LenientHTTPClientParser):
    head = 0  # bytes so far; over all 1xx answers too, which may precede the real one without end
    heard: Heard

    def lineReceived(self, line: bytes) -> None:
        if not self.head:
            self.heard[self.request.absoluteURI] = time.monotonic()
        self.head += len(line) + 1
        if self.head > MAX_HEAD:
            raise HeadTooLong(f"{self.head} bytes")
        super().lineReceived(line)

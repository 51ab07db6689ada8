"""Each look-up of a name is judged, and so is the address an answer came from."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import CannotResolveHostError, DownloadFailedError
from scrapy.http import Response
from twisted.internet.address import IPv4Address, IPv6Address

from focused.egress import EgressPolicy
from focused.visit import Refused
from middlewares.egress import MAX_ORIGINS, EgressMiddleware, EgressResolver


class Inner:
    """A resolver that answers with the next of its lists."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def resolveHostName(self, receiver: Any, name: str, port: int = 0, *rest: Any) -> Any:
        receiver.resolutionBegan("resolution")
        for host in self.answers.pop(0):
            receiver.addressResolved((IPv6Address if ":" in host else IPv4Address)("TCP", host, port))
        receiver.resolutionComplete()
        return "resolution"


class Receiver:
    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.steps: list[str] = []

    def resolutionBegan(self, resolution: Any) -> None:
        self.steps.append("began")

    def addressResolved(self, address: Any) -> None:
        self.hosts.append(address.host)

    def resolutionComplete(self) -> None:
        self.steps.append("complete")


def look_up(resolver: EgressResolver, name: str = "a.test", port: int = 80) -> list[str]:
    receiver = Receiver()
    assert resolver.resolveHostName(receiver, name, port) == "resolution"
    assert receiver.steps == ["began", "complete"]
    return receiver.hosts


def guarded(inner: Inner, *policies: EgressPolicy) -> EgressResolver:
    resolver = EgressResolver(inner)
    resolver.policies.extend(policies or [EgressPolicy()])
    return resolver


def test_each_look_up_is_judged_anew_and_its_refusal_remembered_until_the_next() -> None:
    resolver = guarded(Inner(["93.184.216.34"], ["127.0.0.1"], ["93.184.216.34"], []))
    assert look_up(resolver) == ["93.184.216.34"]
    assert not resolver.refused
    assert look_up(resolver) == []
    assert resolver.refused == {"a.test": "address 127.0.0.1"}
    assert look_up(resolver) == ["93.184.216.34"]
    assert not resolver.refused
    assert look_up(resolver) == []  # a name without an address is not a refusal
    assert not resolver.refused


def test_of_several_addresses_only_the_good_ones_are_handed_on() -> None:
    mixed = ["10.0.0.1", "93.184.216.34", "::ffff:10.0.0.1", "fe80::1", "2606:2800:220:1::1", "64:ff9b::7f00:1"]
    resolver = guarded(Inner(mixed))
    assert look_up(resolver) == ["93.184.216.34", "2606:2800:220:1::1"]
    assert not resolver.refused


def test_the_port_counts_where_it_is_known() -> None:
    resolver = guarded(Inner(["93.184.216.34"], ["93.184.216.34"]))
    assert look_up(resolver, port=8080) == []
    assert resolver.refused == {"a.test": "port 93.184.216.34"}
    assert look_up(resolver, port=443) == ["93.184.216.34"]


def test_what_one_of_two_crawls_refuses_neither_gets() -> None:
    resolver = guarded(Inner(["127.0.0.1"], ["127.0.0.1"]), EgressPolicy(["127.0.0.0/8"]), EgressPolicy())
    assert look_up(resolver) == []
    del resolver.policies[1]
    assert look_up(resolver) == ["127.0.0.1"]


def test_refused_names_are_remembered_within_bounds_and_as_the_url_spells_them() -> None:
    resolver = guarded(Inner())
    for i in range(MAX_ORIGINS + 5):
        resolver.remember(f"h{i}.test", "address")
    assert len(resolver.refused) == MAX_ORIGINS
    resolver.remember("münchen.test", "address")
    assert "xn--mnchen-3ya.test" in resolver.refused


def test_the_failed_look_up_of_a_refused_name_is_called_egress_and_any_other_is_not() -> None:
    middleware = EgressMiddleware(EgressPolicy())
    middleware._resolver = guarded(Inner(["10.0.0.1"]))
    look_up(middleware._resolver, "private.test")
    middleware.process_exception(Request("http://gone.test/"), CannotResolveHostError("no"))
    middleware.process_exception(Request("http://private.test/"), DownloadFailedError("no"))
    with pytest.raises(Refused) as refused:
        middleware.process_exception(Request("http://private.test/x"), CannotResolveHostError("no"))
    assert refused.value.outcome == "egress"


@pytest.mark.parametrize(
    ("address", "passes"), [(None, True), ("93.184.216.34", True), ("127.0.0.1", False), ("::1", False)]
)
def test_an_answer_from_a_refused_address_is_thrown_away(address: str | None, passes: bool) -> None:
    middleware = EgressMiddleware(EgressPolicy())
    request = Request("http://example.com/")
    response = Response(request.url, ip_address=ip_address(address) if address else None)
    if passes:
        assert middleware.process_response(request, response) is response
    else:
        with pytest.raises(Refused, match=address) as refused:
            middleware.process_response(request, response)
        assert refused.value.outcome == "egress"


def test_a_frozen_web_is_judged_by_the_url_alone() -> None:
    middleware = EgressMiddleware(EgressPolicy(ports=None), is_frozen=True)
    for url in (
        "http://127.0.0.1/",
        "ftp://example.com/x",
        "http://localhost/x",
        "http://localhost",
        "http://[::1]?a=/b",
    ):
        with pytest.raises(Refused):
            middleware.process_request(Request(url))
    middleware.process_request(Request("http://site1.example:8080/page"))
    assert middleware._resolver is None

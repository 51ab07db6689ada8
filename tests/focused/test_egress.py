"""What may be connected to, by URL and by address."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.egress import EgressPolicy
from focused.errors import SettingError

FINE = [
    "http://example.com/",
    "https://example.com/",
    "http://example.com",
    "HTTP://EXAMPLE.COM/",
    "https://example.com:443/",
    "http://example.com:80/a:b@c",
    "http://example.com:/",
    "https://example.com?u=http://127.0.0.1/",
    "https://example.com#http://127.0.0.1/",
    "http://example.com./",
    "http://a-b.c_d.example/",
    "http://xn--mnchen-3ya.de/",
    "http://93.184.216.34/",
    "https://93.184.216.34:443/x",
    "http://93.184.216.34./",
    "http://1572395042/",  # the same, decimal
    "http://[2606:2800:220:1::1]/",
    "http://[::ffff:93.184.216.34]/",
    "http://[64:ff9b::5db8:d822]/",
    "http://[2002:5db8:d822::1]/",
    "http://localhost.example.com/",
    "http://notlocalhost/",
    "http://127.0.0.1.nip.io/",  # a name: told by its address when it is connected to
    "http://192.31.196.1/",
]
REFUSED = {
    "scheme": [
        "ftp://example.com/",
        "file:///etc/passwd",
        "file://example.com/x",
        "data:text/plain,x",
        "javascript:alert(1)",
        "s3://bucket/key",
        "gopher://127.0.0.1:11211/_stats",
        "ws://example.com/",
        "about:blank",
        "//example.com/",
        "/etc/passwd",
        "example.com",
        "",
        " http://example.com/",
        "http:/example.com/",
        "http:example.com",
    ],
    "host": [
        "http:///x",
        "http://",
        "http://user@example.com/",
        "http://user:pass@example.com/",
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://127.0.0.1%00.example.com/",
        "http://exa mple.com/",
        "http://example.com\n/",
        "http://[fe80::1%25eth0]/",
        "http://[2606:2800::1%25lo]/",
        "http://[::1/",
        "http://[]/",
        "http://ｌocalhost/",
        "http://１２７.０.０.１/",
        "http://example.com:80a/",
        "http://example.com:-80/",
        "http://example.com:123456/",
        "http://./",
    ],
    "port": [
        "http://example.com:8080/",
        "http://example.com:22/",
        "http://example.com:0/",
        "http://example.com:65535/",
        "http://example.com:65536/",
        "http://example.com:99999/",
        "https://93.184.216.34:8443/",
        "http://[2606:2800:220:1::1]:6379/",
    ],
    "address": [
        "http://127.0.0.1/",
        "http://127.0.0.1:80/",
        "https://127.0.0.1/",
        "http://127.0.0.1./",
        "http://127.1/",
        "http://127.0.1/",
        "http://127.255.255.254/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7F.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://0x7f.1/",
        "http://0/",
        "http://0.0.0.0/",
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://www.localhost/",
        "http://localhost:80/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://100.64.0.1/",
        "http://192.0.0.8/",
        "http://192.0.2.1/",
        "http://192.88.99.1/",
        "http://198.18.0.1/",
        "http://198.51.100.7/",
        "http://203.0.113.7/",
        "http://224.0.0.1/",
        "http://239.255.255.250/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
        "http://256.256.256.256/",
        "http://1.2.3.4.5/",
        "http://example.99/",
        "http://[::1]/",
        "http://[::]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::1]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:c0a8:101::1]/",
        "http://[2001::1]/",  # Teredo
        "http://[2001:db8::1]/",
        "http://[3fff::1]/",
        "http://[fe80::1]/",
        "http://[fec0::1]/",
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[ff02::1]/",
        "http://[100::1]/",
        "http://[5f00::1]/",
        "http://[1:2]/",
    ],
}


@pytest.mark.parametrize("url", FINE)
def test_a_public_url_passes(url: str) -> None:
    assert EgressPolicy().refuses_url(url) is None


@pytest.mark.parametrize(("reason", "url"), [(reason, url) for reason, urls in REFUSED.items() for url in urls])
def test_anything_else_is_refused_with_its_reason(reason: str, url: str) -> None:
    assert EgressPolicy().refuses_url(url) == reason


PRIVATE = [ip_network(block) for block in ("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
                                           "192.168.0.0/16", "100.64.0.0/10", "224.0.0.0/4", "0.0.0.0/8")]  # fmt: skip


def private_addresses() -> st.SearchStrategy[int]:
    return st.sampled_from(PRIVATE).flatmap(lambda b: st.integers(int(b.network_address), int(b.broadcast_address)))


@given(private_addresses())
def test_a_private_address_is_refused_however_it_is_written(number: int) -> None:
    a, b, c, d = number.to_bytes(4, "big")
    spellings = [
        f"{a}.{b}.{c}.{d}", str(number), hex(number), f"0{number:o}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}",
        f"{a}.{b}.{c * 256 + d}", f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"[::ffff:{a}.{b}.{c}.{d}]",
        f"[64:ff9b::{a}.{b}.{c}.{d}]", f"[2002:{number >> 16:x}:{number & 0xFFFF:x}::1]", f"[::{a}.{b}.{c}.{d}]",
    ]  # fmt: skip
    policy = EgressPolicy()
    assert [policy.refuses_url(f"http://{host}/") for host in spellings] == ["address"] * len(spellings)


@given(st.ip_addresses(v=6))
def test_an_ipv6_address_outside_global_unicast_is_refused(address: IPv6Address) -> None:
    if int(address) >> 125 != 1 and int(address) >> 32 not in (0xFFFF, 0x64FF9B << 64):
        assert EgressPolicy().refuses_address(address) == "address"


@given(st.text(max_size=60))
def test_no_text_makes_the_policy_stumble(text: str) -> None:
    assert EgressPolicy().refuses_url(text) is not None
    EgressPolicy(["127.0.0.0/8"]).refuses_url("http://" + text)
    EgressPolicy().refuses_address(text)


def test_an_allowed_block_is_open_on_every_port_and_nothing_else_is() -> None:
    policy = EgressPolicy(["127.0.0.2/32", " fd00::/8 "])
    for url in ("http://127.0.0.2/", "http://127.0.0.2:8080/", "http://[::ffff:127.0.0.2]:81/", "https://[fd00::7]:9/"):
        assert policy.refuses_url(url) is None, url
    for url in ("http://127.0.0.1/", "http://127.0.0.3:8080/", "http://[::1]/", "http://localhost:8080/"):
        assert policy.refuses_url(url) == "address", url
    assert policy.refuses_url("http://93.184.216.34:8080/") == "port"
    assert policy.refuses_url("http://127.0.0.2:70000/") == "port"


def test_localhost_is_what_the_loopback_addresses_are() -> None:
    assert EgressPolicy(["127.0.0.0/8"]).refuses_url("http://localhost:8080/") is None
    assert EgressPolicy(["::1"]).refuses_url("http://localhost:8080/") is None


def test_the_port_of_a_name_is_settled_by_the_address_it_resolves_to() -> None:
    policy = EgressPolicy(["127.0.0.0/8"])
    assert policy.refuses_url("http://example.com:8080/") is None
    assert policy.refuses_address("93.184.216.34", 8080) == "port"
    assert policy.refuses_address("127.0.0.1", 8080) is None
    assert policy.refuses_address(IPv4Address("93.184.216.34"), 443) is None
    assert policy.refuses_address("93.184.216.34") is None


def test_without_ports_any_port_will_do_but_not_any_address() -> None:
    policy = EgressPolicy(ports=None)
    assert policy.refuses_url("http://example.com:8080/") is None
    assert policy.refuses_url("http://93.184.216.34:8080/") is None
    assert policy.refuses_url("http://127.0.0.1:8080/") == "address"
    assert policy.refuses_url("ftp://example.com/") == "scheme"


@pytest.mark.parametrize("block", ["localhost", "127.0.0.1/33", "10.0.0.5/8", "", "5", "::1/200", "127.0.0.1-9"])
def test_a_bad_block_is_named_in_one_sentence(block: str) -> None:
    with pytest.raises(SettingError, match="FOCUSED_ALLOW_ADDRESSES") as error:
        EgressPolicy([block])
    assert repr(block) in str(error.value)
    assert "127.0.0.0/8" in str(error.value)


def test_what_is_no_address_is_refused_as_one() -> None:
    assert EgressPolicy().refuses_address("example.com") == "address"
    assert EgressPolicy().refuses_address("") == "address"
    assert EgressPolicy(["::/0", "0.0.0.0/0"]).refuses_address("fe80::1%eth0") == "address"

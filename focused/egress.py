"""What may be connected to: http and https, on public addresses, on their own ports.

One policy for the URL, for the address a name resolves to and for the address that answered, so that a page cannot
make the crawler read what only this machine can see. Addresses listed in FOCUSED_ALLOW_ADDRESSES are trusted on any
port; everything else is refused unless it is known to be public.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from focused.errors import SettingError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PORTS = frozenset({80, 443})
SETTING = "FOCUSED_ALLOW_ADDRESSES"

# Neither a user name nor an escape has a place here: WHATWG canonical URLs have none in the host, and a host that two
# parsers read differently is how a check is passed by.
_ORIGIN = re.compile(r"(https?)://(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::([0-9]{0,5}))?(?=[/?#]|\Z)", re.IGNORECASE)
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)", re.IGNORECASE)

# `is_global` of Python 3.11 takes these for public (multicast, protocol assignments, the 6to4 relays).
_NOT_PUBLIC = tuple(ip_network(block) for block in ("192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/3", "3fff::/20"))
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOOPBACKS = (IPv4Address("127.0.0.1"), IPv6Address("::1"))


class EgressPolicy:
    """`refuses_*` give the reason in one word (scheme, host, port, address) or None where connecting is fine."""

    def __init__(self, allow: Iterable[str] = (), ports: frozenset[int] | None = PORTS) -> None:
        """`ports` None: any port (a frozen web connects to nothing, so its ports do no harm)."""
        self.allow = tuple(_block(text) for text in allow)
        self.ports = ports

    def refuses_url(self, url: str) -> str | None:
        """What the text of a URL can tell. The port of a name is left to `refuses_address` where some address is
        allowed on every port: only the address it resolves to can tell."""
        found = _ORIGIN.match(url)
        if found is None:
            return "host" if _SCHEME.match(url) else "scheme"
        scheme, literal6, host, port_text = found.groups()
        port = int(port_text) if port_text else (443 if scheme.lower() == "https" else 80)
        if port > 65535:
            return "port"
        return self._refuses_name(literal6 or host.lower().removesuffix("."), port)

    def refuses_address(self, address: Address | str, port: int = 0) -> str | None:
        """Of an address about to be connected to; port 0: not known."""
        given = _address(address)
        if given is None:
            return "address"
        real = _unmapped(given)
        if any(real in block or given in block for block in self.allow):
            return None
        if not _is_public(real):
            return "address"
        return "port" if port and self.ports is not None and port not in self.ports else None

    def _refuses_name(self, host: str, port: int) -> str | None:
        if not host:
            return "host"
        if ":" in host or _NUMBER.fullmatch(host):
            return self.refuses_address(host, port)
        if host == "localhost" or host.endswith(".localhost"):
            reasons = [self.refuses_address(address, port) for address in _LOOPBACKS]
            return None if None in reasons else reasons[0]
        return None if self.allow or self.ports is None or port in self.ports else "port"


def _block(text: str) -> Network:
    try:
        return ip_network(str(text).strip())
    except ValueError as error:
        raise SettingError(f"{SETTING} has {text!r}, which is no block of addresses ({error}): write it like "
                           "127.0.0.0/8 or ::1/128") from None  # fmt: skip


def _address(text: Address | str) -> Address | None:
    """Also of 2130706433, 0x7f.1 and 0177.0.0.1, read as the C library would when it connects; no zones."""
    try:
        address = ip_address(text)
    except ValueError:
        try:
            return IPv4Address(socket.inet_aton(str(text)))
        except (OSError, ValueError):
            return None
    return None if isinstance(address, IPv6Address) and address.scope_id else address


def _unmapped(address: Address) -> Address:
    """The IPv4 address that is reached through an IPv6 one: mapped, 6to4, NAT64."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    return address.is_global and not any(address in block for block in _NOT_PUBLIC)

"""What a worker asks leaves it at once, or not at all."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.tcp import Connection
from twisted.web._newclient import Request
from twisted.web.http_headers import Headers

from focused.visit import Postponed
from middlewares.egress import _BoundedFactory

Ask = Callable[[bool], Any]
Twisted: Any = SimpleNamespace(Connection=Connection, Request=Request)  # neither is typed


class Resting:
    """A reactor that does not come round: what it was told to send stays where it is."""

    def addReader(self, _: object) -> None: ...

    def addWriter(self, _: object) -> None: ...

    removeReader = removeWriter = addReader

    def callLater(self, *_: object) -> SimpleNamespace:
        return SimpleNamespace(cancel=lambda: None)


@pytest.fixture
def line() -> Iterator[tuple[socket.socket, Ask]]:
    """The far end of a connection, and a way to ask over it as a worker that holds its lease or does not."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        near = socket.create_connection(server.getsockname())
        far, _ = server.accept()
    far.setblocking(False)
    near.setblocking(False)

    def ask(holds: bool) -> Any:
        protocol: Any = _BoundedFactory(lambda: holds, {}, lambda _: None, "test").buildProtocol(None)
        connection = Twisted.Connection(near, protocol, Resting())
        connection.connected = True
        protocol.makeConnection(connection)
        return protocol.request(Twisted.Request(b"GET", b"/page", Headers({b"host": [b"a.example"]}), None))

    yield far, ask
    far.close()
    near.close()


def test_a_request_is_on_the_wire_before_the_reactor_comes_round(line: tuple[socket.socket, Ask]) -> None:
    far, ask = line
    ask(True)
    assert far.recv(1000).startswith(b"GET /page HTTP/1.1\r\n")


def test_without_a_lease_no_byte_goes_out(line: tuple[socket.socket, Ask]) -> None:
    far, ask = line
    failures: list[Any] = []
    ask(False).addErrback(failures.append)
    assert failures[0].check(Postponed)
    with pytest.raises(BlockingIOError):
        far.recv(1000)

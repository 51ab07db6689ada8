"""The server of a generated web: raw HTTP/1.1 with keep-alive on many loopback addresses, one site each.

Run as its own process with the shape as JSON; it prints its port, and ends when its standard input does. What it
logs is the truth of the fault tests: when each request came, when its answer had been written, how many were open.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import socket
import sys
import time
from collections import Counter
from typing import Any

from tests.rig.plan import FILLER, TOPIC_WORDS, Plan, Shape, plan

CONTROL = "127.0.0.1"
ROBOTS = "/robots.txt"


def address(site: int) -> str:
    """127.0.0.2 … 127.0.0.251, 127.0.1.2 …: every address of 127/8 is this machine."""
    return f"127.0.{site // 250}.{site % 250 + 2}"


def path_of(number: int, shape: Shape) -> str:
    return "/" if number < shape.sites else f"/p/{number}"


def response(status: int, body: bytes, headers: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status} X\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    )
    return head.encode() + body


class Pages:
    """Every answer of the web, made once."""

    def __init__(self, shape: Shape, port: int) -> None:
        self.shape, self.port = shape, port
        self.plan: Plan = plan(shape)
        self.kinds: dict[tuple[str, str], str] = {}
        self.answers: dict[tuple[str, str], bytes] = {}
        for number, kind in enumerate(self.plan.kinds):
            place = (address(self.plan.sites[number]), path_of(number, shape))
            self.kinds[place] = kind
            self.answers[place] = self.answer(number, kind)
        self.robots = response(200, shape.robots.encode()) if shape.robots else response(404, b"none")

    def url(self, number: int) -> str:
        return f"http://{address(self.plan.sites[number])}:{self.port}{path_of(number, self.shape)}"

    def answer(self, number: int, kind: str) -> bytes:
        if kind == "missing":
            return response(404, b"<title>gone</title>")
        if kind == "moved":
            return response(302, b"", f"Location: {self.url(self.plan.links[number][0])}\r\n")
        return response(200, self.html(number).encode())

    def html(self, number: int) -> str:
        chance = random.Random(f"{self.shape.seed}/{number}")
        words = self.words(self.plan.topical[number], self.shape.words, chance)
        anchors = [
            f'<li><a href="{self.url(target)}">{self.words(self.plan.topical[target], 3, chance)}</a></li>'
            for target in self.plan.links[number]
        ]
        return f"<html><title>page {number}</title><body><p>{words}</p><ul>{''.join(anchors)}</ul></body></html>"

    @staticmethod
    def words(topical: bool, count: int, chance: random.Random) -> str:
        share = 0.6 if topical else 0.05
        return " ".join(chance.choice(TOPIC_WORDS if chance.random() < share else FILLER) for _ in range(count))


class Referee:
    """Who asked for what, and when."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.log: list[list[Any]] = []  # entries as tests.rig.web.Asked
        self.open: Counter[str] = Counter()
        self.asked: Counter[tuple[str, str]] = Counter()
        self.waiting: list[tuple[int, asyncio.Future[None]]] = []
        self.healed = False

    def begin(self, site: str, method: str, path: str, peer: tuple[int, str]) -> list[Any]:
        self.open[site] += 1
        connection, agent = peer
        entry = [time.monotonic(), None, site, method, path, connection, self.open[site], 0, agent]
        self.log.append(entry)
        self.asked[site, path] += 1
        for count, waiter in self.waiting:
            if len(self.log) >= count and not waiter.done():
                waiter.set_result(None)
        return entry

    def end(self, entry: list[Any], status: int) -> None:
        if entry[1] is None:
            entry[1], entry[7] = time.monotonic(), status
            self.open[entry[2]] -= 1

    async def reached(self, count: int) -> None:
        if len(self.log) < count:
            waiter = asyncio.get_running_loop().create_future()
            self.waiting.append((count, waiter))
            await waiter

    async def control(self, path: str) -> bytes:
        """What the test may ask for: the log from an entry on, a request count to be reached, the end of hanging."""
        verb, _, number = path.strip("/").partition("/")
        if verb == "wait":
            await self.reached(int(number))
        elif verb == "heal":
            self.healed = True
        return json.dumps(self.log[int(number) :] if verb == "log" else len(self.log)).encode()


class Peer(asyncio.Protocol):
    """One connection."""

    numbers = itertools.count()

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.pages = referee.pages
        self.number = next(self.numbers)
        self.buffer = b""
        self.entry: list[Any] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.site: str = transport.get_extra_info("sockname")[0]

    def connection_lost(self, error: Exception | None) -> None:
        if self.entry is not None:
            self.referee.end(self.entry, 0)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        lines = head.decode("latin-1").split("\r\n")
        method, path, _ = lines[0].split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if len(rest) < int(headers.get("content-length", 0)):
            return
        self.buffer = b""
        if self.site == CONTROL:
            self.task = asyncio.ensure_future(self.obey(path))
        else:
            self.asked(method, path, headers, rest)

    async def obey(self, path: str) -> None:
        body = await self.referee.control(path)
        self.transport.write(response(200, body))

    def asked(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        self.entry = self.referee.begin(self.site, method, path, (self.number, headers.get("user-agent", "")))
        if path == "/echo":
            told = {"method": method, "body": body.decode("latin-1"), "headers": headers}
            self.send(response(200, f"<title>echo</title><p>{json.dumps(told)}</p>".encode()))
        elif self.pages.shape.latency and path != ROBOTS:
            asyncio.get_running_loop().call_later(self.pages.shape.latency, self.give, path)
        else:
            self.give(path)

    def give(self, path: str) -> None:
        place = (self.site, path)
        kind = self.pages.kinds.get(place, "missing")
        if path == ROBOTS:
            self.send(self.pages.robots)
        elif kind == "hanging" and not self.referee.healed:
            return
        elif kind == "dripping" and not self.referee.healed:
            self.task = asyncio.ensure_future(self.drip())
        elif kind == "busy" and self.referee.asked[place] == 1:
            self.send(response(429, b"later", f"Retry-After: {self.pages.shape.retry_after}\r\n"))
        else:
            self.send(self.pages.answers.get(place) or response(404, b"nothing here"))

    def send(self, answer: bytes) -> None:
        entry, self.entry = self.entry, None
        if entry is not None and not self.transport.is_closing():
            self.transport.write(answer)
            self.referee.end(entry, int(answer[9:12]))

    async def drip(self) -> None:
        self.transport.write(b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
        while not self.transport.is_closing():
            self.transport.write(b".")
            await asyncio.sleep(0.2)


async def serve(shape: Shape) -> None:
    first = socket.create_server((CONTROL, 0), backlog=1024)
    port: int = first.getsockname()[1]
    referee = Referee(Pages(shape, port))
    loop = asyncio.get_running_loop()
    sockets = [socket.create_server((address(site), port), backlog=1024) for site in range(shape.sites)]
    for listening in [first, *sockets]:
        await loop.create_server(lambda: Peer(referee), sock=listening)
    print(port, flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    os._exit(0)  # open connections are of no interest any more


if __name__ == "__main__":
    # A referee that is not awake sees requests late and would call a polite crawler impolite.
    with contextlib.suppress(PermissionError):
        os.nice(-10)
    asyncio.run(serve(Shape(**json.loads(sys.argv[1]))))

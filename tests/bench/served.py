"""The same pool of pages over loopback HTTP, from a process of its own."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.pages import make_page

POOL, SITES = 200, 50
HOSTS = [f"127.0.1.{n}" for n in range(1, SITES + 1)]


@contextmanager
def served(kilobytes: int, links: int) -> Iterator[list[str]]:
    """Seeds on fifty loopback addresses."""
    words = [sys.executable, "-m", "tests.bench.served", str(kilobytes), str(links)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        yield [f"http://{host}:{port}/" for host in HOSTS]
    finally:
        server.kill()
        server.wait()


async def _serve(kilobytes: int, links: int) -> None:
    # Links to other hosts would leave this machine: here they stay on the site.
    bodies = [make_page(kilobytes, links, seed).replace(b"https://", b"/to/") for seed in range(POOL)]
    robots = b"User-agent: *\nDisallow: /private/\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1]
                is_robots = path == b"/robots.txt"
                kind, body = ("plain", robots) if is_robots else ("html; charset=utf-8", bodies[sum(path) % POOL])
                writer.write(
                    f"HTTP/1.1 200 OK\r\nContent-Type: text/{kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, HOSTS, 0)
    ports = {socket.getsockname()[1] for socket in server.sockets}
    if len(ports) > 1:  # port 0 means another port on each address: take one of them for all
        server.close()
        server = await asyncio.start_server(answer, HOSTS, min(ports))
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), int(sys.argv[2])))

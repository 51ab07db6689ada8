"""A real HTTP server on loopback that speaks the JSON of search engines, and writes down what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit


class Heard(NamedTuple):
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]


class Server:
    """Gives the answers in turn, the last one again and again: (status, headers, body)."""

    def __init__(self, *answers: tuple[int, dict[str, str], Any]) -> None:
        self.answers = list(answers)
        self.heard: list[Heard] = []
        self.address = ""

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        status, headers, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return status, headers, body if isinstance(body, bytes) else json.dumps(body).encode()


@contextmanager
def served(*answers: tuple[int, dict[str, str], Any]) -> Iterator[Server]:
    server = Server(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            server.heard.append(Heard(parts.path, dict(parse_qsl(parts.query)), dict(self.headers.items())))
            status, headers, body = server.answer()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.address = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()

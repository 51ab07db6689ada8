"""A web written by hand: some sites on loopback addresses, each answer given word for word.

The first word of a page is its relevance, so that a test can work out by hand what a crawl must do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import NamedTuple

import numpy as np

from models.model import Floats, Ids, Judgement, Readable
from models.text import Vocabulary

FIRST = 2  # 127.0.0.2 is site A


class Reply(NamedTuple):
    status: int = 200
    body: str = ""
    location: str = ""


Pages = Mapping[str, tuple[float, str] | Reply]


class Told:
    """A page model that believes what a page says of itself: "relevance 0.9"."""

    threshold = 0.5
    p_err = 0.12

    def __init__(self, vocabulary: Vocabulary, query: str) -> None:
        self.vocabulary = vocabulary

    def judge(self, page: Readable) -> Judgement:
        told = re.search(r"^relevance (\d+)$", page.title)
        relevance = int(told[1]) / 100 if told else 0.0
        return Judgement(relevance, relevance >= self.threshold)

    def judge_spans(self, terms: Ids, starts: Ids, ends: Ids) -> Floats:
        return np.zeros(len(starts))

    def evidence(self, page: Readable, most: int = 10) -> list[tuple[str, float]]:
        return []


class HandmadeWeb:
    """`pages` by site letter and path: (relevance, links), a Reply, or nothing for a 404; "B/x" is a link to site B."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.sites = sorted({name[0] for name in pages})
        self.asked: list[str] = []

    def __enter__(self) -> HandmadeWeb:
        web, self._servers = self, list[ThreadingHTTPServer]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host = str(self.connection.getsockname()[0])
                web.answer(self, chr(ord("A") + int(host.rpartition(".")[2]) - FIRST) + self.path)

            def log_message(self, *_: object) -> None:
                pass

        self.port = 0
        for site in self.sites:
            server = ThreadingHTTPServer((self.address(site), self.port), Handler)
            self.port = server.server_port
            self._servers.append(server)
            Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    @staticmethod
    def address(site: str) -> str:
        return f"127.0.0.{FIRST + ord(site) - ord('A')}"

    def url(self, name: str) -> str:
        return f"http://{self.address(name[0])}:{self.port}{name[1:]}"

    def host(self, site: str) -> str:
        return f"{self.address(site)}:{self.port}"

    def answer(self, handler: BaseHTTPRequestHandler, name: str) -> None:
        self.asked.append(name)
        reply = self.reply(name)
        handler.send_response(reply.status)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(reply.body)))
        if reply.location:
            handler.send_header("Location", self.url(reply.location))
        handler.end_headers()
        handler.wfile.write(reply.body.encode())

    def reply(self, name: str) -> Reply:
        page = self.pages.get(name)
        if page is None:
            return Reply(404, "nothing here")
        if isinstance(page, Reply):
            return page._replace(body=re.sub(r'"([A-Z]/[^"]*)"', lambda m: f'"{self.url(m[1])}"', page.body))
        relevance, links = page
        anchors = " ".join(f'<a href="{self.url(link)}">link</a>' for link in links.split())
        return Reply(200, f"<title>relevance {round(100 * relevance)}</title><p>some words {anchors}</p>")

"""Tsoi 2003 by real crawls: the worked web on loopback, strict order, and death at any page."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.focused.orderings.drawn_web import LINKS, SCORES, drawn, rated
from tests.rig.check import rows
from tests.rig.run import Command, Run

STRICT = {"FOCUSED_STRICT_ORDER": 1}
ORDERS = {
    "d=1,r=1": "s a b k c d e n m g f h i",
    "d=1,r=2": "s a b k c d e m n f g h i",
    "d=2,r=1": "s a b k c d e m n g f h i",
    "d=2,r=2": "s a b k c d e m n f h i g",
    "d=1,r=3": "s a b k c d e m f g n h i",
}


class Page(BaseHTTPRequestHandler):
    """A page of the worked web, or a 404."""

    def do_GET(self) -> None:
        time.sleep(0.02)  # so that a crawl can be killed before it is over
        name = self.path[1:]
        links = "".join(f'<a href="/{link}">{link}</a> ' for link in drawn(LINKS).get(name, ()))
        body = f"<title>{name}</title><p>{links}</p>".encode()
        self.send_response(200 if name in rated(SCORES) else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        self.server.asked.append(self.path[1:])  # type: ignore[attr-defined]


class Server(ThreadingHTTPServer):
    asked: list[str]

    def topic(self, folder: Path) -> Path:
        file = folder / "topic.toml"
        scores = ", ".join(f"{name} = {score}" for name, score in rated(SCORES).items())
        file.write_text(
            f'query = "-"\nseeds = ["http://127.0.0.1:{self.server_port}/s"]\n'
            f"[model]\nkind = {json.dumps('tests.focused.orderings.drawn_web.Rated')}\nscores = {{ {scores} }}\n"
        )
        return file


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Page) as made:
        made.asked = []
        Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


def visited(command: Command) -> str:
    urls = rows(command.db, "SELECT url FROM page WHERE visit IS NOT NULL ORDER BY visit")
    return " ".join(url.rpartition("/")[2] for (url,) in urls)


@pytest.mark.parametrize("args", ORDERS)
def test_a_crawl_goes_the_worked_way(tmp_path: Path, server: Server, args: str) -> None:
    crawl = {"topic": server.topic(tmp_path), "ordering": "tunnel", "ordering_args": args}
    command = Command(tmp_path / "data", crawl, STRICT)
    ended = command.run()
    assert ended.code == 0, str(ended)
    assert visited(command) == ORDERS[args]
    assert " ".join(server.asked) == ORDERS[args]


def test_many_at_once_visit_all_of_it(tmp_path: Path, server: Server) -> None:
    crawl = {"topic": server.topic(tmp_path), "ordering": "tunnel", "ordering_args": "d=2,r=3"}
    command = Command(tmp_path / "data", crawl)
    assert command.run().code == 0
    assert sorted(server.asked) == sorted(rated(SCORES))


@pytest.mark.parametrize("args", ["d=1,r=2", "d=2,r=2"])
def test_a_crawl_that_is_killed_again_and_again_goes_the_worked_way(tmp_path: Path, server: Server, args: str) -> None:
    crawl = {"topic": server.topic(tmp_path), "ordering": "tunnel", "ordering_args": args}
    command = Command(tmp_path / "data", crawl, STRICT)
    for pages in (2, 5, 8, 11):
        with Run(command) as run:
            while len(server.asked) < pages and run.alive():
                time.sleep(0.001)
            assert run.kill().code == -9
    assert command.run().code == 0
    assert visited(command) == ORDERS[args]


def test_no_depth_at_all_ends_the_crawl_at_the_start(tmp_path: Path, server: Server) -> None:
    crawl = {"topic": server.topic(tmp_path), "ordering": "tunnel", "ordering_args": "d=0"}
    ended = Command(tmp_path / "data", crawl).run()
    assert ended.code != 0
    assert "give r >= 1 and d >= 1" in ended.err + ended.out
    assert server.asked == []

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from focused.webs.handler import WebHandler, web_of
from focused.webs.knobs import Knobs
from focused.webs.shape import DOCUMENT
from focused.webs.sim import SimWeb

SMALL = "sim:small,seed=3,pages=200"


def walk(urls: list[str], **settings: object) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.focused.webs.walk", json.dumps([urls, settings])]
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, env=env)
    assert done.returncode == 0 and not done.stderr, done.stderr
    seen: list[dict[str, Any]] = json.loads(done.stdout)
    return seen


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=200, seed=3))


def test_scrapy_crawls_the_simulated_web(web: SimWeb) -> None:
    seen = walk([], FOCUSED_WEB=SMALL)
    good = [answer for answer in seen if answer.get("status") == 200]
    assert len(good) > 150
    assert {url.partition(":")[0] for url in (answer["url"] for answer in good)} == {"http", "https"}
    assert {answer["class"] for answer in good} == {"HtmlResponse", "Response"}
    assert all((web.truth(a["url"]) is not None) == (a["class"] == "HtmlResponse") for a in good)
    assert any(answer["status"] == 404 for answer in seen)


def test_a_body_above_the_limit_is_refused_as_on_the_real_web(web: SimWeb) -> None:
    document = next(c.url for c in map(web.addresses.card, range(200)) if c.place.kind == DOCUMENT)
    seen = walk([*web.seeds("science/medicine", 1, 0), document], FOCUSED_WEB=SMALL, DOWNLOAD_MAXSIZE=500)
    assert {"error": "DownloadCancelledError"} in seen
    assert [answer["kind"] for answer in seen if "kind" in answer] == ["application/pdf"]


def test_both_handlers_of_a_crawl_share_one_web() -> None:
    crawler = get_crawler(settings_dict={"FOCUSED_WEB": SMALL})
    first, second = WebHandler.from_crawler(crawler), WebHandler.from_crawler(crawler)
    assert first._web is second._web is web_of(crawler) is not None
    other = get_crawler(settings_dict={"FOCUSED_WEB": SMALL})
    assert web_of(other) is not web_of(crawler)


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<html>hello</html>")

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), Hello)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}/"
    running.shutdown()
    thread.join()
    running.server_close()


def test_without_a_frozen_web_the_real_one_is_asked(server: str) -> None:
    seen = walk([server])
    assert [(answer["url"], answer["status"], answer["class"]) for answer in seen] == [(server, 200, "HtmlResponse")]


def test_the_handler_of_the_real_web_can_be_named() -> None:
    named = {"FOCUSED_NETWORK_HANDLER": "scrapy.core.downloader.handlers.file.FileDownloadHandler"}
    real = WebHandler.from_crawler(get_crawler(settings_dict=named))
    assert type(real._network).__name__ == "FileDownloadHandler"
    assert WebHandler.from_crawler(get_crawler(settings_dict={**named, "FOCUSED_WEB": SMALL}))._network is None

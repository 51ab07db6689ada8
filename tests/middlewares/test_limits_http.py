"""What a server may cost: answers without end, too large, too long a head, or packed to burst; over real HTTP."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from pathlib import Path
from threading import Thread

import pytest

from tests.rig.check import rows
from tests.rig.run import Command

MIB = 1024 * 1024
PAGE = b"<title>cycling</title><p>cycling "
PACKED = {"/roomy": PAGE + b" " * 12 * MIB, "/bomb": PAGE + b" " * 100 * MIB, "/bursting": PAGE + b" " * 17 * MIB}
OUTCOMES = {
    "/": "ok",
    "/roomy": "ok",  # 12 MiB unpacked are more than may be sent, but not more than may be kept
    "/bursting": "too_large",
    "/bomb": "too_large",
    "/large": "too_large",  # it says so
    "/endless": "too_large",  # it does not
    "/headers": "headers",
    "/dripping": "timeout",
}


class Handler(BaseHTTPRequestHandler):
    """One path for each excess."""

    def do_GET(self) -> None:
        with suppress(OSError):  # the crawl hangs up, as it should
            getattr(self, "say_" + self.path.strip("/"), self.say_page)()

    def begin(self, **headers: object) -> None:
        self.send_response(200)
        for name, value in {"Content_Type": "text/html", "Connection": "close", **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def say_page(self) -> None:
        body = self.server.packed.get(self.path)  # type: ignore[attr-defined]
        self.begin(**({"Content_Encoding": "gzip"} if body else {}))
        self.wfile.write(body or PAGE)

    def say_large(self) -> None:
        self.begin(Content_Length=20 * MIB)
        self.wfile.write(PAGE * (20 * MIB // len(PAGE)))

    def say_endless(self) -> None:
        self.begin()
        for block in repeat(PAGE * 1000):
            self.wfile.write(block)

    def say_headers(self) -> None:
        self.begin(**{f"X_{number}": "x" * 1000 for number in range(200)})
        self.wfile.write(PAGE)

    def say_dripping(self) -> None:
        self.begin()
        for _ in range(600):
            self.wfile.write(b"x")
            time.sleep(0.1)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.2", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    vars(server)["packed"] = {path: gzip.compress(body, 6) for path, body in PACKED.items()}
    Thread(target=partial(server.serve_forever, poll_interval=0.05), daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_every_excess_is_stopped_and_has_its_name(port: int, tmp_path: Path) -> None:
    topic, start = tmp_path / "topic.toml", f"http://127.0.0.2:{port}"
    topic.write_text(f'query = "cycling"\nseeds = {[start + path for path in OUTCOMES]}\n')
    settings = {"FOCUSED_MAX_TRIES": 1, "DOWNLOAD_TIMEOUT": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}
    command = Command(tmp_path / "data", {"topic": topic}, settings)
    ended = command.run()
    assert ended.code == 0, str(ended)
    outcomes = rows(command.db, "SELECT url, outcome FROM page")
    assert {url.removeprefix(start): outcome for url, outcome in outcomes} == OUTCOMES

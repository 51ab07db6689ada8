"""The rig judges everything else, so it is judged first: its checkers must be able to say no."""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig.check import Broken, jsonl_is_whole, warc_is_whole
from tests.rig.plan import Shape, plan
from tests.rig.server import address
from tests.rig.web import LoopbackWeb

SHAPE = Shape(pages=300, sites=5, hanging=2, busy=1, latency=0.0)


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    with LoopbackWeb(SHAPE) as running:
        yield running


def ask(web: LoopbackWeb, number: int, seconds: float = 5) -> bytes:
    host = address(web.plan.sites[number])
    with socket.create_connection((host, web.port), timeout=seconds) as line:
        line.sendall(request_of(web, number))
        return line.recv(65536)


def request_of(web: LoopbackWeb, number: int) -> bytes:
    path = web.url(number).split(f":{web.port}", 1)[1]
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def test_the_same_shape_gives_the_same_web() -> None:
    assert plan(SHAPE) == plan(SHAPE)
    assert plan(SHAPE) != plan(Shape(pages=300, sites=5, seed=2))


@pytest.mark.parametrize("seed", range(5))
def test_every_page_can_be_reached_from_the_first(seed: int) -> None:
    web = plan(Shape(pages=500, sites=20, seed=seed, moved=0.1, missing=0.1))
    seen, todo = {0}, [0]
    while todo:
        number = todo.pop()
        new = set() if web.kinds[number] == "missing" else set(web.links[number]) - seen
        seen |= new
        todo += new
    assert len(seen) == 500


def test_pages_of_each_kind_answer_as_they_should(web: LoopbackWeb) -> None:
    statuses = {kind: ask(web, web.plan.of_kind(kind)[0])[9:12] for kind in ("ok", "missing", "moved", "busy")}
    assert statuses == {"ok": b"200", "missing": b"404", "moved": b"302", "busy": b"429"}
    assert ask(web, web.plan.of_kind("busy")[0])[9:12] == b"200"
    with pytest.raises(TimeoutError):
        ask(web, web.plan.of_kind("hanging")[0], seconds=0.2)


def test_the_log_sees_overlap(web: LoopbackWeb) -> None:
    since = web.count()
    first, second = web.plan.of_kind("hanging")
    site = address(web.plan.sites[first])
    with socket.create_connection((site, web.port)) as hung, socket.create_connection((site, web.port)) as line:
        hung.sendall(request_of(web, first))
        web.wait(since + 1, 5)
        line.sendall(b"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
        line.recv(65536)
        log = web.log(since)
    assert [entry.open for entry in log] == [1, 2]
    assert log[0].end is None and log[1].end is not None and log[1].status == 200
    assert log[0].connection != log[1].connection
    assert second != first


def record(url: str, kind: str = "response", extra: int = 0) -> bytes:
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Length: {5 + extra}\r\n\r\n"
    return gzip.compress(head.encode() + b"hello\r\n\r\n", mtime=0)


def test_a_whole_warc_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(record("http://a/") + record("http://a/", "request") + record("http://b/"))
    assert warc_is_whole(file) == {"http://a/": 1, "http://b/": 1}


@pytest.mark.parametrize(
    "data",
    [
        record("http://a/") + record("http://b/")[:-1],
        record("http://a/") + record("http://b/")[:-9],
        record("http://a/") + record("http://b/")[:3],
        record("http://a/") + b"\0" * 10 + record("http://b/"),
        record("http://a/") + record("http://a/"),
        record("http://a/", extra=1),
        gzip.compress(b"hello", mtime=0),
    ],
)
def test_a_torn_or_doubled_warc_is_not_whole(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(data)
    with pytest.raises(Broken):
        warc_is_whole(file)


@pytest.mark.parametrize("tail", [b'{"url": "b"}', b'{"url": "b"\n', b'{"url": "a"}\n'])
def test_a_torn_or_doubled_jsonl_is_not_whole(tmp_path: Path, tail: bytes) -> None:
    file = tmp_path / "a.jsonl"
    whole = json.dumps({"url": "a"}).encode() + b"\n"
    file.write_bytes(whole)
    assert len(jsonl_is_whole(file)) == 1
    file.write_bytes(whole + tail)
    with pytest.raises(Broken):
        jsonl_is_whole(file)

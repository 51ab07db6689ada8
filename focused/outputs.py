"""WARC and JSONL beside the database, never ahead of it: what is not committed is cut off at the next start."""

from __future__ import annotations

import hashlib
import time
import uuid
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson
from isal import isal_zlib

GZIP = 31  # zlib's number for a gzip member with its own header: readers may start at any record
LEVEL = 1  # isal: a quarter of zlib's time for the same size
SITES = "sites.jsonl"
_OF_THE_TRANSPORT = {"content-length", "transfer-encoding", "content-encoding"}  # the body is kept inflated


class Exchange(NamedTuple):
    """A request and its answer, as they went over the wire (the body inflated)."""

    url: str
    method: str
    request_headers: list[tuple[str, str]]
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    at: float

    def header(self, name: str) -> str | None:
        """Of the answer; the name in small letters."""
        return next((value for known, value in self.headers if known.lower() == name), None)


class Output:
    """An append-only file with a committed size."""

    def __init__(self, path: Path, committed: int) -> None:
        self.path = path
        self._file: BinaryIO = path.open("ab")
        self._file.truncate(committed)
        self.size = committed

    def append(self, data: bytes) -> int:
        """Returns where the data begins."""
        begin = self.size
        self._file.write(data)
        self.size += len(data)
        return begin

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        with suppress(OSError):  # what a full disk did not take was not committed either
            self._file.close()


class Outputs:
    """The files of one crawl: pages.warc.gz, pages.jsonl and, where whole websites are looked for, sites.jsonl.

    `segment` tells those of several workers apart: pages-2.warc.gz.
    """

    def __init__(self, folder: Path, committed: Mapping[str, int], segment: str = "") -> None:
        warc, jsonl = f"pages{segment}.warc.gz", f"pages{segment}.jsonl"
        self.warc = Output(folder / warc, committed.get(warc, 0))
        self.jsonl = Output(folder / jsonl, committed.get(jsonl, 0))
        self._sites_file = folder / f"sites{segment}.jsonl"
        self.sites: Output | None = None
        if self._sites_file.exists():
            self._open_sites(committed.get(self._sites_file.name, 0))

    def write_exchange(self, exchange: Exchange) -> int:
        """One response and its request; returns the offset of the response."""
        response, request = warc_records(exchange)
        offset = self.warc.append(isal_zlib.compress(response, LEVEL, GZIP))
        self.warc.append(isal_zlib.compress(request, LEVEL, GZIP))
        return offset

    def write_revisit(self, exchange: Exchange) -> None:
        """A look at a page that is still the one on record."""
        self.warc.append(isal_zlib.compress(revisit_record(exchange), LEVEL, GZIP))

    def write_items(self, items: Iterable[object]) -> None:
        for item in items:
            self.jsonl.append(orjson.dumps(item, default=str, option=orjson.OPT_NON_STR_KEYS) + b"\n")

    def write_websites(self, websites: Sequence[object]) -> None:
        """Most crawls have none, and no file for them."""
        if websites:
            output = self.sites or self._open_sites(0)
            output.append(b"".join(orjson.dumps(website) + b"\n" for website in websites))

    def _open_sites(self, committed: int) -> Output:
        self.sites = Output(self._sites_file, committed)
        return self.sites

    def _open(self) -> list[Output]:
        return [self.warc, self.jsonl, *([self.sites] if self.sites else [])]

    def flush(self) -> dict[str, int]:
        """Hand everything to the operating system; the sizes are what the store commits."""
        for output in self._open():
            output.flush()
        return {output.path.name: output.size for output in self._open()}

    def close(self) -> None:
        for output in self._open():
            output.close()


def warc_records(exchange: Exchange) -> tuple[bytes, bytes]:
    """The response and the request as WARC 1.1 records, not yet compressed.

    By hand: warcio takes 0.3 ms and a temporary file for a pair, a tenth of all that a page costs.
    """
    path = "/" + exchange.url.split("://", 1)[1].partition("/")[2]
    head = [(name, value) for name, value in exchange.headers if name.lower() not in _OF_THE_TRANSPORT]
    answer = _http(f"HTTP/1.1 {exchange.status}", [*head, ("Content-Length", str(len(exchange.body)))]) + exchange.body
    asked = _http(f"{exchange.method} {path} HTTP/1.1", exchange.request_headers)
    digest = _digest(exchange.body)
    response_id, request_id = f"<urn:uuid:{uuid.uuid4()}>", f"<urn:uuid:{uuid.uuid4()}>"
    common = f"WARC-Target-URI: {exchange.url}\r\nWARC-Date: {_date(exchange.at)}\r\n"
    response = f"WARC-Type: response\r\nWARC-Record-ID: {response_id}\r\nWARC-Payload-Digest: sha1:{digest}\r\n"
    request = f"WARC-Type: request\r\nWARC-Record-ID: {request_id}\r\nWARC-Concurrent-To: {response_id}\r\n"
    return _record(response + common, answer, "response"), _record(request + common, asked, "request")


def revisit_record(exchange: Exchange) -> bytes:
    """The answer without its body: it is in an earlier record, of the same URL and, if it was sent, the same digest."""
    is_unsent = exchange.status == 304
    profile = "server-not-modified" if is_unsent else "identical-payload-digest"
    digest = "" if is_unsent else f"WARC-Payload-Digest: sha1:{_digest(exchange.body)}\r\n"
    head = [(name, value) for name, value in exchange.headers if name.lower() not in _OF_THE_TRANSPORT]
    named = (
        f"WARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\n{digest}"
        f"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/{profile}\r\n"
        f"WARC-Refers-To-Target-URI: {exchange.url}\r\n"
        f"WARC-Target-URI: {exchange.url}\r\nWARC-Date: {_date(exchange.at)}\r\n"
    )
    return _record(named, _http(f"HTTP/1.1 {exchange.status}", head), "response")


def _digest(body: bytes) -> str:
    return b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def _record(head: str, block: bytes, kind: str) -> bytes:
    last = f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    return b"".join((b"WARC/1.1\r\n", head.encode(), last.encode(), block, b"\r\n\r\n"))


def _http(first: str, headers: list[tuple[str, str]]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{first}\r\n{lines}\r\n".encode("latin-1", "replace")


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))

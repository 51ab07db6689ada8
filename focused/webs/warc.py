"""A recorded web: any WARC file or folder of them, replayed.

Each URL is answered as it was recorded: of several records of one URL the last with status 200, else the first. http
and https are the same page. What could not be read is counted in `faults`; the rest is served.
"""

from __future__ import annotations

import shutil
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile, mkdtemp
from typing import IO, Any, NamedTuple

from warcio.bufferedreaders import BufferedReader

from focused.errors import WebError
from focused.urls import canonical
from focused.webs import warcfile
from focused.webs.base import Answer

SUFFIXES = (".warc", ".warc.gz")
NOT_FOUND = Answer(404, {"Content-Type": "text/html"}, b"<html><head><title>404 Not Found</title></head></html>\n")
ORPHAN, BAD_URL, EMPTY, UNREADABLE = "revisit_without_original", "bad_url", "empty_file", "unreadable"
NO_ANSWER, DUPLICATE = "no_http_headers", "duplicate_url"
# They describe the transfer, not the page; the body is stored and served without them.
OF_TRANSFER = {"transfer-encoding", "content-length", "connection", "keep-alive"}


class Location(NamedTuple):
    file: int
    offset: int  # of the gzip member, or of the record in a plain file
    is_gzip: bool


class Entry(NamedTuple):
    status: int
    head: Location
    payload: Location  # somewhere else than the head for a revisit


class Revisit(NamedTuple):
    number: int  # of the record
    key: str
    entry: Entry
    names: list[str]  # under which its original may be known: record id, digest, URL


class WarcWeb:
    def __init__(self, path: str) -> None:
        self.faults: Counter[str] = Counter()
        self._files = _archives(path)
        self._entries: dict[str, Entry] = {}
        self._number = 0  # of records met
        self._chosen: dict[str, int] = {}  # the number of the record that each URL is answered from
        self._originals: dict[str, Location] = {}
        self._revisits: list[Revisit] = []
        self._met: set[int] = set()  # hashes of URLs, with their schemes: a page moved to https is no duplicate
        self._scratch: Path | None = None
        for number, file in enumerate(list(self._files)):
            self._index(number, file)
        if not self._entries and not self._revisits:
            raise WebError(
                f"'{path}' is no WARC with responses in it: give a .warc or .warc.gz file or a folder of them"
            )
        self._resolve()

    def __len__(self) -> int:
        """How many URLs can be answered."""
        return len(self._entries)

    def fetch(self, url: str) -> Answer:
        entry = self._entries.get(_key(url) or "")
        if entry is None:
            return NOT_FOUND
        try:
            headers, body = self._content(entry.head)
            if entry.payload != entry.head:
                original, body = self._content(entry.payload)
                headers = headers or original
        except (OSError, *warcfile.BROKEN):
            self.faults[UNREADABLE] += 1
            return NOT_FOUND
        return Answer(entry.status, headers, body)

    def truth(self, url: str) -> str | None:
        return None

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        """None: a recording does not say what its pages are about. The topic file has to name them."""
        return []

    def _index(self, number: int, file: Path) -> None:
        if not warcfile.is_gzip(file):
            with file.open("rb") as stream:
                self._add(warcfile.records(stream), number)
        else:
            for offset, data, fault in warcfile.members(file):
                self.faults.update([fault] if fault else [])
                self._add_member(data, Location(number, offset, True))
        if file.stat().st_size == 0:
            self.faults[EMPTY] += 1

    def _add_member(self, data: IO[bytes], place: Location) -> None:
        """A member of one record is read again where it is; one of many is kept inflated to be read by offset."""
        whole = (found for found in warcfile.records(data) if found.record is not None)
        if len(list(islice(whole, 2))) > 1:
            self._files.append(self._keep(data))
            self._add(warcfile.records(data), len(self._files) - 1)
        else:
            self._add(warcfile.records(data), place.file, place)

    def _keep(self, data: IO[bytes]) -> Path:
        if self._scratch is None:
            self._scratch = Path(mkdtemp(prefix="focused-warc-"))
            weakref.finalize(self, shutil.rmtree, self._scratch, ignore_errors=True)
        file = self._scratch / f"{len(self._files)}.warc"
        data.seek(0)
        with file.open("wb") as copy:
            shutil.copyfileobj(data, copy)
        return file

    def _add(self, found: Iterable[warcfile.Found], file: int, place: Location | None = None) -> None:
        for offset, record, fault in found:
            if fault:
                self.faults[fault] += 1
            elif record.rec_type in ("response", "resource", "revisit"):
                self._add_record(record, place or Location(file, offset, False))

    def _add_record(self, record: Any, place: Location) -> None:
        key = _key(record.rec_headers.get_header("WARC-Target-URI") or "")
        if key is None:
            self.faults[BAD_URL] += 1
            return
        if record.rec_type == "response" and not _is_answer(record):
            self.faults[NO_ANSWER] += 1
            return
        entry = Entry(_status(record), place, place)
        self._number += 1
        if record.rec_type == "revisit":
            self._revisits.append(Revisit(self._number, key, entry, list(_names_of_original(record))))
            return
        self._count_duplicate(record)
        for name in _own_names(record, key):
            self._originals.setdefault(name, place)
        self._choose(self._number, key, entry)

    def _count_duplicate(self, record: Any) -> None:
        """Of several answers of a URL the last with status 200 is served, else the first."""
        url = hash(canonical(record.rec_headers.get_header("WARC-Target-URI").strip("<> ")))
        if url in self._met:
            self.faults[DUPLICATE] += 1
        self._met.add(url)

    def _choose(self, number: int, key: str, entry: Entry) -> None:
        if key not in self._entries or (entry.status == 200 and number > self._chosen[key]):
            self._entries[key], self._chosen[key] = entry, number

    def _resolve(self) -> None:
        """Give every revisit the payload it refers to."""
        for number, key, entry, names in self._revisits:
            payload = next((self._originals[name] for name in names if name in self._originals), None)
            if payload is None:
                self.faults[ORPHAN] += 1
            else:
                self._choose(number, key, entry._replace(payload=payload))
        self._originals.clear()
        self._chosen.clear()
        self._met.clear()
        self._revisits.clear()

    def _content(self, place: Location) -> tuple[dict[str, str], bytes]:
        """Headers and body of a stored record; the body as the server meant it, without transfer and content coding."""
        with self._files[place.file].open("rb") as raw, SpooledTemporaryFile(warcfile.IN_MEMORY) as data:
            stream: IO[bytes] = raw
            if place.is_gzip:
                warcfile.inflate(raw, place.offset, data)
                stream = data
            stream.seek(0 if place.is_gzip else place.offset)
            record = warcfile.read_record(stream)
            return _headers(record), record.content_stream().read()


def _archives(path: str) -> list[Path]:
    if not path:
        raise WebError("web 'warc:' names no file: write warc:PATH")
    root = Path(path)
    if root.is_file():
        return [root]
    found = sorted(file for file in root.rglob("*") if file.name.endswith(SUFFIXES) and file.is_file())
    if not found:
        what = "has no .warc or .warc.gz file in it" if root.is_dir() else "does not exist"
        raise WebError(f"'{path}' of web 'warc:' {what}: give a WARC file or a folder of them")
    return found


def _key(url: str) -> str | None:
    """A URL without its scheme."""
    known = canonical(url.strip("<> "))
    return known.partition("://")[2] if known else None


def _is_answer(record: Any) -> bool:
    """A response that does not begin with a status is none: it must not stand in for a good one."""
    return bool(record.http_headers) and (record.http_headers.get_statuscode() or "").isdigit()


def _status(record: Any) -> int:
    """A resource, and a revisit that says nothing else, was there: 200."""
    code = record.http_headers.get_statuscode() if record.http_headers else "200"
    return int(code) if code.isdigit() else 200


def _own_names(record: Any, key: str) -> Iterator[str]:
    """Under which a revisit may refer to this record."""
    for name in ("WARC-Record-ID", "WARC-Payload-Digest"):
        if value := record.rec_headers.get_header(name):
            yield value
    yield key


def _names_of_original(record: Any) -> Iterator[str]:
    for name in ("WARC-Refers-To", "WARC-Payload-Digest"):
        if value := record.rec_headers.get_header(name):
            yield value
    if key := _key(record.rec_headers.get_header("WARC-Refers-To-Target-URI") or ""):
        yield key


def _headers(record: Any) -> dict[str, str]:
    if not record.http_headers:
        kind = record.rec_headers.get_header("Content-Type") if record.rec_type == "resource" else None
        return {"Content-Type": kind} if kind else {}
    headers = {name.title(): value for name, value in record.http_headers.headers if name.lower() not in OF_TRANSFER}
    if headers.get("Content-Encoding", "").lower() in BufferedReader.get_supported_decompressors():
        del headers["Content-Encoding"]
    return headers

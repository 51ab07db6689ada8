"""What must hold of a crawl's files, judged without the code that wrote them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.rig.web import LoopbackWeb


class Broken(AssertionError):
    """A file is not what it must be."""


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def meta(db: Path, name: str) -> Any:
    found = rows(db, f"SELECT value FROM meta WHERE name = '{name}'")
    return found[0][0] if found else None


def pages_done(db: Path) -> set[str]:
    """Pages that were had."""
    return {url for (url,) in rows(db, "SELECT url FROM page WHERE visit IS NOT NULL")}


def settled(db: Path) -> set[str]:
    """URLs about which everything has been said: done or given up."""
    return {url for (url,) in rows(db, "SELECT url FROM page WHERE state >= 2")}


def lost(web: LoopbackWeb, db: Path) -> set[str]:
    """URLs that a crawl that says it has finished never settled, and good pages it never had."""
    return (web.urls() - settled(db)) | (web.urls("ok") - pages_done(db))


def forgotten(web: LoopbackWeb, db: Path) -> set[str]:
    """Links of pages that are done which the crawl, finished or not, does not know."""
    known = {url for (url,) in rows(db, "SELECT url FROM page")}
    linked = {url for page in pages_done(db) for url in map(web.url, web.plan.links[web.number(page)])}
    return linked - known


def db_is_whole(db: Path) -> None:
    answer = rows(db, "PRAGMA quick_check")
    if answer != [("ok",)]:
        raise Broken(f"{db}: {answer}")


def members(path: Path) -> Iterator[bytes]:
    """Every gzip member, inflated to its very end with its checksum; a torn one raises."""
    data = path.read_bytes()
    while data:
        inflate = zlib.decompressobj(wbits=31)
        try:
            member = inflate.decompress(data)
        except zlib.error as error:
            raise Broken(f"{path}: {error} with {len(data)} bytes to go") from error
        if not inflate.eof:
            raise Broken(f"{path}: the last gzip member is torn, {len(data)} bytes long")
        data = inflate.unused_data
        yield member


def warc_is_whole(path: Path) -> Counter[str]:
    """Response records by URL, after proof that each record is complete and no URL has two."""
    responses: Counter[str] = Counter()
    for member in members(path):
        headers = _record(path, member)
        if headers["warc-type"] == "response":
            responses[headers["warc-target-uri"].strip("<>")] += 1
    twice = [url for url, count in responses.items() if count > 1]
    if twice:
        raise Broken(f"{path}: more than one response record for {twice[:5]} and {len(twice)} in all")
    return responses


def _record(path: Path, member: bytes) -> dict[str, str]:
    head, found, rest = member.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    if not found or not lines[0].startswith("WARC/1."):
        raise Broken(f"{path}: a member does not begin with a WARC record: {member[:60]!r}")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    length = int(headers["content-length"])
    if len(rest) != length + 4 or not rest.endswith(b"\r\n\r\n"):
        raise Broken(f"{path}: a record of {length} bytes has {len(rest) - 4}: {headers.get('warc-target-uri')}")
    return headers


def jsonl_is_whole(path: Path) -> list[dict[str, Any]]:
    """The items, after proof that each line parses and no URL has two."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        raise Broken(f"{path}: the last line is torn")
    try:
        items: list[dict[str, Any]] = [json.loads(line) for line in data.splitlines()]
    except ValueError as error:
        raise Broken(f"{path}: {error}") from error
    twice = [url for url, count in Counter(item["url"] for item in items).items() if count > 1]
    if twice:
        raise Broken(f"{path}: more than one line for {twice[:5]} and {len(twice)} in all")
    return items


def outputs_agree(data: Path) -> None:
    """Database, WARC and JSONL are whole and speak of the same pages."""
    db_is_whole(data / "crawl.db")
    done = pages_done(data / "crawl.db")
    recorded = set(warc_is_whole(data / "pages.warc.gz"))
    listed = {item["url"] for item in jsonl_is_whole(data / "pages.jsonl")}
    if not done <= recorded:
        raise Broken(f"{len(done - recorded)} pages done have no WARC record: {sorted(done - recorded)[:5]}")
    if listed != done:
        raise Broken(f"JSONL and database differ: {sorted(listed ^ done)[:5]}, {len(listed ^ done)} in all")

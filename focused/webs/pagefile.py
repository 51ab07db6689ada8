"""Reading a file of pages, one JSON object a line, that may be damaged: what cannot be read is counted and left out.

{"url", "host", "title", "html", "links": [{"url", "anchor"}], "labels": ["Science/Biology/Birds"], "hub": false}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from focused.urls import canonical, canonical_links
from focused.webs import warcfile

BLOCK = 1 << 16
LONGEST_LINE = 64 * 1024 * 1024
BAD_JSON, BAD_URL, BAD_LINK, NOT_UTF8, TOO_LONG = "bad_json", "bad_url", "bad_link", "not_utf8", "too_long"
NO_HTML, NO_LINKS, NO_LABELS = "no_html", "no_links", "no_labels"


@dataclass(slots=True)
class Row:
    """One page; `links` is None where the file does not say."""

    url: str
    title: str
    html: str
    links: list[tuple[str, str]] | None  # URL, anchor
    labels: tuple[str, ...]
    hub: bool


def rows(path: Path, faults: Counter[str]) -> Iterator[Row]:
    """The pages of a .jsonl or .jsonl.gz file in its order."""
    for url, content in _pages(path, faults):
        yield _row(url, content, faults)


def urls(path: Path) -> Iterator[str]:
    """Only what they are called, in half the time."""
    return (url for url, _ in _pages(path, Counter()))


def _pages(path: Path, faults: Counter[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for line in _lines(path, faults):
        content = _object(line, faults)
        given = content.get("url") if content is not None else None
        url = canonical(given) if isinstance(given, str) else None
        if content is not None and url is not None:
            yield url, content
        elif content is not None:
            faults[BAD_URL] += 1


def _lines(path: Path, faults: Counter[str]) -> Iterator[bytes]:
    """Lines that are not empty. Those that a fault of the file cuts in two are left out."""
    rest, is_too_long = b"", False
    for block in _blocks(path, faults):
        if block is None:
            rest, is_too_long = b"", False
            continue
        *lines, rest = (rest + block).split(b"\n")
        if lines and is_too_long:
            del lines[0]
            is_too_long = False
        yield from filter(bytes.strip, lines)
        if len(rest) > LONGEST_LINE or is_too_long:
            faults[TOO_LONG] += not is_too_long
            rest, is_too_long = b"", True
    if rest.strip():
        yield rest


def _blocks(path: Path, faults: Counter[str]) -> Iterator[bytes | None]:
    """The content of the file, inflated; None where something is missing."""
    if not warcfile.is_gzip(path):
        with path.open("rb") as raw:
            yield from _read(raw)
        return
    for _, data, fault in warcfile.members(path):
        data.seek(0)
        yield from _read(data)
        if fault:
            faults[fault] += 1
            yield None


def _read(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(BLOCK):
        yield block


def _object(line: bytes, faults: Counter[str]) -> dict[str, Any] | None:
    try:
        line.decode()
    except UnicodeDecodeError:
        faults[NOT_UTF8] += 1
        line = line.decode("utf-8", "replace").encode()
    try:
        content = orjson.loads(line)
    except orjson.JSONDecodeError:
        content = None
    if not isinstance(content, dict):
        faults[BAD_JSON] += 1
        return None
    return content


def _row(url: str, content: dict[str, Any], faults: Counter[str]) -> Row:
    title, html, links, labels = (content.get(name) for name in ("title", "html", "links", "labels"))
    for value, kind, fault in ((html, str, NO_HTML), (links, list, NO_LINKS), (labels, list, NO_LABELS)):
        faults[fault] += not isinstance(value, kind)
    return Row(
        url,
        title if isinstance(title, str) else "",
        html if isinstance(html, str) else "",
        list(_links(links, url, faults)) if isinstance(links, list) else None,
        tuple(_path(label) for label in labels if isinstance(label, str)) if isinstance(labels, list) else (),
        content.get("hub") is True,
    )


def _links(given: list[Any], base: str, faults: Counter[str]) -> Iterator[tuple[str, str]]:
    links = [link for link in given if isinstance(link, dict) and isinstance(link.get("url"), str)]
    found = canonical_links([link["url"] for link in links], base)
    for link, url in zip(links, found, strict=True):
        if url is not None:
            anchor = link.get("anchor")
            yield url, anchor if isinstance(anchor, str) else ""
    faults[BAD_LINK] += len(given) - len(links) + found.count(None)


def _path(label: str) -> str:
    """Subjects are written Science.Biology.Birds or Science/Biology/Birds."""
    return label if "/" in label else label.replace(".", "/")

"""The websites of a crawl as a file: csv or jsonl."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson

from focused.errors import SettingError, StoreError
from focused.evaluate.export import STDOUT, inert, own_file, written
from focused.store.answers import Choice
from focused.store.queries import Reading
from focused.store.websites import WebsiteRow, websites

FORMATS = ("csv", "jsonl")


def export_websites(reading: Reading, kind: str, choice: Choice, path: Path) -> int:
    """Write the chosen websites to `path` ("-": standard output); returns how many they were."""
    if kind not in FORMATS:
        raise SettingError(f"--format {kind} is not for websites: give one of {', '.join(FORMATS)}.")
    own_file(reading, path)
    if not websites(reading, limit=1):
        raise StoreError(f"{reading.folder} has judged no websites: crawl with scrapy crawl websites.")
    rows = websites(reading, choice)
    text = _csv(rows) if kind == "csv" else _jsonl(rows)
    if path == STDOUT:
        sys.stdout.buffer.write(text)
    else:
        written(path, lambda out: out.write(text))
    return len(rows)


def default_file(kind: str, choice: Choice) -> str:
    """
    >>> default_file("csv", Choice(relevant=True, new=True))
    'websites-relevant-new.csv'
    """
    return "-".join(["websites", *["relevant"] * choice.relevant, *["new"] * choice.new]) + f".{kind}"


def _csv(rows: Sequence[WebsiteRow]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(WebsiteRow._fields)
    writer.writerows([inert(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _jsonl(rows: Sequence[WebsiteRow]) -> bytes:
    return b"".join(orjson.dumps(row._asdict()) + b"\n" for row in rows)

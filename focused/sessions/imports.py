"""Browsing recorded elsewhere: a table of visits (CSV), or what a browser's developer tools save (HAR).

Neither raises at what is wrong with single lines: they are named in the notes, and the rest is taken.
"""

from __future__ import annotations

import base64
import binascii
import csv
import json
import math
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from focused.errors import TopicError
from focused.page import Page, PageReader
from focused.sessions.steps import Recording, Step, checked
from focused.urls import canonical

YES, NO = frozenset(("1", "true", "yes", "relevant")), frozenset(("", "0", "false", "no", "other"))
COLUMNS = ("url", "referrer", "relevant")
MOST_BYTES = 512 * 1024 * 1024  # of a HAR file, which is read whole
MOST_WORDS = 2_000  # of a page that are kept
Reads = Callable[[str], Page | None]  # the page of a URL; None: it cannot be had


def from_csv(path: Path, page_of: Reads) -> Recording:
    """url,referrer,relevant lines with that heading; `page_of` brings the pages' texts."""
    rows = csv.DictReader(_text(path).replace("\0", "\ufffd").splitlines())
    recording = Recording()
    try:
        if not set(COLUMNS) <= {(name or "").strip().lower() for name in rows.fieldnames or ()}:
            raise TopicError(f"The first line of {path} is not {','.join(COLUMNS)}: write it there.")
        for row in rows:
            cells = {(name or "").strip().lower(): (cell or "") for name, cell in row.items() if isinstance(name, str)}
            _add(recording, [cells[name].strip() for name in COLUMNS], page_of, f"Line {rows.line_num}")
    except csv.Error as error:
        raise TopicError(f"{path} is no CSV file ({error}): save it as CSV.") from None
    return checked(recording, str(path))


def from_har(path: Path, reader: PageReader, relevant: Collection[str] = ()) -> Recording:
    """The HTML pages of a HAR file; relevant are those of these URLs, and entries with the comment "relevant"."""
    wanted = {canonical(url) for url in relevant}
    recording = Recording()
    for number, entry in enumerate(_entries(path), 1):
        try:
            _add_entry(recording, entry, reader, wanted)
        except (KeyError, TypeError, AttributeError, ValueError, binascii.Error) as error:
            recording.notes.append(f"Entry {number} cannot be read ({error!r}).")
    visited = {step.url for step in recording.steps}
    recording.notes += [
        f"{url} is marked relevant but was not visited." for url in sorted(filter(None, wanted - visited))
    ]
    return checked(recording, str(path))


def text_of(page: Page) -> str:
    """What a page is judged by."""
    return " ".join((page.words[: page.heading] + page.main_words)[:MOST_WORDS])


def _add(recording: Recording, cells: list[str], page_of: Reads, where: str) -> None:
    url, referrer, mark = canonical(cells[0]), canonical(cells[1]) or "", cells[2].lower()
    if url is None or mark not in YES | NO:
        what = (
            f"'{cells[0][:60]}' is not an http(s) URL" if url is None else f"relevant is '{mark[:20]}', not yes or no"
        )
        recording.notes.append(f"{where} was left out: {what}.")
        return
    page = page_of(url)
    recording.steps.append(Step(url, referrer, mark in YES, text_of(page) if page else ""))


def _add_entry(recording: Recording, entry: dict[str, Any], reader: PageReader, wanted: Collection[str | None]) -> None:
    content = entry["response"]["content"]
    if entry["response"]["status"] != 200 or "html" not in content.get("mimeType", "") or not content.get("text"):
        return  # pictures, scripts, redirects: not pages
    url = canonical(entry["request"]["url"])
    if url is None:
        raise ValueError(entry["request"]["url"])
    headers = {header["name"].lower(): header["value"] for header in entry["request"].get("headers", [])}
    is_packed = content.get("encoding") == "base64"
    body = base64.b64decode(content["text"]) if is_packed else content["text"].encode("utf-8", "replace")
    page = reader.read(url, body, content["mimeType"] if is_packed else "text/html; charset=utf-8")
    is_relevant = url in wanted or str(entry.get("comment", "")).strip().lower() == "relevant"
    recording.steps.append(Step(url, canonical(headers.get("referer", "")) or "", is_relevant, text_of(page)))


def _entries(path: Path) -> list[Any]:
    text = _text(path, MOST_BYTES)
    try:
        entries = json.loads(text)["log"]["entries"]
    except (ValueError, RecursionError):
        raise _no_har(path, "it is not JSON") from None
    except (KeyError, TypeError):
        raise _no_har(path, "it has no log.entries") from None
    if not isinstance(entries, list):
        raise _no_har(path, "log.entries is no list")
    return entries


def _no_har(path: Path, why: str) -> TopicError:
    return TopicError(f"{path} is no HAR file ({why}): save the network log of a browser as HAR.")


def _text(path: Path, most: float = math.inf) -> str:
    try:
        if path.stat().st_size > most:
            raise TopicError(f"{path} is larger than {most / 1024**2:.0f} MiB: record shorter sessions.")
        return path.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise TopicError(f"{path} cannot be read ({error.strerror}): give the path of a file.") from None

"""Recorded browsing brought to a topic: imported, joined with what is there, named in the topic's file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapy.settings import BaseSettings

from focused.administration.files import TopicFile
from focused.examples.collection import Skipped, read
from focused.examples.fetched import Fetching
from focused.page import Page, PageReader
from focused.sessions import Recording, from_csv, from_har, join, write
from focused.sessions import read as read_steps
from focused.urls import canonical
from models.text import Vocabulary

SESSIONS = "sessions.jsonl"


def import_har(file: TopicFile, path: Path, relevant: Sequence[str]) -> list[str]:
    return _take(file, from_har(path, PageReader(Vocabulary()), relevant))


def import_csv(file: TopicFile, path: Path, settings: BaseSettings) -> list[str]:
    """The texts of the pages are fetched, all together, from the Web or the frozen one."""
    reader = PageReader(Vocabulary())
    return _take(file, from_csv(path, _fetched(settings, path, reader).get))


def _fetched(settings: BaseSettings, path: Path, reader: PageReader) -> dict[str, Page]:
    urls = [url for url in map(canonical, _cells(path)) if url]
    pages = {}
    with TemporaryDirectory(prefix="focused-import-") as folder:
        fetching = Fetching(settings, Path(folder) / "import", walk=False)
        for found, url in fetching.documents({url: url for url in urls}, _untold):
            if not isinstance(found, Skipped):
                pages[url] = read(reader, found)
    return pages


def _cells(path: Path) -> list[str]:
    """The URLs of a table; what is wrong with it is said by who reads it in earnest."""
    try:
        lines = path.read_bytes().decode("utf-8-sig", "replace").replace("\0", "").splitlines()
        head, *rows = [*csv.reader(lines)] or [[]]
    except (OSError, csv.Error):
        return []
    names = [name.strip().lower() for name in head]
    at = names.index("url") if "url" in names else 0
    return [row[at].strip() for row in rows if len(row) > at]


def _take(file: TopicFile, recording: Recording) -> list[str]:
    table = file.table("sessions")
    path = file.folder / str(table.setdefault("file", SESSIONS))
    before = read_steps(path).steps if path.exists() else []
    steps = join(before, recording.steps)
    write(path, steps)
    file.save()
    relevant = sum(step.relevant for step in steps) - sum(step.relevant for step in before)
    said = f"{path}: {len(steps) - len(before):,} steps added, {len(steps):,} in all; relevant of the new: {relevant:,}"
    return [*recording.notes, said]


def _untold(*_: object) -> None:
    """Nobody is watching."""

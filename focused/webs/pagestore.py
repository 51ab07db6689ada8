"""A file of pages made ready to be served: each page by itself, compressed, and an index of them.

Made once and kept under .cache/webs/ of the working folder, in a folder named after the file's path, size and time:
the next crawl on the same web starts at once, and no crawl holds more than one page in memory.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
import weakref
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import orjson
import xxhash
from isal import isal_zlib

from focused.webs.pagefile import Row, rows, urls
from focused.webs.pagehtml import served

CACHE = Path(".cache/webs")
VERSION = 1  # of what is kept; another one is made anew
LEVEL = 1
LEFT_BEHIND = 3600.0  # seconds
DUPLICATE = "duplicate_url"
LARGE = 5_000_000  # bytes: whoever opens such a file should know what takes so long
BODIES, INDEX = "bodies", "index.json"

logger = logging.getLogger(__name__)


class Entry(NamedTuple):
    url: str
    offset: int
    size: int
    labels: list[str]
    links: int  # to other pages of this web
    is_hub: bool


class PageStore:
    """The pages of one file."""

    def __init__(self, path: Path) -> None:
        folder = _made(path)
        content = orjson.loads((folder / INDEX).read_bytes())
        self.faults: Counter[str] = Counter(content["faults"])
        self.entries = [Entry(*values) for values in content["pages"]]
        # Open for as long as the web is: whoever makes the store anew may remove this folder meanwhile.
        self._file = os.open(folder / BODIES, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        if folder.parent != CACHE:
            shutil.rmtree(folder, ignore_errors=True)

    def body(self, entry: Entry) -> bytes:
        """Raises OSError or zlib.error where somebody has damaged the store."""
        return zlib.decompress(os.pread(self._file, entry.size, entry.offset))


def key_of(url: str) -> str:
    """A canonical URL without its scheme: http and https are the same page."""
    return url.partition("://")[2]


def _made(path: Path) -> Path:
    """The folder of the file's store; a temporary one where .cache cannot be written."""
    stat = path.stat()
    name = f"{path.name.partition('.')[0]}-{_hash(str(path.resolve()))}"
    folder = CACHE / f"{name}-{_hash(f'{stat.st_size} {stat.st_mtime_ns} {VERSION}')}"
    if (folder / INDEX).is_file():
        return folder
    if stat.st_size > LARGE:
        logger.warning("Making %s ready to be replayed, this once: about 10 s for each 50 MB", path)
    draft = _draft()
    _Making(path, draft).run()
    if draft.parent != CACHE:
        return draft
    for old in set(CACHE.glob(f"{name}-*")) - {folder}:
        shutil.rmtree(old, ignore_errors=True)
    try:
        return draft.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(draft, ignore_errors=True)
        return folder


def _hash(text: str) -> str:
    digest: str = xxhash.xxh3_64_hexdigest(text.encode())
    return digest


def _draft() -> Path:
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        for left in CACHE.glob("draft-*"):  # by a process that died
            if time.time() - left.stat().st_mtime > LEFT_BEHIND:
                shutil.rmtree(left, ignore_errors=True)
        return Path(mkdtemp(prefix="draft-", dir=CACHE))
    except OSError:
        return Path(mkdtemp(prefix="focused-web-"))


class _Making:
    """Two passes: which pages there are, then each page with its links spelled as those are."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.faults: Counter[str] = Counter()
        self.urls: dict[str, str] = {}  # key → URL

    def run(self) -> None:
        try:
            self.urls = {key_of(url): url for url in urls(self.path)}
            pages = [tuple(entry) for entry in self._written()]
            faults = {name: count for name, count in self.faults.items() if count}
            (self.folder / INDEX).write_bytes(orjson.dumps({"faults": faults, "pages": pages}))
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def find(self, url: str) -> str | None:
        """The page a link names, also where only links have the percent signs of a name written as %25."""
        found = self.urls.get(key_of(url))
        return found or (self.urls.get(key_of(url.replace("%25", "%"))) if "%25" in url else None)

    def _written(self) -> Iterator[Entry]:
        seen: set[str] = set()
        offset = 0
        with (self.folder / BODIES).open("wb") as out:
            for row in rows(self.path, self.faults):
                if key_of(row.url) in seen:
                    self.faults[DUPLICATE] += 1
                    continue
                seen.add(key_of(row.url))
                data = isal_zlib.compress(served(row, self.find), LEVEL)
                out.write(data)
                yield Entry(row.url, offset, len(data), list(row.labels), self._out(row), row.hub)
                offset += len(data)

    def _out(self, row: Row) -> int:
        targets = {self.find(url) for url, _ in row.links or []}
        return len(targets - {None, row.url})

"""A crawl as a web: what it recorded, and the robots.txt of each site, in one WARC file that replays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from isal import isal_zlib

from focused.errors import SettingError, StoreError
from focused.outputs import GZIP, LEVEL, Exchange, warc_records
from focused.store.queries import Reading

RECORDED = "pages.warc.gz"
FROZEN = "frozen.warc.gz"
OWN = (RECORDED, "pages.jsonl", "sites.jsonl")  # files of the crawl itself
BLOCK = 1 << 20
NO_ANSWER = 503  # robots.txt that nobody sent closes its site, in a replay as in the crawl


class Frozen(NamedTuple):
    path: Path
    pages: int
    left_out: int  # pages that asked not to be kept
    sites: int  # whose rules are known


def freeze(reading: Reading, path: Path) -> Frozen:
    """Pack a crawl, finished or running, into `path`: all of it, or an earlier file stays as it was."""
    if path.resolve() in [file.resolve() for file in (reading.path, *(reading.folder / name for name in OWN))]:
        raise SettingError(f"{path} belongs to the crawl itself: give another file with -o.")
    draft = path.with_name(path.name + ".tmp")
    try:
        with reading.snapshot(), draft.open("wb") as out:
            frozen = _write(reading, path, out)
        draft.replace(path)
    except OSError as error:
        raise SettingError(f"{path} cannot be written ({error.strerror}): give another file with -o.") from error
    finally:
        draft.unlink(missing_ok=True)
    return frozen


def _write(reading: Reading, path: Path, out: BinaryIO) -> Frozen:
    pages = sum(1 for _ in reading.records())
    if pages == 0:
        raise StoreError(f"The crawl in {reading.folder} has no pages yet: let it fetch some, then freeze it.")
    sites = 0
    for record in _rules(reading):
        out.write(isal_zlib.compress(record, LEVEL, GZIP))
        sites += 1
    for segment in reading.segments():
        warc = reading.warc(segment)
        _copy(warc, reading.committed(warc.name), out)
    return Frozen(path, pages, reading.summary().pages - pages, sites)


def _rules(reading: Reading) -> Iterator[bytes]:
    """robots.txt of each site, as far as it was about us: the store keeps no more. In a replay it is for everybody."""
    for host, status, text in reading.robots():
        body = "User-agent: *\n" + text.partition("\n")[2]
        headers = [("Content-Type", "text/plain; charset=utf-8")]
        answer = Exchange(
            f"http://{host}/robots.txt", "GET", [], status or NO_ANSWER, headers, body.encode(), time.time()
        )
        yield warc_records(answer)[0]


def _copy(source: Path, size: int, out: BinaryIO) -> None:
    """What is committed of the recording: a running crawl may be writing behind it."""
    if not source.is_file() or source.stat().st_size < size:
        raise StoreError(f"{source} is not as long as the crawl says ({size:,} bytes): it was cut or moved afterwards.")
    with source.open("rb") as recording:
        while size and (block := recording.read(min(size, BLOCK))):
            out.write(block)
            size -= len(block)

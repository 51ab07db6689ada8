"""Reading a WARC file that may be damaged: gzip members, records, and the way on after a fault.

warcio parses the records. It does not notice a truncated gzip member and takes a corrupt one for plain text, so the
members are inflated here and warcio is given plain bytes only.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple

from warcio.exceptions import ArchiveLoadFailed
from warcio.limitreader import LimitReader
from warcio.recordloader import ArcWarcRecordLoader
from warcio.statusandheaders import StatusAndHeadersParserException

BLOCK = 32 * 1024
IN_MEMORY = 32 * 1024 * 1024
MAGIC = b"\x1f\x8b\x08"
NEXT_RECORD = re.compile(rb"\nWARC/[01]\.\d")
# AttributeError: warcio takes it for granted that a response has a URL.
BROKEN = (ArchiveLoadFailed, StatusAndHeadersParserException, EOFError, ValueError, AttributeError)

CORRUPT, TRUNCATED, NO_RECORD = "corrupt_gzip", "truncated", "not_a_record"


class Found(NamedTuple):
    """A record and where it begins, or a fault and where it was met."""

    offset: int
    record: Any  # warcio's ArcWarcRecord; None at a fault
    fault: str = ""


def is_gzip(path: Path) -> bool:
    with path.open("rb") as raw:
        return raw.read(2) == MAGIC[:2]


def read_record(stream: IO[bytes]) -> Any:
    """The record that begins here, its content not yet read; raises one of BROKEN."""
    record = ArcWarcRecordLoader().parse_record_stream(stream, known_format="warc")
    if not isinstance(record.raw_stream, LimitReader) or record.rec_type is None:
        raise ArchiveLoadFailed("record without type or length")
    return record


def records(stream: IO[bytes]) -> Iterator[Found]:
    """The records of plain bytes, one after the other. The content of each may be read before the next is asked for."""
    size = stream.seek(0, 2)
    offset = _skip_blank(stream, 0)
    while offset < size:
        stream.seek(offset)
        try:
            record = read_record(stream)
        except BROKEN:
            yield Found(offset, None, NO_RECORD)
            offset = _find(stream, offset + 1, NEXT_RECORD, size) + 1
            continue
        end = stream.tell() + record.raw_stream.limit
        if end > size:
            yield Found(offset, None, TRUNCATED)
            return
        yield Found(offset, record)
        offset = _skip_blank(stream, end)


def members(path: Path) -> Iterator[tuple[int, IO[bytes], str]]:
    """Where each gzip member begins, its content (closed afterwards), and its fault if it has one.

    After a fault the next place that looks like a member is tried; places in a row that are none count as one fault.
    """
    size = path.stat().st_size
    was_bad = False
    start = 0
    with path.open("rb") as raw:
        while start < size:
            with SpooledTemporaryFile(IN_MEMORY) as data:
                end, fault = inflate(raw, start, data)
                if not (fault and was_bad and data.tell() == 0):
                    yield start, data, fault
            was_bad = bool(fault)
            start = end if not fault else _find(raw, start + 1, re.compile(re.escape(MAGIC)), size)


def inflate(raw: IO[bytes], start: int, into: IO[bytes]) -> tuple[int, str]:
    """Inflate one gzip member; where it ends, and what is wrong with it."""
    raw.seek(start)
    inflater = zlib.decompressobj(31)
    try:
        while not inflater.eof:
            block = raw.read(BLOCK)
            if not block:
                return start, TRUNCATED
            into.write(inflater.decompress(block))
    except zlib.error:
        return start, CORRUPT
    return raw.tell() - len(inflater.unused_data), ""


def _skip_blank(stream: IO[bytes], offset: int) -> int:
    """Past the empty lines between two records."""
    stream.seek(offset)
    while stream.read(1) in (b"\r", b"\n"):
        offset += 1
    return offset


def _find(stream: IO[bytes], start: int, pattern: re.Pattern[bytes], size: int) -> int:
    """Where the pattern next begins, or the size of the stream."""
    overlap = 16
    while start < size:
        stream.seek(start)
        block = stream.read(BLOCK + overlap)
        match = pattern.search(block)
        if match:
            return start + match.start()
        start += BLOCK
    return size

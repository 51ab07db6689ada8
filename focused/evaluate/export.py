"""Pages of a crawl as a file: jsonl, csv, parquet, warc, graphml. Every format is written as a stream."""

from __future__ import annotations

import csv
import io
import math
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from focused.errors import SettingError, StoreError
from focused.evaluate.graphml import write_graphml
from focused.store.answers import Choice
from focused.store.queries import EXPORT_COLUMNS, Reading

Writer = Callable[[Reading, Choice, BinaryIO], int]
OUTPUTS = ("pages*.warc.gz", "pages*.jsonl", "sites*.jsonl")  # of the crawl itself
BATCH = 10_000
STDOUT = Path("-")
GZIP = 31  # zlib's number for a gzip member


def export(reading: Reading, kind: str, choice: Choice, path: Path) -> int:
    """Write the chosen pages to `path` ("-": standard output); returns how many they were."""
    if kind not in WRITERS:
        raise SettingError(f"--format {kind} is not known: give one of {', '.join(WRITERS)}.")
    own_file(reading, path)
    with reading.snapshot():
        if path == STDOUT:
            return WRITERS[kind](reading, choice, sys.stdout.buffer)
        return written(path, lambda out: WRITERS[kind](reading, choice, out))


def own_file(reading: Reading, path: Path) -> None:
    """Refuses to write over what the crawl itself wrote."""
    own = [reading.path, *(file for name in OUTPUTS for file in reading.folder.glob(name))]
    if path.resolve() in [file.resolve() for file in own]:
        raise SettingError(f"{path} belongs to the crawl itself: give another file with -o.")


def written(path: Path, write: Callable[[BinaryIO], int]) -> int:
    """All of it or nothing: a failed export leaves an earlier one as it was."""
    draft = path.with_name(path.name + ".tmp")
    try:
        with draft.open("wb") as out:
            count = write(out)
        draft.replace(path)
    except OSError as error:
        raise SettingError(f"{path} cannot be written ({error.strerror}): give another file with -o.") from error
    finally:
        draft.unlink(missing_ok=True)
    return count


def default_file(kind: str, choice: Choice) -> str:
    """exported.csv, exported-relevant-new.jsonl …: never the name of a file the crawl itself writes.

    >>> default_file("warc", Choice(relevant=True))
    'exported-relevant.warc.gz'
    """
    names = ["exported", *["relevant"] * choice.relevant, *["new"] * choice.new]
    return f"{'-'.join(names)}.{'warc.gz' if kind == 'warc' else kind}"


def _rows(reading: Reading, choice: Choice) -> Iterator[dict[str, Any]]:
    for values in reading.pages(choice):
        row = dict(zip(EXPORT_COLUMNS, values, strict=True))
        row["relevant"] = bool(row["relevant"])
        # A seed comes before everything: its score is infinite, which JSON cannot say.
        row["score"] = row["score"] if math.isfinite(row["score"]) else None
        yield row


def _write_jsonl(reading: Reading, choice: Choice, out: BinaryIO) -> int:
    count = 0
    for row in _rows(reading, choice):
        out.write(orjson.dumps(row) + b"\n")
        count += 1
    return count


def _write_csv(reading: Reading, choice: Choice, out: BinaryIO) -> int:
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(EXPORT_COLUMNS)
    count = 0
    for row in _rows(reading, choice):
        writer.writerow(map(inert, row.values()))
        count += 1
    text.detach()  # the caller closes `out`
    return count


def inert(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets a quote in front of it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _write_parquet(reading: Reading, choice: Choice, out: BinaryIO) -> int:
    import pyarrow as pa  # half a second to load: only where it is asked for
    import pyarrow.parquet as pq

    kinds = {"relevance": pa.float64(), "relevant": pa.bool_(), "depth": pa.int64(), "visit": pa.int64()}
    kinds |= {"score": pa.float64(), "fetched_at": pa.float64()}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in EXPORT_COLUMNS])
    rows, count = _rows(reading, choice), 0
    with pq.ParquetWriter(out, schema) as writer:
        while batch := list(islice(rows, BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema))
            count += len(batch)
    return count


def _write_warc(reading: Reading, choice: Choice, out: BinaryIO) -> int:
    """The records as they are: each response, and the request that stands right behind it."""
    count = 0
    for segment, records in groupby(reading.records(choice), key=itemgetter(0)):
        path = reading.warc(segment)
        if not path.is_file():
            raise StoreError(
                f"There is no {path} to take pages from: this crawl kept no WARC, or has it on another machine."
            )
        with path.open("rb") as warc:
            for _, offset in records:
                warc.seek(offset)
                _copy_member(warc, out)
                _copy_member(warc, out)
                count += 1
    return count


def _copy_member(source: BinaryIO, out: BinaryIO) -> None:
    """One gzip member; `source` stands behind it afterwards."""
    inflating = zlib.decompressobj(GZIP)
    while not inflating.eof:
        begin = source.tell()
        chunk = source.read(1 << 16)
        if not chunk:
            raise StoreError(f"The WARC ends at {begin}, in the middle of a record: it was cut after the crawl.")
        inflating.decompress(chunk)
        used = len(chunk) - len(inflating.unused_data)
        out.write(chunk[:used])
        source.seek(begin + used)


WRITERS: dict[str, Writer] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "parquet": _write_parquet,
    "warc": _write_warc,
    "graphml": write_graphml,
}

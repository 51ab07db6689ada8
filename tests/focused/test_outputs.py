from __future__ import annotations

import io
from pathlib import Path

import orjson
from warcio.archiveiterator import ArchiveIterator

from focused.outputs import Exchange, Outputs

BODY = "<p>Zürich</p>".encode()


def exchange(url: str = "http://a.example/x?y=1") -> Exchange:
    return Exchange(
        url,
        "GET",
        [("Host", "a.example")],
        200,
        [("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")],
        BODY,
        0.0,
    )


def test_response_and_request_can_be_read_by_warcio(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path, {})
    outputs.write_exchange(exchange())
    outputs.close()
    with (tmp_path / "pages.warc.gz").open("rb") as file:
        records = [
            (r.rec_type, r.rec_headers["WARC-Target-URI"], r.content_stream().read())
            for r in ArchiveIterator(file, check_digests=True)
        ]
    assert records == [("response", "http://a.example/x?y=1", BODY), ("request", "http://a.example/x?y=1", b"")]


def test_the_offset_is_where_the_response_begins(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path, {})
    offsets = [outputs.write_exchange(exchange(f"http://a.example/{i}")) for i in range(3)]
    outputs.close()
    data = (tmp_path / "pages.warc.gz").read_bytes()
    urls = [next(iter(ArchiveIterator(io.BytesIO(data[offset:])))).rec_headers["WARC-Target-URI"] for offset in offsets]
    assert urls == [f"http://a.example/{i}" for i in range(3)]


def test_what_was_not_committed_is_cut_off(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path, {})
    outputs.write_items([{"url": "1"}])
    committed = outputs.flush()
    outputs.write_items([{"url": "2"}])
    outputs.write_exchange(exchange())
    outputs.close()  # the process dies before the commit
    again = Outputs(tmp_path, committed)
    again.write_items([{"url": "3"}])
    again.close()
    lines = (tmp_path / "pages.jsonl").read_bytes().splitlines()
    assert [orjson.loads(line)["url"] for line in lines] == ["1", "3"]
    assert (tmp_path / "pages.warc.gz").stat().st_size == 0


def test_an_item_with_strange_values_is_still_one_line(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path, {})
    outputs.write_items([{"path": Path("x"), 1: {"a"}, "text": "line\nbreak"}])
    outputs.close()
    assert len((tmp_path / "pages.jsonl").read_bytes().splitlines()) == 1


def test_only_a_crawl_that_finds_websites_has_a_file_for_them(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path, {})
    outputs.write_websites([])
    assert (list(outputs.flush()), (tmp_path / "sites.jsonl").exists()) == (["pages.warc.gz", "pages.jsonl"], False)
    outputs.write_websites([{"host": "a"}])
    committed = outputs.flush()
    outputs.write_websites([{"host": "b"}])
    outputs.close()  # the process dies before the commit
    Outputs(tmp_path, committed).close()
    assert (tmp_path / "sites.jsonl").read_bytes() == b'{"host":"a"}\n'
    Outputs(tmp_path, {}).close()  # it died before the first commit
    assert (tmp_path / "sites.jsonl").read_bytes() == b""

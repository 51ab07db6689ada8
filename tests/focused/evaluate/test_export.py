"""focused.evaluate.export: every format can be read back by a reader that is not ours."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import networkx
import pyarrow.parquet
import pytest
from warcio.archiveiterator import ArchiveIterator

from focused.errors import SettingError, StoreError
from focused.evaluate.export import WRITERS, default_file, export
from focused.store.answers import ALL, Choice
from focused.store.queries import EXPORT_COLUMNS, Reading
from tests.focused.made_crawl import MadeCrawl, large_crawl, small_crawl, write_warc

RELEVANT = Choice(relevant=True)


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    crawl = small_crawl(tmp_path)
    write_warc(crawl)
    return crawl.read()


def test_jsonl_has_every_column(reading: Reading, tmp_path: Path) -> None:
    assert export(reading, "jsonl", ALL, tmp_path / "out.jsonl") == 4
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [list(row) for row in rows] == [list(EXPORT_COLUMNS)] * 4
    assert rows[0]["score"] is None and rows[0]["parent_url"] is None  # a seed
    assert rows[2] == {
        **{"url": "http://b.example/one", "title": "One", "relevance": 0.9, "relevant": True, "class": "Cycling"},
        **{"depth": 1, "host": "b.example", "visit": 3, "fetched_at": 1700000003.0, "score": 0.7},
        **{"parent_url": "http://a.example/", "outcome": "ok"},
    }


@pytest.mark.parametrize("kind", WRITERS)
def test_every_format_counts_the_chosen_pages(reading: Reading, tmp_path: Path, kind: str) -> None:
    assert export(reading, kind, RELEVANT, tmp_path / "out") == 3
    assert export(reading, kind, Choice(new=True), tmp_path / "out") == 2


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_gives_a_spreadsheet_no_formula(tmp_path: Path, start: str) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/", title=f"{start}HYPERLINK(1)", score=-0.5)
    export(crawl.read(), "csv", ALL, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert row["title"] == f"'{start}HYPERLINK(1)"
    assert float(row["score"]) == -0.5  # a number is a number


def test_seed_has_no_score_in_any_format(reading: Reading, tmp_path: Path) -> None:
    export(reading, "csv", ALL, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        assert [row["score"] for row in csv.DictReader(file)] == ["", "", "0.7", "0.4"]


def test_parquet_keeps_types_over_many_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.evaluate.export.BATCH", 64)
    assert export(large_crawl(tmp_path, pages=300).read(), "parquet", ALL, tmp_path / "out.parquet") == 300
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.column("visit").to_pylist() == list(range(1, 301))
    assert str(table.schema.field("relevant").type) == "bool"


def test_warc_holds_the_chosen_responses_with_their_requests(reading: Reading, tmp_path: Path) -> None:
    export(reading, "warc", RELEVANT, tmp_path / "out.warc.gz")
    with (tmp_path / "out.warc.gz").open("rb") as file:
        records = [
            (record.rec_type, record.rec_headers["WARC-Target-URI"], len(record.content_stream().read()))
            for record in ArchiveIterator(file)
        ]
    urls = ["http://a.example/list", "http://b.example/one", "http://b.example/two"]
    assert [(kind, url) for kind, url, _ in records] == [(k, url) for url in urls for k in ("response", "request")]
    assert records[0][2] > 100_000


def test_warc_that_was_cut_is_said_to_be_so(reading: Reading, tmp_path: Path) -> None:
    warc = tmp_path / "pages.warc.gz"
    warc.write_bytes(warc.read_bytes()[:-20])
    with pytest.raises(StoreError, match="middle of a record"):
        export(reading, "warc", ALL, tmp_path / "out.warc.gz")
    warc.unlink()
    with pytest.raises(StoreError, match="kept no WARC"):
        export(reading, "warc", ALL, tmp_path / "out.warc.gz")
    assert not (tmp_path / "out.warc.gz").exists()


def test_graph_is_read_back_by_networkx(reading: Reading, tmp_path: Path) -> None:
    export(reading, "graphml", ALL, tmp_path / "out.graphml")
    graph = networkx.read_graphml(tmp_path / "out.graphml")
    assert graph.nodes["3"] == {"url": "http://b.example/one", "title": "One", "relevance": 0.9, "relevant": True}
    assert graph.edges["1", "3"] == {"anchor": "the one", "score": 0.7}
    assert set(graph.edges) == {("1", "3"), ("1", "4"), ("2", "3"), ("3", "4")}  # 5 and 6 were never had


def test_graph_survives_any_text(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/?a=1&b=<2>", title="\x00\x0b]]>\uffff</data>\U0001f6b2 é")
    crawl.link(1, 1, anchor="<&>\x1b", score=float("inf"))
    export(crawl.read(), "graphml", ALL, tmp_path / "out.graphml")
    graph = networkx.read_graphml(tmp_path / "out.graphml")
    assert graph.nodes["1"]["url"] == "http://a.example/?a=1&b=<2>"
    assert graph.nodes["1"]["title"] == "]]></data>\U0001f6b2 é"
    assert graph.edges["1", "1"] == {"anchor": "<&>"}


def test_unknown_format_is_a_mistake(reading: Reading, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="xml is not known: give one of jsonl, csv"):
        export(reading, "xml", ALL, tmp_path / "out")


def test_failed_export_leaves_the_earlier_one(reading: Reading, tmp_path: Path) -> None:
    (tmp_path / "out.warc.gz").write_text("earlier")
    (tmp_path / "pages.warc.gz").unlink()
    with pytest.raises(StoreError):
        export(reading, "warc", ALL, tmp_path / "out.warc.gz")
    assert (tmp_path / "out.warc.gz").read_text() == "earlier"
    with pytest.raises(SettingError, match="cannot be written"):
        export(reading, "csv", ALL, tmp_path / "no" / "such" / "folder.csv")


@pytest.mark.parametrize("name", ["crawl.db", "pages.warc.gz", "pages.jsonl"])
def test_files_of_the_crawl_are_not_overwritten(reading: Reading, tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingError, match="belongs to the crawl"):
        export(reading, "warc", ALL, tmp_path / "." / name)


def test_default_files_have_names_of_their_own() -> None:
    names = {default_file(kind, Choice(r, n)) for kind in WRITERS for r in (False, True) for n in (False, True)}
    assert len(names) == 20
    assert default_file("csv", Choice(True, True)) == "exported-relevant-new.csv"

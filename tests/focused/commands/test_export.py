"""scrapy export"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from focused.commands.export import Command
from tests.focused.made_crawl import small_crawl


def run(data: Path, *arguments: str) -> Command:
    command, parser = Command(), ArgumentParser()
    command.settings = Settings({"FOCUSED_DATA_DIR": str(data)})
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.run(rest, options)
    return command


def test_file_is_named_after_what_is_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "--relevant", "--format", "csv").exitcode == 0
    path = tmp_path / "cycling" / "exported-relevant.csv"
    assert capsys.readouterr().out == f"{path}: 3 pages\n"
    assert len(path.read_text().splitlines()) == 4


def test_output_goes_where_it_is_wanted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    run(tmp_path, "cycling", "--new", "-o", str(tmp_path / "new.jsonl"))
    assert [json.loads(row)["depth"] for row in (tmp_path / "new.jsonl").read_text().splitlines()] == [1, 2]


def test_output_on_stdout_is_nothing_but_rows(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    small_crawl(tmp_path / "cycling").save()
    run(tmp_path, "cycling", "-o", "-")
    out, err = capfdbinary.readouterr()
    assert [json.loads(row)["visit"] for row in out.splitlines()] == [1, 2, 3, 4]
    assert err == b"-: 4 pages\n"


def test_unknown_format_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "--format", "xls").exitcode == 1
    assert capsys.readouterr().err.startswith("--format xls is not known: give one of jsonl, csv, parquet")


def test_command_needs_a_topic(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run(tmp_path, "--format", "csv")

"""scrapy report"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from focused.commands.report import Command
from tests.focused.made_crawl import small_crawl


def command(data: Path) -> Command:
    made = Command()
    made.settings = Settings({"FOCUSED_DATA_DIR": str(data)})
    return made


def test_report_is_written_and_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    report = command(tmp_path)
    report.run(["cycling"], Namespace())
    out = capsys.readouterr().out
    assert "http://b.example/one\t0.900" in out
    assert out.endswith(f"Report: {tmp_path}/cycling/report.html\n")
    assert "<h2>Best pages</h2>" in (tmp_path / "cycling" / "report.html").read_text()
    assert report.exitcode == 0


def test_topic_without_a_crawl_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = command(tmp_path)
    report.run(["cycling"], Namespace())
    assert report.exitcode == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_command_needs_a_topic(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="scrapy report cycling"):
        command(tmp_path).run([], Namespace())

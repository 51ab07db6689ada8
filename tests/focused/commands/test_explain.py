"""scrapy explain"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from focused.commands.explain import Command
from tests.focused.made_crawl import small_crawl, write_warc


def run(data: Path, *arguments: str) -> Command:
    command = Command()
    command.settings = Settings({"FOCUSED_DATA_DIR": str(data)})
    command.run([*arguments], Namespace())
    return command


def test_page_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "http://b.example/two").exitcode == 0
    out = capsys.readouterr().out
    assert out.startswith("http://b.example/two\n  fetched as page 4")
    assert "0. http://a.example/" in out


def test_score_is_taken_apart_by_the_ordering_of_the_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = small_crawl(tmp_path / "cycling")
    write_warc(crawl)
    crawl.save()
    command = Command()
    command.settings = Settings()
    command.settings.setmodule("focused.settings")
    command.settings.set("FOCUSED_DATA_DIR", str(tmp_path))
    command.run(["cycling", "http://b.example/two"], Namespace())
    terms = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("       ")]
    assert terms == ["page", "anchor", "page", "anchor"]


def test_what_is_no_url_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "two").exitcode == 1
    assert capsys.readouterr().err == "'two' is not an http(s) URL: write it as https://host/path.\n"


def test_command_needs_both(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run(tmp_path, "cycling")

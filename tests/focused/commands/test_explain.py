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
    command.settings = Settings()
    command.settings.setmodule("focused.settings")
    command.settings.set("FOCUSED_DATA_DIR", str(data))
    command.run([*arguments], Namespace())
    return command


def test_page_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "http://b.example/two").exitcode == 0
    out = capsys.readouterr().out
    assert out.startswith("http://b.example/two\n  fetched as page 4")
    assert "0. http://a.example/" in out


@pytest.mark.parametrize("name", ["cycling", "first-try"])
def test_score_is_taken_apart_by_the_ordering_of_the_crawl(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the crawl has another name than its topic."""
    crawl = small_crawl(tmp_path / name)
    crawl.note(topic="cycling")
    write_warc(crawl)
    crawl.save()
    run(tmp_path, name, "http://b.example/two")
    terms = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("       ")]
    assert terms == ["page", "anchor", "page", "anchor"]


def test_where_the_topic_is_gone_it_is_said_why_no_parts_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_crawl(tmp_path / "cycling").save()  # its topic is called "made"
    assert run(tmp_path, "cycling", "http://b.example/two").exitcode == 0
    out = capsys.readouterr().out
    assert out.startswith("http://b.example/two\n  fetched as page 4")
    assert "\nThe parts of the scores cannot be told. Topic 'made' was not found" in out


def test_what_is_no_url_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_crawl(tmp_path / "cycling").save()
    assert run(tmp_path, "cycling", "two").exitcode == 1
    assert capsys.readouterr().err == "'two' is not an http(s) URL: write it as https://host/path.\n"


def test_command_needs_both(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run(tmp_path, "cycling")

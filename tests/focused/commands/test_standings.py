"""scrapy standings: a real table of a small web."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands import standings
from focused.commands.standings import ABSENT, DEBIAN, SCHOOLS, TOPICS, Command

WEB = "sim:small,seed=1,pages=500"


def run(folder: Path, *words: str) -> int:
    parser, command = ArgumentParser(), Command()
    command.settings = get_project_settings()
    command.add_options(parser)
    given = ["--cache", str(folder / "cache"), "-o", str(folder / "compare.md"), *words]
    command.run([], parser.parse_args(given))
    return command.exitcode


def test_a_table_is_written_and_webs_that_are_not_there_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(standings, "TOPICS", {WEB: ("cycling",), "pages:nowhere.jsonl": ("horses",)})
    monkeypatch.setattr(standings, "ABSENT", {"pages:nowhere.jsonl": "Nowhere is not there."})
    words = ["--orderings", "breadth_first,best_first:on=nose", "--pages", "20", "--seeds", "1"]
    assert run(tmp_path, *words) == 0
    text = (tmp_path / "compare.md").read_text()
    assert f"## `{WEB}`" in text and "| `breadth_first` | **0." in text and "Nowhere is not there." in text
    assert "`best_first:on=nose`, 1 (ordering_args: on=nose is not known" in text
    said = capsys.readouterr()
    assert "Nowhere is not there." in said.out and "1/2 " in said.err
    assert run(tmp_path, *words, "--orderings", "breadth_first") == 0
    assert capsys.readouterr().err == ""  # nothing had to be run again


def test_no_web_at_all_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--webs", "dream") == 1
    assert "--webs 'dream' leaves no web: name one of sim:medium" in capsys.readouterr().err
    with pytest.raises(UsageError, match="--orderings"):
        Command().run(["cycling"], None)  # type: ignore[arg-type]


def test_a_champion_that_does_not_run_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(standings, "TOPICS", {WEB: ("cycling",)})
    assert run(tmp_path, "--orderings", "breadth_first", "--champion", "fish") == 1
    assert "--champion fish is not among the orderings" in capsys.readouterr().err


def test_the_topics_of_the_table_are_there() -> None:
    assert set(ABSENT) == {DEBIAN, SCHOOLS} and len(TOPICS) == 3
    for topics in TOPICS.values():
        for topic in topics:
            assert "/" not in topic or (Path(topic) / "topic.toml").is_file()

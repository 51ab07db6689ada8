"""scrapy sweep: real crawls of one ordering with several values, and what is told of them."""

from __future__ import annotations

import doctest
import json
from argparse import ArgumentParser
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands.sweep import Command
from focused.evaluate import sweep

WEB = "sim:catalogue,pages=100,shops=1,seed=1"
TOPIC = """query = "notebooks"
[model]
kind = "table"
attributes = ["processor CPU", "memory RAM", "hard disk", "graphics", "keyboard"]
[sim]
topic = "catalogue/notebooks"
seeds = 2
"""


def run(folder: Path, *words: str, topic: str = TOPIC) -> int:
    path = folder / "topic.toml"
    path.write_text(topic)
    command, parser = Command(), ArgumentParser()
    command.settings = get_project_settings()
    command.add_options(parser)
    command.run([str(path)], parser.parse_args(["-o", str(folder / "out"), *words]))
    return command.exitcode


def test_a_value_has_its_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--web", WEB, "--vary", "restart=0.9", "--pages", "25") == 0
    (row,) = json.loads((tmp_path / "out" / sweep.FILE).read_text())["rows"]
    (recall,) = row["sites"].values()
    assert (row["name"], row["pages"], row["errors"]) == ("xcrawl:restart=0.9", 25, [])
    assert 0 < row["recall"] == row["worst"] == recall < 25 / 300
    assert 0 < row["harvest"] * 25 <= recall * 302 + 1e-9  # what is accepted is there
    assert 0 < row["ordering"] + row["judging"] < 1
    assert "xcrawl:restart=0.9\t25\t" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--web", WEB, "--vary", "restart"], "--vary restart has no values"),
        (["--web", WEB, "--seeds", "0"], "at least one seed"),
        ([], "needs a topic with"),
        (["--web", "sim:nonsense"], "'nonsense' is unknown"),
    ],
)
def test_mistakes_are_named_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run(tmp_path, *words) == 1
    assert said in capsys.readouterr().err
    with pytest.raises(UsageError):
        Command().run([], ArgumentParser().parse_args([]))


def test_the_examples_in_the_text_are_true() -> None:
    assert doctest.testmod(sweep) == (0, 1)

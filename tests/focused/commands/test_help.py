"""The help of our commands: Scrapy makes a heading of every line that ends with a colon, wherever it was wrapped."""

from __future__ import annotations

import re

import pytest
from scrapy.cmdline import ScrapyArgumentParser
from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter
from scrapy.utils.misc import walk_modules_iter
from scrapy.utils.project import get_project_settings

import focused.commands

COMMANDS = {
    module.__name__.rpartition(".")[2]: module.Command
    for module in walk_modules_iter(focused.commands.__name__)
    if hasattr(module, "Command")
}


def help_of(name: str, monkeypatch: pytest.MonkeyPatch, columns: int) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    command: ScrapyCommand = COMMANDS[name]()
    command.settings = get_project_settings()
    parser = ScrapyArgumentParser(
        formatter_class=ScrapyHelpFormatter, usage=f"scrapy {name} {command.syntax()}", description=command.long_desc()
    )
    command.add_options(parser)
    return parser.format_help()


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_the_options_becomes_a_heading(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (80, 100, 120, 140):
        assert re.findall(r"^ +(.*)\n(?:={4,}|-{4,})$", help_of(name, monkeypatch, columns), re.MULTILINE) == []


def test_each_verb_of_topics_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = help_of("topics", monkeypatch, 80).splitlines()
    assert "  scrapy topics mark TOPIC CLASS ... [--unmark] [--report]" in lines
    assert "  scrapy topics rename TOPIC CLASS NAME" in lines

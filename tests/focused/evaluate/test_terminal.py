"""focused.evaluate.terminal: tables for people, lines for programs."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from focused.evaluate.tables import Address, Section
from focused.evaluate.terminal import print_report, print_section
from tests.focused.made_crawl import small_crawl

LONG = "http://a.example/" + "x" * 300
SECTION = Section("Best", ("page", "n"), [(Address(LONG, None), 12), ("[red]not markup[/red]", None)])


def printed(section: Section, terminal: bool) -> str:
    file = io.StringIO()
    print_section(section, Console(file=file, force_terminal=terminal, width=80, color_system=None))
    return file.getvalue()


def test_lines_for_programs_are_not_cut() -> None:
    assert printed(SECTION, terminal=False) == f"Best\npage\tn\n{LONG}\t12\n[red]not markup[/red]\t\n\n"


def test_tables_for_people_fit_the_terminal_and_ignore_markup() -> None:
    lines = printed(SECTION, terminal=True).splitlines()
    assert max(map(len, lines)) <= 80
    assert any("[red]not markup[/red]" in line for line in lines)


def test_report_shows_numbers_alarms_and_results(tmp_path: Path) -> None:
    file = io.StringIO()
    with small_crawl(tmp_path).read() as reading:
        print_report(reading, "made", Console(file=file))
    text = file.getvalue()
    assert text.startswith("Crawl made: 2023-11-1")
    assert "harvest               75.0 %" in text
    assert "http://b.example/one\t0.900\tCycling\t1\t3" in text

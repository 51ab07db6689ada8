"""Tables on a terminal; as tab-separated lines where the output is not one, for there it is a program that reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from focused.evaluate.tables import Section, alarms_of, found, headline, is_number, show
from focused.evaluate.wording import course
from focused.store.queries import Reading


def print_report(reading: Reading, name: str, console: Console) -> None:
    """The headline numbers, the alarms and the best of what was found."""
    summary = reading.summary()
    print_lines([f"Crawl {name}: {course(summary.started, summary.finished, summary.reason)}", ""], console)
    print_lines((f"  {label:<18}{value:>10}" for label, value in headline(summary)), console)
    print_lines(["", *(f"Alarm. {alarm}" for alarm in alarms_of(reading, summary))], console)
    for section in found(reading, limit=10):
        print_section(section, console)


def print_section(section: Section, console: Console) -> None:
    if not console.is_terminal:
        print_lines(
            [section.title, "\t".join(section.headings), *("\t".join(map(show, row)) for row in section.rows), ""],
            console,
        )
        return
    table = Table(title=section.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    first, *others = section.headings
    room = console.width - sum(max(len(heading), 8) + 4 for heading in others) - 4
    table.add_column(first, overflow="ellipsis", no_wrap=True, max_width=max(20, room))
    for heading, cell in zip(others, section.rows[0][1:], strict=True):
        justify: Literal["left", "right"] = "right" if is_number(cell) else "left"
        # Never squeezed: where space is short it is the first column, of the addresses, that gives way.
        table.add_column(heading, justify=justify, no_wrap=True, min_width=len(heading))
    for row in section.rows:
        table.add_row(*(Text(show(cell)) for cell in row))
    console.print(table)


def print_lines(lines: Iterable[str], console: Console) -> None:
    """As they are: no markup, no wrapping, no highlighting, tabs stay tabs."""
    for line in lines:
        console.file.write(f"{line}\n")

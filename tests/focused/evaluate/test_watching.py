"""focused.evaluate.watching: bars for people, lines for logs."""

from __future__ import annotations

import io

from rich.console import Console

from focused.evaluate.runs import Entry, Job, Run
from focused.evaluate.watching import Bar, Watch

JOB = Job(Entry("best_first", "best_first", ""), 2)


def watched(console: Console) -> str:
    with Watch(console, runs=2) as watch:
        for pages in (100, 5000, 5100, 10_000):
            watch.explored(0, pages)
        watch.crawled(JOB, Run(["http://a/"] * 4, [True, False, False, False]))
        watch.crawled(JOB, Run(error="it broke"))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_line_for_each_thing_done() -> None:
    assert watched(Console(file=io.StringIO())).splitlines() == [
        "exploring from seed set 0: 5,000 pages",
        "exploring from seed set 0: 10,000 pages",
        "1/2 best_first, seed 2: 4 pages, harvest by the model 25.0 %",
        "2/2 best_first, seed 2: it broke",
    ]


def test_bars_on_a_terminal() -> None:
    shown = watched(Console(file=io.StringIO(), force_terminal=True, width=100))
    assert "last: best_first" in shown and "2/2 best_first" not in shown


def test_a_bar_of_crawls_is_lines_where_nobody_sees_it() -> None:
    for is_terminal in (False, True):
        console = Console(file=io.StringIO(), force_terminal=is_terminal)
        with Bar(console, 2) as bar:
            bar.ended("best_first", Run(["http://a/"] * 4, [True] * 4, pages_per_second=12.3))
            bar.ended("fish", Run(error="it broke"))
        assert isinstance(console.file, io.StringIO)
        lines = ["1/2 best_first: 4 pages, 12 a second", "2/2 fish: it broke"]
        assert (console.file.getvalue().splitlines() == lines) is not is_terminal

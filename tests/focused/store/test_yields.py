from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from focused.console.monitor import panel_of
from focused.console.rendering import rendered
from focused.evaluate.report import render
from focused.evaluate.terminal import print_report
from focused.renders import Renders
from focused.store.queries import Reading
from focused.store.yields import YieldRow, yields
from tests.focused.made_crawl import small_crawl


def crawl_that_rendered(folder: Path) -> Reading:
    """Two sites: on the second a browser found something."""
    crawl, renders = small_crawl(folder), Renders()
    sites = {crawl.site("a.example"): [0, 0], crawl.site("b.example"): [3, 2]}
    for site_id, links in sites.items():
        for number in links:
            renders.spend(site_id)
            renders.learn(site_id, "http://x.example/", "plain", number)
    renders.spend(crawl.site("b.example"))
    renders.fail(crawl.site("b.example"), "http://x.example/", "plain")
    for part, told in renders.state().items():
        crawl.insert("memory", name=f"render.{part}", value=json.dumps(told))
    return crawl.read()


def test_the_sites_on_which_a_browser_brought_most_come_first(tmp_path: Path) -> None:
    with crawl_that_rendered(tmp_path) as reading:
        rows = yields(reading)
        assert rows == [YieldRow("b.example", 3, 2, 5, 1), YieldRow("a.example", 2, 0, 0, 0)]
        assert yields(reading, 1) == rows[:1]


def test_a_crawl_without_a_browser_has_no_such_table(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        assert yields(reading) == []
        assert "<h2>Rendering</h2>" not in render(reading, "crawl")


def test_report_terminal_and_console_show_what_a_browser_brought(tmp_path: Path) -> None:
    with crawl_that_rendered(tmp_path) as reading, (tmp_path / "out").open("w+") as out:
        assert "<h2>Rendering</h2>" in render(reading, "crawl")
        print_report(reading, "crawl", Console(file=out))
        out.seek(0)
        assert "b.example\t3\t2\t5\t1\n" in out.read()
        assert "<h2>Rendering</h2>" in rendered("panel.html", panel=panel_of(reading), crawl="crawl")

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from scrapy.utils.project import get_project_settings

from focused.commands import demo
from tests.rig.check import pages_done
from tests.rig.web import ROOT

PAGES = 60


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> demo.Command:
    """The demo as `make demo` runs it, but with few pages."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(demo, "PAGES", PAGES)
    command = demo.Command()
    command.settings = get_project_settings()
    command.settings.set("FOCUSED_DATA_DIR", str(tmp_path), priority="cmdline")
    return command


def test_the_demo_runs_twice_in_one_folder_each_time_from_the_start(
    command: demo.Command, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = []
    for _ in range(2):
        command.run([], Namespace())
        out, err = capfd.readouterr()
        assert (command.exitcode, err) == (0, ""), err
        assert [len(pages_done(tmp_path / name / "crawl.db")) for name in ("demo", "demo-breadth-first")] == [PAGES] * 2
        report = (tmp_path / "demo/report.html").read_text("utf-8")
        assert "</html>" in report and "breadth_first" in report
        said.append([line for line in out.splitlines() if line.startswith("Of the same number of pages, ")])
        assert not (tmp_path / "demo/left").exists(), "nothing of an earlier demo is left"
        (tmp_path / "demo/report.html").rename(tmp_path / "demo/left")
    assert said[0] == said[1] and len(said[0]) == 1, said
    assert float(said[0][0].split()[6]) > 1, "focusing gains something already with few pages"

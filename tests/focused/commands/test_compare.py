"""scrapy compare, through real crawls and in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from focused.commands.compare import Command, prepare
from focused.errors import FocusedError
from tests.rig.browser import FLAGS, browser_path

WEB = "sim:small,seed=1,pages=1000"
BROKEN = "tests.focused.evaluate.broken_ordering.Broken"
TIMES = {"pages_per_second", "cpu_ms_per_page"}


def options(*words: str) -> Namespace:
    parser, command = ArgumentParser(), Command()
    command.settings = get_project_settings()
    command.add_options(parser)
    return parser.parse_args(["--web", WEB, *words])


def mistake(topic: str, *words: str) -> str:
    with pytest.raises(FocusedError) as caught:
        prepare(get_project_settings(), topic, options(*words))
    return str(caught.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--orderings", "best_frist"], "FOCUSED_ORDERING='best_frist' is not known: use one of "),
        (["--orderings", "best_first:on=nose"], "on=nose is not known: give one of page, anchor, both"),
        (["--orderings", "best_first:m=1"], "'m' is not an argument of BestFirst"),
        (["--orderings", ","], "--orderings names none"),
        (["--web", "dream:one"], "web 'dream:one' is of no known kind"),
        (["--web", "warc:nowhere.warc.gz"], "'nowhere.warc.gz' of web 'warc:' does not exist"),
        (["--web", ""], "No web was given"),
        (["--pages", "0"], "--pages 0 is below 1"),
        (["--seeds", "-3"], "--seeds -3 is below 1"),
        (["--truth", "nowhere.csv"], "--truth nowhere.csv cannot be read"),
        (["--truth", "judge:"], "--truth judge: is not whole: give judge:KIND"),
        (["--truth", "judge:svm="], "--truth judge:svm= is not whole"),
        (["--truth", "judge:oracle"], "--truth judge:oracle is not known: use one of "),
        (["--truth", "judge:similarity"], "--truth judge:similarity is the judge that steers: name another kind"),
        (["--truth", "judge:svm=nowhere.csv"], "--truth nowhere.csv cannot be read"),
        (["-o", "/dev/null/x"], "/dev/null/x cannot be made"),
    ],
)
def test_mistakes_are_one_sentence_before_anything_runs(words: list[str], said: str) -> None:
    assert said in mistake("cycling", *words)


def test_unknown_topic_is_a_mistake() -> None:
    assert "Topic 'cyclnig' was not found" in mistake("cyclnig")


def test_command_needs_a_topic() -> None:
    with pytest.raises(UsageError, match="scrapy compare cycling"):
        Command().run([], options())


def test_seeds_differ_and_settings_are_handed_on(tmp_path: Path) -> None:
    given = options("--seeds", "3", "--concurrent", "-s", "FOCUSED_SITE_BUDGET=9", "-o", str(tmp_path / "x"))
    entries, plan, ground = prepare(get_project_settings(), "cycling", given)
    assert [entry.name for entry in entries] == ["best_first", "breadth_first"]
    assert len({tuple(seeds) for seeds in ground.seeds}) == 3
    assert (plan.folder, plan.is_strict, plan.settings) == (tmp_path / "x/runs", False, ("FOCUSED_SITE_BUDGET=9",))


def test_an_interrupt_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("focused.evaluate.contest.compete", interrupt)
    command = Command()
    command.settings = get_project_settings()
    command.run(["cycling"], options("--seeds", "1", "-o", str(tmp_path / "x")))
    assert list((tmp_path / "x").iterdir()) == []
    assert command.exitcode == 130
    assert capsys.readouterr().err == "Interrupted: the crawls were ended and nothing was written.\n"


# --- real crawls ---------------------------------------------------------------------------------------------


def compare(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "compare", "cycling", "--web", WEB, "-o", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=280)


def numbers(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "compare.json").read_text())
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compare")


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    orderings = f"best_first:on=anchor;n=2,breadth_first,{BROKEN}"
    return compare(folder, "--orderings", orderings, "--pages", "60", "--seeds", "2")


def test_a_real_comparison(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    found = numbers(folder)
    assert (found["topic"], found["web"], found["pages"], found["seeds"]) == ("cycling", WEB, 60, 2)
    assert found["reachable"] > 800 and found["reachable_relevant"] > 20 and found["discriminating"] is True
    assert found["truth"] == "judged by the web itself"
    best, plain = (found["orderings"][name] for name in ("best_first:on=anchor;n=2", "breadth_first"))
    assert 1 > best["area_of_oracle"]["mean"] > plain["area_of_oracle"]["mean"] > 0.1
    assert best["pages"]["each"] == [60, 60] and best["pages_per_second"]["mean"] > 5
    assert found["orderings"]["oracle"]["area_of_oracle"]["mean"] == 1.0
    assert found["orderings"]["oracle"]["harvest"]["mean"] <= found["harvest_at_most"]
    assert sorted(path.name for path in folder.iterdir()) == ["compare.csv", "compare.html", "compare.json", "runs"]


def test_what_is_printed(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    lines = done.stdout.splitlines()
    assert lines[0:2] == ["Orderings", lines[1]] and lines[1].startswith("ordering\tarea\t±\tharvest")
    assert [line.split("\t")[0] for line in lines[2:6]] == [
        "oracle",
        "best_first:on=anchor;n=2",
        "breadth_first",
        BROKEN,
    ]
    assert "best_first:on=anchor;n=2 reaches 0." in done.stdout and " more than breadth_first" in done.stdout
    assert "\nWithin reach: " in done.stdout and lines[-1] == f"Page: {folder}/compare.html"
    assert len(re.findall(r"^\d/6 ", done.stderr, re.MULTILINE)) == 6


def test_a_crash_is_a_row_not_the_end(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert done.returncode == 1
    found = numbers(folder)
    assert found["orderings"][BROKEN] == {}
    assert [error.partition(" (")[0] for error in found["errors"][BROKEN]] == [
        "seed 0: the third page was too much",
        "seed 1: the third page was too much",
    ]
    assert "(status 3, " in found["errors"][BROKEN][0]
    said = f"{BROKEN} failed on 2 of 2 seeds; seed 0: the third page was too much (status 3, "
    assert said in done.stderr and said in (folder / "compare.html").read_text()


def test_same_command_same_numbers(done: subprocess.CompletedProcess[str], folder: Path, tmp_path: Path) -> None:
    """With one at a time instead of two, and with labels that say what the web says."""
    from focused.webs import open_web

    web = open_web(WEB)
    urls = list(web.pages_of("recreation/cycling"))  # type: ignore[attr-defined]
    text = "url,label\nnonsense\nhttp://nowhere.example/,1\n" + "".join(f"{url},recreation/cycling\n" for url in urls)
    (tmp_path / "labels.csv").write_bytes(text.encode() + b"http://a.example/\xff,1\n")
    words = ["--pages", "60", "--seeds", "2", "--jobs", "1", "--truth", str(tmp_path / "labels.csv")]
    again = compare(tmp_path / "out", "--orderings", "best_first:on=anchor;n=2", *words)
    assert again.returncode == 0, again.stderr
    first, second = numbers(folder), numbers(tmp_path / "out")
    assert (second["reachable"], second["reachable_relevant"]) == (first["reachable"], first["reachable_relevant"])
    for name in ("oracle", "best_first:on=anchor;n=2"):
        ours, theirs = (found["orderings"][name] for found in (first, second))
        assert {k: v for k, v in ours.items() if k not in TIMES} == {k: v for k, v in theirs.items() if k not in TIMES}
    assert second["truth"] == "judged by labels"
    assert "Lines of the labels that were not used: 2 (line 2: 'nonsense' has no label; line " in again.stderr
    assert "Labels of pages that cannot be reached: " in again.stderr and "nowhere.example/" in again.stderr


def test_an_unknown_ordering_is_told_at_once_and_is_a_row_and_the_rest_runs(tmp_path: Path) -> None:
    words = ["--pages", "20", "--seeds", "1", "--jobs", "1"]
    ended = compare(tmp_path, "--orderings", "best_frist,breadth_first,best_first:on=nose", *words)
    assert ended.returncode == 1
    told, _, later = ended.stderr.partition("20 pages")  # the first crawl that went well
    assert "'best_frist' is not known: use one of " in told and "on=nose is not known" in told
    assert "best_frist" in later and "on=nose" in later  # said again below the table
    found = numbers(tmp_path)
    assert found["orderings"]["breadth_first"]["pages"]["each"] == [20]
    assert found["orderings"]["best_frist"] == found["orderings"]["best_first:on=nose"] == {}
    assert {name: len(errors) for name, errors in found["errors"].items()} == {"best_frist": 1, "best_first:on=nose": 1}


def test_the_page_opens_in_a_browser(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        page, seen = browser.new_page(), []
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.goto((folder / "compare.html").as_uri())
        page.wait_for_selector("#relevant-pages-found .main-svg")
        drawn, verdict = page.locator(".js-plotly-plot").count(), page.locator(".verdict").inner_text()
        browser.close()
    assert (drawn, seen) == (3, [])
    assert verdict.startswith("best_first:on=anchor;n=2 reaches 0.")

"""scrapy crawl websites, and what becomes of its websites: sites.jsonl, report, export."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rig.run import Command

COMMAND = [sys.executable, "-m", "scrapy"]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Command:
    folder = tmp_path_factory.mktemp("websites")
    args = {"topic": "astronomy", "web": "sim:small,seed=1", "ordering_args": "prior=0.5"}
    command = Command(folder, args, {"FOCUSED_MAX_PAGES": 150, "FOCUSED_CRAWL": "astronomy"}, spider="websites")
    ended = command.run()
    assert ended.code == 0, str(ended)
    return command


def exported(crawl: Command, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "export", "astronomy", "--websites", "-s", f"FOCUSED_DATA_DIR={crawl.folder}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=280)


def told(crawl: Command) -> list[dict[str, object]]:
    return [json.loads(line) for line in (crawl.folder / "astronomy/sites.jsonl").read_text().splitlines()]


def test_each_finished_website_is_one_line(crawl: Command) -> None:
    websites = told(crawl)
    assert len({website["host"] for website in websites}) == len(websites) > 10
    assert any(website["relevant"] for website in websites)
    assert {"posterior", "mean_confidence", "pages", "downloads", "decided", "evidence"} <= websites[0].keys()


def test_new_relevant_websites_are_one_command_away(crawl: Command) -> None:
    done = exported(crawl, "--format", "csv", "--relevant", "--new", "-o", "-")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(done.stdout.splitlines()))
    known = {str(website["host"]) for website in told(crawl) if website["relevant"]}
    assert rows and {row["host"] for row in rows} < known  # the start sites are missing
    assert all(float(row["posterior"]) > 0.5 for row in rows)


def test_all_websites_go_into_a_file_of_their_own(crawl: Command) -> None:
    done = exported(crawl, "--format", "jsonl")
    assert "websites.jsonl" in done.stdout, done.stderr
    lines = (crawl.folder / "astronomy/websites.jsonl").read_text().splitlines()
    assert {json.loads(line)["host"] for line in lines} == {website["host"] for website in told(crawl)}


def test_a_format_that_websites_do_not_have_is_refused(crawl: Command) -> None:
    done = exported(crawl, "--format", "warc")
    assert done.returncode == 1
    assert "--format warc is not for websites: give one of csv, jsonl." in done.stderr


def test_the_report_lists_the_relevant_websites(crawl: Command) -> None:
    command = [*COMMAND, "report", "astronomy", "-s", f"FOCUSED_DATA_DIR={crawl.folder}"]
    subprocess.run(command, check=True, capture_output=True, timeout=280)
    report = (Path(crawl.folder) / "astronomy/report.html").read_text()
    assert "Relevant websites" in report
    assert str(next(website["host"] for website in told(crawl) if website["relevant"])) in report

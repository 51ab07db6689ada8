"""A crawl on real Scrapyd nodes, driven by `scrapy fleet`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.focused.fleet.running import RunningNode, scrapy, until
from tests.rig.check import rows


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    running = RunningNode(tmp_path_factory.mktemp("nodes") / "one")
    yield running
    running.kill()


@pytest.fixture(scope="module")
def topic(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The user's own, so that the egg must carry it: no node could read this file."""
    path = tmp_path_factory.mktemp("lists") / "bicycles.toml"
    path.write_text('query = "cycling, bicycles and bicycle races"\n[sim]\ntopic = "recreation/cycling"\n')
    return str(path)


def test_a_killed_node_loses_its_jobs_and_fleet_up_goes_on_with_them(
    running: RunningNode, topic: str, tmp_path: Path
) -> None:
    database, written = (tmp_path / "crawls" / "bicycles" / name for name in ("crawl.db", "pages.jsonl"))

    def fleet(*words: str) -> str:
        done = scrapy("fleet", *words, "-s", f"FOCUSED_DATA_DIR={tmp_path / 'crawls'}")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def pages() -> int:
        return len(rows(database, "SELECT 1 FROM page WHERE visit IS NOT NULL"))

    def items() -> list[str]:
        return written.read_text().splitlines() if written.exists() else []

    assert state(fleet("up", topic, "--nodes", running.url, "-a", "web=sim:small")) in ("pending", "running")
    until(lambda: len(items()) >= 20, "the worker fetches")
    running.kill()
    assert state(fleet("status", "bicycles")) == "no answer"
    had = pages()
    running.start()
    assert state(said := fleet("status")) == "gone"
    assert f"Pages: {had:,}," in said
    # The same command without its options: what was asked for before is remembered, what is given now comes on top.
    started = job(fleet("up", topic, "-s", f"FOCUSED_MAX_PAGES={had + 30}"))
    until(lambda: running.node.states()[started] == "finished", "the crawl ends")
    assert (state(fleet("status", "bicycles")), pages()) == ("finished", had + 30)
    assert len(items()) == len(set(items())) == had + 30
    exported = scrapy("export", "bicycles", "-o", "-", "-s", f"FOCUSED_DATA_DIR={tmp_path / 'crawls'}").stdout
    assert exported.count("\n") == had + 30


def test_fleet_down_ends_a_worker_and_fleet_up_starts_it_again(
    running: RunningNode, topic: str, tmp_path: Path
) -> None:
    def fleet(*words: str) -> CompletedProcess[str]:
        return scrapy("fleet", *words, "-s", f"FOCUSED_DATA_DIR={tmp_path / 'crawls'}")

    first = fleet("up", topic, "--nodes", running.url, "-a", "web=sim:small").stdout
    known = set(running.node.states())
    again = fleet("up", topic).stdout
    assert (job(first), known) == (job(again), set(running.node.states())), "what runs is left alone"
    until(lambda: running.node.states()[job(first)] == "running", "the worker starts")
    assert state(fleet("down", "bicycles").stdout) == "stopped"
    assert running.node.states()[job(first)] == "finished"
    third = fleet("up", topic, "-s", "FOCUSED_MAX_PAGES=1").stdout
    assert state(third) in ("pending", "running") and job(third) != job(first)


def state(said: str) -> str:
    """Of the one worker in a table."""
    return said.splitlines()[2].split("\t")[3]


def job(said: str) -> str:
    found = re.search(r"\tbicycles-\d-\w+\t", said)
    assert found, said
    return found[0].strip()

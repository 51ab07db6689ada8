"""A crawl on real Scrapyd nodes, driven by `scrapy fleet`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from focused.agreement import FOLDER
from focused.assemble import Assembly
from focused.fleet.egg import PACKAGES
from focused.settings import CONCURRENT_REQUESTS
from focused.webs import open_web
from tests.focused.fleet.running import ROOT, RunningNode, fleet, scrapy, until
from tests.focused.test_agreement import WEB, settings_of, topic_in
from tests.rig.check import rows
from tests.rig.postgres import server

Table = list[list[str]]  # node, worker, job, state
UP = {"pending", "running"}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RunningNode]]:
    folder = tmp_path_factory.mktemp("nodes")
    nodes = [RunningNode(folder / name) for name in ("one", "two")]
    yield nodes
    for node in nodes:
        node.kill()


@pytest.fixture(scope="module")
def topic(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The user's own, so that the egg must carry it: a node could not find it by its name."""
    path = tmp_path_factory.mktemp("lists") / "bicycles.toml"
    path.write_text('query = "cycling, bicycles and bicycle races"\n[sim]\ntopic = "recreation/cycling"\n')
    return str(path)


class Project:
    """The commands of a user in one data directory."""

    def __init__(self, data: Path, *options: str) -> None:
        self.folder = data / "bicycles"
        self.options = ("-s", f"FOCUSED_DATA_DIR={data}", *options)

    def fleet(self, *words: str) -> Table:
        said = fleet(*words, *self.options)
        assert said.status == 0, said.out + said.err
        return [line.split("\t") for line in said.out.splitlines() if line.startswith("http")]

    def exported(self) -> int:
        """Lines of what is exported."""
        return scrapy("export", "bicycles", "-o", "-", *self.options).stdout.count("\n")

    def items(self) -> list[str]:
        """What all workers have written."""
        return [line for path in self.folder.glob("pages*.jsonl") for line in path.read_text().splitlines()]


def states(table: Table) -> list[str]:
    return [state for _, _, _, state in table]


def test_a_killed_node_loses_its_job_and_fleet_up_goes_on_with_it(
    nodes: list[RunningNode], topic: str, tmp_path: Path
) -> None:
    node, project = nodes[0], Project(tmp_path / "crawls")

    def pages() -> int:
        return len(rows(project.folder / "crawl.db", "SELECT 1 FROM page WHERE visit IS NOT NULL"))

    assert {*states(project.fleet("up", topic, "--nodes", node.url, "-a", "web=sim:small"))} <= UP
    until(lambda: len(project.items()) >= 20, "the worker fetches")
    node.kill()
    assert states(project.fleet("status", "bicycles")) == ["no answer"]
    had = pages()
    node.start()
    assert states(project.fleet("status")) == ["gone"]
    # The same command without its options: what was asked for before is remembered, what is given now comes on top.
    [[_, _, job, _]] = project.fleet("up", topic, "-s", f"FOCUSED_MAX_PAGES={had + 30}")
    until(lambda: node.node.states()[job] == "finished", "the crawl ends")
    assert (states(project.fleet("status", "bicycles")), pages()) == (["finished"], had + 30)
    assert len(project.items()) == len(set(project.items())) == had + 30
    assert project.exported() == had + 30


def test_two_nodes_share_one_crawl_through_postgresql(nodes: list[RunningNode], topic: str, tmp_path: Path) -> None:
    store = server().fresh()
    project = Project(tmp_path / "crawls", "-s", f"FOCUSED_STORE={store}")
    addresses = ",".join(node.url for node in nodes)

    def ask(query: str) -> list[Any]:
        with psycopg.connect(store) as database:
            return database.execute(query).fetchall()  # type: ignore[call-overload, no-any-return]

    def by_worker() -> list[int]:
        if ask("SELECT to_regclass('bicycles.page')") == [(None,)]:
            return []
        return [pages for (pages,) in ask("SELECT count(visit) FROM bicycles.page WHERE visit > 0 GROUP BY worker_id")]

    started = project.fleet("up", topic, "--nodes", addresses, "-a", "web=sim:small")
    assert [node for node, *_ in started] == [node.url for node in nodes], "a worker each"
    until(lambda: len(by_worker()) == 2, "both workers fetch")
    assert [job for _, _, job, _ in project.fleet("up", topic)] == [job for _, _, job, _ in started], "left alone"
    assert states(project.fleet("down", "bicycles")) == ["stopped", "stopped"]
    assert ask("SELECT count(*) FROM bicycles.page WHERE state = 1") == [(0,)], "what was leased has been given back"

    had = sum(by_worker())
    again = project.fleet("up", topic, "-s", f"FOCUSED_MAX_PAGES={had + 40}")
    for node, (_, _, job, _) in zip(nodes, again, strict=True):
        until(lambda node=node, job=job: node.node.states()[job] == "finished", f"{job} ends")  # type: ignore[misc]
    assert states(project.fleet("status", "bicycles")) == ["finished", "finished"]
    # A limit may be passed by what is under way; but each page is had once, and written once.
    [(pages, urls)] = ask("SELECT count(visit), count(DISTINCT url) FROM bicycles.page WHERE visit > 0")
    assert had + 40 <= pages <= had + 40 + len(nodes) * CONCURRENT_REQUESTS
    assert f"Pages: {pages:,}," in fleet("status", "bicycles", *project.options).out
    assert urls == len(project.items()) == len(set(project.items())) == project.exported() == pages


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of one's own, in which commands are given, with a topic that has example pages."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name in (*PACKAGES, "setup.py", "scrapy.cfg"):
        (folder / name).symlink_to(ROOT / name)
    topic_in(folder / "topics/birds")
    monkeypatch.chdir(folder)
    return folder


def test_examples_and_a_trained_model_reach_nodes_that_have_neither_through_the_store_alone(
    nodes: list[RunningNode], project: Path
) -> None:
    store = server().fresh()
    trained = scrapy("train", "birds", cwd=project)
    assert trained.returncode == 0, trained.stderr
    # Written so that the nodes seem to be other machines: they get no folder of this one, and use their own.
    addresses = ",".join(node.url.replace("127.0.0.1", "127.1") for node in nodes)
    shared = ("-s", f"FOCUSED_STORE={store}")
    assert fleet("up", "birds", "--nodes", addresses, "-a", f"web={WEB}", *shared).status == 0
    until(lambda: len({worker for _, _, worker in judged(store)}) == 2, "both workers fetch")
    assert fleet("down", "birds").status == 0
    said = fleet("up", "birds", "-s", f"FOCUSED_MAX_PAGES={len(judged(store)) + 30}")
    jobs = [line.split("\t")[2] for line in said.out.splitlines() if line.startswith("http")]
    for node, job in zip(nodes, jobs, strict=True):
        until(lambda node=node, job=job: node.node.states()[job] == "finished", f"{job} ends")  # type: ignore[misc]
        assert node.node.last_words("topic", job) == ""
        there = node.folder / "crawls/birds"
        assert not (there / "model").exists(), "nothing was trained there"
        assert [*there.glob(f"{FOLDER}/*/model/manifest.json")], "the model was brought there"

    here, web = Assembly(settings_of(project / "crawls", "birds", ""), open_web(WEB)), open_web(WEB)
    for url, relevance, _ in judged(store):
        assert here.model.judge(here.reader.read(url, web.fetch(url).body)).relevance == pytest.approx(relevance)
    exported = scrapy("export", "birds", "-o", "-", *shared, cwd=project)
    assert {json.loads(line)["url"] for line in exported.stdout.splitlines()} >= {url for url, *_ in judged(store)}


def judged(store: str) -> list[tuple[str, float, int]]:
    """Pages of the crawl `birds`: URL, relevance, worker."""
    with psycopg.connect(store, options="-c search_path=birds") as db:
        if db.execute("SELECT to_regclass('page')").fetchone() == (None,):
            return []
        return db.execute("SELECT url, relevance, worker_id FROM page WHERE visit > 0 AND outcome = 'ok'").fetchall()

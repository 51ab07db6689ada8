"""What a real Scrapyd node answers, and the sentences that its refusals become."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import urllib3

from focused.fleet.access import Access
from focused.fleet.node import EmptyNode, Node, Order, SilentNode
from tests.focused.fleet.running import ACCESS, ENV, ROOT, RunningNode, free_port, refusal, scrapy, until

ORDER = Order("topic", {"topic": "cycling", "web": "sim:small"}, {"FOCUSED_MAX_PAGES": "5"})


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    running = RunningNode(tmp_path_factory.mktemp("nodes") / "one")
    yield running
    running.kill()


@pytest.fixture(scope="module")
def deployed(running: RunningNode, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The version that `scrapyd-deploy` brings to the node, out of a copy of the project."""
    with pytest.raises(EmptyNode, match="has no project 'focused': bring it there with `scrapy fleet up TOPIC`"):
        running.node.states()
    folder = tmp_path_factory.mktemp("clone")
    for name in ("focused", "middlewares", "models", "spiders"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "setup.py", folder)
    target = (ROOT / "scrapy.cfg").read_text().replace("http://127.0.0.1:6800/", f"{running.url}/")
    (folder / "scrapy.cfg").write_text(target)
    command = [str(Path(sys.executable).parent / "scrapyd-deploy"), "--version", "1-by-hand"]
    done = subprocess.run(command, cwd=folder, env=ENV, capture_output=True, text=True)
    spiders = len(list((folder / "spiders").glob("[a-z]*.py")))
    assert f'"spiders": {spiders}, "status": "ok"' in done.stdout, done.stdout + done.stderr
    return "1-by-hand"


def test_scrapyd_deploy_brings_the_project_and_a_job_runs_out_of_the_egg(running: RunningNode, deployed: str) -> None:
    assert running.node.version_of("by-hand") == deployed
    assert running.node.version_of("0000000000000000") is None
    running.node.schedule("job-1", deployed, ORDER)
    assert running.node.states()["job-1"] in ("pending", "running", "finished")
    until(lambda: running.node.states()["job-1"] == "finished", "the job ends")
    items = running.folder / "crawls/cycling/pages.jsonl"
    assert (running.node.last_words("topic", "job-1"), items.read_text().count("\n")) == ("", 5)


def test_what_went_wrong_in_a_job_can_be_asked_for(running: RunningNode, deployed: str) -> None:
    running.node.schedule("job-2", deployed, Order("topic", {"topic": "nonesuch"}, {}))
    until(lambda: running.node.states()["job-2"] == "finished", "the job ends")
    assert "Topic 'nonesuch' was not found" in running.node.last_words("topic", "job-2")


def test_a_spider_that_is_not_there_is_one_sentence(running: RunningNode, deployed: str) -> None:
    order = Order("nonesuch", {}, {})
    assert (
        refusal(running.node.schedule, "x", deployed, order) == f"{running.url} refuses: spider 'nonesuch' not found."
    )


def test_an_egg_that_cannot_run_is_one_sentence(running: RunningNode, deployed: str, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/__init__.py").write_text("import selectolax_of_another_world")
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\n"
        "setup(name='focused', packages=['broken'], entry_points={'scrapy': ['settings = broken']})"
    )
    subprocess.run([sys.executable, "setup.py", "-q", "bdist_egg"], cwd=tmp_path, check=True, capture_output=True)
    egg = next((tmp_path / "dist").glob("*.egg")).read_bytes()
    said = refusal(running.node.add, "2-broken", egg)
    assert "cannot run the project (ModuleNotFoundError: No module named 'selectolax_of_another_world')" in said


def test_nobody_enters_without_the_password(running: RunningNode) -> None:
    assert urllib3.request("GET", f"{running.url}/daemonstatus.json").status == 401
    for access in (Access("focused", "wrong"), Access("", "")):
        said = refusal(Node(running.url, access).states)
        assert "refuses user" in said and "set SCRAPYD_USERNAME and SCRAPYD_PASSWORD" in said


def test_a_node_does_not_start_without_a_password(tmp_path: Path) -> None:
    shutil.copy(ROOT / "scrapyd.conf", tmp_path)
    env = {name: value for name, value in ENV.items() if not name.startswith("SCRAPYD_")}
    command = [sys.executable, "-m", "scrapyd", "--pidfile="]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0 and "give_it_as_SCRAPYD_PASSWORD" in done.stdout + done.stderr


def test_a_node_listens_to_this_machine_only(running: RunningNode) -> None:
    log = (running.folder.parent / "one.log").read_text()
    assert f"available at http://127.0.0.1:{running.port}/" in log


def test_a_port_in_use_is_one_sentence(running: RunningNode, tmp_path: Path) -> None:
    done = scrapy("fleet", "node", "--port", str(running.port), "--folder", str(tmp_path / "two"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and "cannot be used" in done.stderr
    assert not (tmp_path / "two").exists()


def test_an_address_where_nobody_answers_is_one_sentence() -> None:
    with pytest.raises(SilentNode, match=r"does not answer \(.*refused\): start it with `scrapy fleet node`"):
        Node(f"http://127.0.0.1:{free_port()}", ACCESS).states()


def test_an_address_of_something_else_is_one_sentence() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.handle_request).start()
        said = refusal(Node(f"http://127.0.0.1:{server.server_port}", ACCESS).states)
    assert "is no Scrapyd node (it answers with status 501): correct --nodes." in said

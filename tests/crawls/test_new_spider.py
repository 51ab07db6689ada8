"""A spider as `scrapy genspider` makes it runs at once: its query is its topic, for every command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig.check import meta, pages_done, rows
from tests.rig.plan import Shape
from tests.rig.postgres import server
from tests.rig.run import QUICK
from tests.rig.web import ROOT, LoopbackWeb

NAME = "bicycle_trail"  # no topic has this name; the web's pages have its words
SETTINGS = {**QUICK, "SPIDER_MODULES": "mine", "NEWSPIDER_MODULE": "mine"}


@pytest.fixture(scope="module")
def web() -> Iterator[LoopbackWeb]:
    with LoopbackWeb(Shape(pages=60, sites=4, missing=0, moved=0)) as running:
        yield running


def scrapy(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(folder)])
    env = {**os.environ, "PYTHONPATH": path, "SCRAPY_SETTINGS_MODULE": "focused.settings"}
    settings = [word for name, value in SETTINGS.items() for word in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", *map(str, words), *settings]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=280)


@pytest.fixture(scope="module")
def source(web: LoopbackWeb, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The spider's file, as it is made in a project that has nothing else."""
    folder = project(tmp_path_factory.mktemp("made"))
    done = scrapy(folder, "genspider", "-t", "focused", NAME, web.url(0))
    assert done.returncode == 0, done.stderr
    return (folder / f"mine/{NAME}.py").read_text()


def project(folder: Path, source: str = "") -> Path:
    (folder / "mine").mkdir(parents=True)
    (folder / "mine/__init__.py").write_text("")
    if source:
        (folder / f"mine/{NAME}.py").write_text(source)
    return folder


def test_a_new_spider_crawls_and_resumes_and_is_asked_about(source: str, tmp_path: Path) -> None:
    assert len(source.splitlines()) <= 15
    project(tmp_path, source)
    db = tmp_path / f"crawls/{NAME}/crawl.db"
    for limit in (20, 45):
        done = scrapy(tmp_path, "crawl", NAME, "-a", f"max_pages={limit}")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert len(pages_done(db)) == limit
    assert 0 < len(rows(db, "SELECT url FROM relevant_page")) < 45, "the words of its name tell pages apart"
    assert meta(db, "topic") == NAME
    page = tmp_path / "page.html"
    page.write_text("<p>A bicycle trail.</p>")
    last = rows(db, "SELECT url FROM page ORDER BY visit DESC LIMIT 1")[0][0]
    for words in (["report", NAME], ["explain", NAME, last], ["judge", NAME, page], ["freeze", NAME]):
        done = scrapy(tmp_path, *words)
        assert (done.returncode, done.stderr) == (0, ""), f"{words}: {done.stderr}"
        assert "cannot be told" not in done.stdout, done.stdout
        assert words[0] != "judge" or "bicycl" in done.stdout, done.stdout


def test_a_changed_query_holds_from_the_next_run_on(source: str, tmp_path: Path) -> None:
    project(tmp_path, source)
    db = tmp_path / "crawls/other/crawl.db"
    crawl = ("crawl", NAME, "-s", "FOCUSED_CRAWL=other", "-a")
    assert scrapy(tmp_path, *crawl, "max_pages=15").returncode == 0
    (tmp_path / f"mine/{NAME}.py").write_text(source.replace(f'query = "{NAME}"', 'query = "zeppelin"'))
    before = len(rows(db, "SELECT url FROM relevant_page"))
    assert scrapy(tmp_path, *crawl, "max_pages=40").returncode == 0
    assert len(rows(db, "SELECT url FROM relevant_page")) == before > 0, "no page is about zeppelins"


@pytest.mark.parametrize("mistake", ["ordering=luckiest_first", "topic=bicycle_trial"])
def test_a_mistake_leaves_nothing_behind(source: str, tmp_path: Path, mistake: str) -> None:
    project(tmp_path, source)
    done = scrapy(tmp_path, "crawl", NAME, "-a", mistake)
    assert done.returncode == 1 and mistake.partition("=")[2] in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "crawls").exists()


def test_without_seeds_it_is_the_spider_that_lacks_them(source: str, tmp_path: Path) -> None:
    lines = [line for line in source.splitlines() if "start_urls" not in line]
    done = scrapy(project(tmp_path, "\n".join(lines)), "crawl", NAME)
    assert done.returncode == 1 and "give the spider start_urls" in done.stderr, done.stderr
    assert not (tmp_path / "crawls").exists()


def test_a_topic_file_of_its_name_comes_first_and_is_named(source: str, tmp_path: Path) -> None:
    project(tmp_path, source)
    file = tmp_path / f"topics/{NAME}/topic.toml"
    file.parent.mkdir(parents=True)
    file.write_text('query = "zeppelin"\n')
    done = scrapy(tmp_path, "crawl", NAME, "-a", "max_pages=15")
    assert done.returncode == 0
    assert "Pages: 15, relevant: 0," in done.stdout, done.stdout
    assert f"goes by the topic in topics/{NAME}/topic.toml, not by the query" in done.stderr


def test_workers_with_a_shared_store_go_by_one_query(web: LoopbackWeb, source: str, tmp_path: Path) -> None:
    store = ("-s", f"FOCUSED_STORE={server().fresh()}")
    for folder, limit in (("first", 15), ("second", 30)):
        done = scrapy(project(tmp_path / folder, source), "crawl", NAME, *store, "-a", f"max_pages={limit}")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert f"Pages: {limit}" in done.stdout, done.stdout
    asked = scrapy(project(tmp_path / "third"), "explain", NAME, web.url(0), *store)
    assert asked.returncode == 0 and "cannot be told" not in asked.stdout, asked.stdout + asked.stderr

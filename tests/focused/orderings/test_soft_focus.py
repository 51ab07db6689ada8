"""focused.orderings.soft_focus: real crawls with distilled hubs and promotions, whole and in pieces."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = "promote_every=40,hubs=30,rho=0.5"


def crawl(folder: Path, pages: int, *more: str) -> None:
    words = f"-m scrapy crawl topic -a topic=cycling -a web=sim:small,seed=3 -a max_pages={pages}".split()
    words += ["-a", "ordering=soft_focus", "-a", f"ordering_args={ARGUMENTS}", "-s", f"FOCUSED_DATA_DIR={folder}"]
    words += ["-s", "FOCUSED_REVISE_EVERY=20", "-s", "FOCUSED_PROGRESS=0", *more]
    subprocess.run([sys.executable, *words], check=True, capture_output=True, timeout=280)


def ask(folder: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "cycling" / "crawl.db")) as db:
        return db.execute(sql).fetchall()


VISITS = "SELECT url, score FROM page WHERE visit IS NOT NULL ORDER BY visit"
HUBS = "SELECT * FROM hub ORDER BY page_id"
EVENTS = "SELECT kind, detail FROM event ORDER BY rowid"
PROMOTED = "SELECT page_id, hub_id FROM promotion"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    crawl(folder, 200, "-s", "FOCUSED_STRICT_ORDER=1")
    return folder


def test_hubs_are_distilled_and_promote(whole: Path) -> None:
    assert sum(row[1] for row in ask(whole, HUBS)) == pytest.approx(1.0)  # hub
    assert sum(row[2] for row in ask(whole, HUBS)) == pytest.approx(1.0)  # authority
    assert {row[3] for row in ask(whole, HUBS)} == {200}
    promoted = ask(whole, PROMOTED)
    assert promoted
    links = {(source, target) for source, target in ask(whole, "SELECT source_id, target_id FROM link")}
    sites = dict(ask(whole, "SELECT id, site_id FROM page"))
    assert all((hub, page) in links and sites[hub] != sites[page] for page, hub in promoted)


def test_promoted_pages_come_next_and_are_counted(whole: Path) -> None:
    fetched, relevant = ask(whole, "SELECT count(visit), sum(relevant) FROM promotion")[0]
    assert fetched > 0 and relevant is not None


def test_a_crawl_in_two_runs_goes_the_same_way_and_finds_the_same_hubs(whole: Path, tmp_path: Path) -> None:
    for pages in (109, 200):
        crawl(tmp_path, pages, "-s", "FOCUSED_STRICT_ORDER=1")
    for sql in (VISITS, HUBS, EVENTS):
        assert ask(tmp_path, sql) == ask(whole, sql)


def test_beside_a_running_crawl_hubs_are_distilled_too(tmp_path: Path) -> None:
    crawl(tmp_path, 200)
    assert ask(tmp_path, HUBS) and ask(tmp_path, PROMOTED)

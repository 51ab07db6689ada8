"""One worker on PostgreSQL fetches what it would on SQLite, in the same order, whatever the ordering; and resumes."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

import pytest
from scrapy.settings import Settings

from focused import settings as project
from focused.assemble import Assembly
from focused.crawl import Crawl
from focused.discovery import Asked
from focused.outputs import Exchange
from focused.urls import key_of
from focused.visit import Visit
from focused.webs import open_web
from tests.rig.postgres import server

WEB = "sim:small,seed=3"
PAGES = 40
TOPICS = {"xcrawl": "cameras", "apprentice": "cameras"}
WEBS = {"cameras": "sim:catalogue,seed=3"}
TOPIC = """query = "recreational cycling, mountain biking, bicycle clubs"
[sim]
topic = "recreation/cycling"
"""


def assembly(folder: Path, ordering: str, store: str, **given: object) -> Assembly:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    topic = TOPICS.get(ordering, str(folder / "topic.toml"))
    web = WEBS.get(topic, WEB)
    usual = {
        "FOCUSED_TOPIC": topic, "FOCUSED_WEB": web, "FOCUSED_ORDERING": ordering, "FOCUSED_STORE": store,
        "FOCUSED_STRICT_ORDER": 1, "FOCUSED_REVISE_EVERY": 20, "FOCUSED_DATA_DIR": str(folder),
        "FOCUSED_SITE_BUDGET": "9", "FOCUSED_CRAWL": f"{ordering}{'_shared' * bool(store)}",
    }  # fmt: skip
    settings.setdict({**usual, **given}, priority="cmdline")
    return Assembly(settings, open_web(web))


def opened(folder: Path, ordering: str, store: str, **given: object) -> tuple[Assembly, Crawl]:
    parts = assembly(folder, ordering, store, **given)
    crawl = parts.crawl()
    assert parts.web is not None
    for url in parts.web.seeds(parts.topic.sim["topic"], 3, 0):
        crawl.ask(Asked(url, key_of(url)))
    return parts, crawl


def order(folder: Path, ordering: str, store: str = "") -> list[str]:
    """What is fetched; in the middle the process dies, and another goes on."""
    asked: list[str] = []
    for until in (PAGES // 2, PAGES):
        parts, crawl = opened(folder, ordering, store)
        while len(asked) < until and (visit := crawl.next()):
            crawl.commit()
            asked.append(visit.url)
            fetch(crawl, visit, parts)
        if until == PAGES:
            crawl.close("stopped")
        crawl.outputs.close()
        crawl.store.close()
    return asked


def fetch(crawl: Crawl, visit: Visit, parts: Assembly) -> None:
    assert parts.web is not None
    status, headers, body = parts.web.fetch(visit.url)
    visit.exchange, visit.status, visit.fetched_at = Exchange(visit.url, "GET", [], status, [], body, 1.0), status, 1.0
    if 300 <= status < 400:
        crawl.moved(visit, urljoin(visit.url, headers["Location"]))
    elif status != 200:
        crawl.failed(visit, f"http_{status}")
    else:
        crawl.learn(visit, crawl.reader.read(visit.url, body, headers["Content-Type"], status))
        crawl.finish(visit)
    crawl.commit()


@pytest.mark.parametrize("ordering", sorted(project.FOCUSED_ORDERINGS))
def test_the_order_is_the_same_on_both_stores(tmp_path: Path, ordering: str) -> None:
    (tmp_path / "topic.toml").write_text(TOPIC)
    alone = order(tmp_path, ordering)
    assert order(tmp_path, ordering, server().url()) == alone
    assert len(alone) > PAGES // 2

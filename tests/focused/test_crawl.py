"""The loop without Scrapy: random webs, brute force as the referee, deaths at any moment."""

from __future__ import annotations

import errno
import math
import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scrapy.settings import Settings

from focused.crawl import Crawl
from focused.discovery import Asked
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Ordering, Surroundings
from focused.orderings.best_first import BestFirst
from focused.outputs import Exchange
from focused.page import PageReader
from focused.stop import Stopped
from focused.store.sqlite import SqliteStore
from focused.topic import Topic
from focused.urls import key_of
from focused.visit import Visit
from models.similarity import Similarity
from models.text import Text, Vocabulary

WORDS = ["bicycle", "club", "soup", "garden", "race", "stone"]
SEED = "http://s0.example/0"


class Web:
    """A random graph of pages; links have anchors."""

    def __init__(self, seed: int, pages: int = 14, sites: int = 4) -> None:
        rng = random.Random(seed)
        self.urls = [f"http://s{rng.randrange(sites) if n else 0}.example/{n}" for n in range(pages)]
        self.bodies = {url: self._body(rng) for url in self.urls}

    def _body(self, rng: random.Random) -> bytes:
        links = [f'<a href="{rng.choice(self.urls)}">{rng.choice(WORDS)} {rng.choice(WORDS)}</a>' for _ in range(4)]
        return f"<title>t</title><p>{' '.join(rng.choices(WORDS, k=6))} {' '.join(links)}</p>".encode()


def opened(folder: Path, ordering: Ordering | None = None, **given: Any) -> Crawl:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    settings.setdict({"FOCUSED_STRICT_ORDER": 1, "DOWNLOAD_DELAY": 0, **given}, priority="cmdline")
    vocabulary = Vocabulary((100, {}))
    model = Similarity(vocabulary, "bicycle club race")
    ordering = ordering or BestFirst()
    ordering.bind(Surroundings(Topic("t", "bicycle club race"), model, 0, vocabulary, LinkGraph()))
    settings.set("FOCUSED_DATA_DIR", str(folder.parent), priority="cmdline")
    options = Options.read(settings, folder.name)
    folder.mkdir(exist_ok=True)
    crawl = Crawl(options, SqliteStore(folder / "crawl.db"), ordering, model, PageReader(vocabulary))
    crawl.ask(Asked(SEED, key_of(SEED)))
    return crawl


def fetched(crawl: Crawl, visit: Visit, web: Web) -> None:
    body = web.bodies[visit.url]
    visit.exchange = Exchange(visit.url, "GET", [], 200, [], body, 0.0)
    crawl.learn(visit, crawl.reader.read(visit.url, body, "text/html"))


def brute_force(web: Web) -> list[str]:
    """Best first, exactly: the best link known, and among equals the one found first."""
    vocabulary = Vocabulary((100, {}))
    model, reader = Similarity(vocabulary, "bicycle club race"), PageReader(vocabulary)
    found: dict[str, tuple[float, int]] = {SEED: (math.inf, 0)}
    order: list[str] = []
    while waiting := [(-score, number, url) for url, (score, number) in found.items() if url not in order]:
        url = min(waiting)[2]
        order.append(url)
        page = reader.read(url, web.bodies[url], "text/html")
        relevance = model.judge(page).relevance
        for link in page.links:
            score = (relevance + model.judge(Text(vocabulary, link.anchor)).relevance) / 2
            old, number = found.get(link.url, (-math.inf, len(found)))
            found[link.url] = (max(old, score), number)
    return order


def crawled(folder: Path, web: Web, deaths: list[int]) -> list[str]:
    """The order of the pages; after so many steps the process dies, before or after it has the page."""
    crawl = opened(folder)
    for step in range(10_000):
        visit = crawl.next()
        if visit is None:
            break
        if 2 * step in deaths:
            crawl.abandon()
            crawl = opened(folder)
            continue
        fetched(crawl, visit, web)
        crawl.finish(visit)
        if 2 * step + 1 in deaths:
            crawl.abandon()
            crawl = opened(folder)
    crawl.close("finished")
    lines = (folder / "pages.jsonl").read_text().splitlines()
    crawl.abandon()
    assert lines == []
    return visited(folder)


def visited(folder: Path) -> list[str]:
    store = SqliteStore(folder / "crawl.db")
    rows = store._db.execute("SELECT url FROM page WHERE visit IS NOT NULL ORDER BY visit").fetchall()
    store.close()
    return [row[0] for row in rows]


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.lists(st.integers(0, 30), max_size=6))
@example(1126, [2])  # words met in another order after the death: sums may differ in their last bit
def test_the_order_is_that_of_brute_force_through_any_deaths(seed: int, deaths: list[int]) -> None:
    web = Web(seed)
    with tempfile.TemporaryDirectory() as folder:
        assert crawled(Path(folder) / "crawl", web, deaths) == brute_force(web)


def test_a_failed_link_waits_then_is_given_up_and_the_ordering_hears_of_it(tmp_path: Path) -> None:
    crawl = opened(tmp_path / "c", FOCUSED_MAX_TRIES=2)
    heard: list[tuple[str, str]] = []
    crawl.ordering.failed = lambda page_id, url, outcome: heard.append((url, outcome))  # type: ignore[method-assign]
    visit = crawl.next()
    assert visit is not None
    crawl.failed(visit, "timeout", retry_after=0.0)
    again = crawl.next()
    assert (again is not None and again.tries, heard) == (2, [])
    assert again is not None
    crawl.failed(again, "timeout")
    assert heard == [(SEED, "timeout")]
    assert crawl.stop_reason() == "finished"
    crawl.abandon()


def test_a_redirect_is_a_link_one_hop_further_and_chains_end(tmp_path: Path) -> None:
    crawl = opened(tmp_path / "c")
    hops = []
    for number in range(10):
        visit = crawl.next()
        if visit is None:
            break
        hops.append(visit.hops)
        visit.exchange = Exchange(visit.url, "GET", [], 301, [], b"", 0.0)
        crawl.moved(visit, f"http://s0.example/moved/{number}")
    assert hops == [0, 1, 2, 3, 4, 5]
    crawl.abandon()


def test_the_database_never_speaks_of_what_an_output_could_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web, crawl = Web(1), opened(tmp_path / "crawl")
    visit = crawl.next()
    assert visit is not None
    crawl.commit()
    fetched(crawl, visit, web)
    crawl.finish(visit)

    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(crawl.outputs.warc, "flush", full)
    with pytest.raises(Stopped, match="disk_full"):
        crawl.commit()
    with closing(sqlite3.connect(tmp_path / "crawl/crawl.db")) as db:
        assert db.execute("SELECT count(*) FROM page WHERE visit IS NOT NULL").fetchone() == (0,)
    crawl.abandon()


def test_a_visit_ends_only_once(tmp_path: Path) -> None:
    web = Web(1)
    crawl = opened(tmp_path / "c")
    visit = crawl.next()
    assert visit is not None
    fetched(crawl, visit, web)
    crawl.finish(visit)
    crawl.failed(visit, "timeout")
    crawl.postpone(visit, 0.0)
    crawl.finish(visit)
    assert (crawl.progress.pages, crawl.progress.failed) == (1, 0)
    crawl.abandon()


def test_a_page_that_asks_not_to_be_kept_is_not_kept(tmp_path: Path) -> None:
    crawl = opened(tmp_path / "c")
    visit = crawl.next()
    assert visit is not None
    body = b'<meta name="robots" content="noindex"><p>bicycle club race <a href="/1">race</a></p>'
    visit.exchange = Exchange(visit.url, "GET", [], 200, [], body, 0.0)
    visit.items = [{"url": visit.url}]
    crawl.learn(visit, crawl.reader.read(visit.url, body, "text/html"))
    crawl.finish(visit)
    crawl.commit()
    assert (crawl.outputs.warc.size, crawl.outputs.jsonl.size) == (0, 0)
    assert crawl.progress.relevant == 0
    following = crawl.next()
    assert following is not None and following.url == "http://s0.example/1"
    crawl.abandon()


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_a_limit_counts_what_is_under_way(tmp_path: Path, limit: int) -> None:
    crawl = opened(tmp_path / "c", FOCUSED_MAX_PAGES=limit, FOCUSED_STRICT_ORDER=0, CONCURRENT_REQUESTS_PER_DOMAIN=50)
    for number in range(20):
        crawl.ask(Asked(f"http://s0.example/x{number}", number))
    begun = 0
    while crawl.next() is not None:
        begun += 1
    assert begun == limit
    crawl.abandon()


@pytest.mark.parametrize(("heard", "rest", "until"), [(100.0, 0.0, 130.0), (None, 0.0, 137.0), (100.0, 50.0, 157.0)])
def test_a_site_rests_from_the_moment_it_began_to_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heard: float | None, rest: float, until: float
) -> None:
    """Where nobody saw that, from when all was there; a longer rest that was asked for counts from then, too."""
    crawl = opened(tmp_path / "c", DOWNLOAD_DELAY=30)
    crawl.ask(Asked(SEED, key_of(SEED)))
    visit = crawl.next()
    assert visit is not None
    visit.heard, visit.answered = heard, 107.0
    monkeypatch.setattr("focused.state.time.monotonic", lambda: 108.0)
    crawl.postpone(visit, rest)
    assert crawl.state.frontier.ready_at(visit.site_id) == until
    crawl.abandon()

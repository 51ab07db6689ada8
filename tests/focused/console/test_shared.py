"""The console of a crawl on PostgreSQL, on a machine that has nothing of it: no topic, no model, no files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from focused.console.rendering import marked
from focused.store.fulltext import SearchIndex
from focused.store.queries import Reading
from focused.webs.texts import Texts
from tests.focused.console.running import Console, browsing, crawl, running, until
from tests.rig.postgres import PostgresServer

NAME = "bicycles"
PAGES = 40
TOPIC = 'query = "cycling, bicycles and bicycle races"\n[sim]\ntopic = "recreation/cycling"\n'


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """Its own: it is stopped in the end."""
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(scope="module")
def crawled(server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the worker ran."""
    folder = tmp_path_factory.mktemp("worker")
    topic = folder / f"topics/{NAME}/topic.toml"
    topic.parent.mkdir(parents=True)
    topic.write_text(TOPIC)
    assert crawl(folder, NAME, PAGES, "-s", f"FOCUSED_STORE={server.url()}").wait() == 0
    return folder


@pytest.fixture(scope="module")
def console(server: PostgresServer, crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    with running(tmp_path_factory.mktemp("elsewhere"), store=server.url()) as found:
        yield found


def relevant(server: PostgresServer) -> list[tuple[int, str]]:
    with psycopg.connect(server.url(), options=f"-c search_path={NAME}") as db:
        return db.execute("SELECT id, url FROM relevant_page").fetchall()


def test_the_start_page_lists_the_crawls_of_the_store(console: Console) -> None:
    text = console.get("/").text
    assert f'<a href="/crawls/{NAME}">{NAME}</a>' in text and "best_first" in text
    missing = console.get("/crawls/none")
    assert missing.status == 404 and "There is no crawl &#39;none&#39; in the shared store." in missing.text


def test_monitor_results_and_files_are_there(console: Console, server: PostgresServer) -> None:
    assert f"topic {NAME}, ordering best_first" in console.get(f"/crawls/{NAME}").text
    text = console.get(f"/crawls/{NAME}/results").text
    assert "<h2>Best pages</h2>" in text and "<h2>Best sites</h2>" in text
    assert console.get(f"/crawls/{NAME}/download?format=jsonl").text.count("\n") == PAGES
    table = console.get(f"/crawls/{NAME}/download?format=csv&relevant=1").text
    assert table.count("\r\n") == 1 + len(relevant(server))


def test_words_of_the_texts_are_found_where_no_warc_is(console: Console, server: PostgresServer, crawled: Path) -> None:
    """The same pages, with the same passages, as search.db finds where the worker ran."""
    with Reading(server.url(), crawled / f"crawls/{NAME}") as reading:
        index = SearchIndex(reading)
        index.grow(Texts(reading), lambda: True)
        words = [*_only_in_texts(reading), '"bicycle"', "zebra"]
        wanted = {word: {(hit.url, str(marked(hit.snippet))) for hit in index.search(word)} for word in words}
    assert wanted[words[0]]
    assert not wanted["zebra"]
    for word, hits in wanted.items():
        text = console.get(f"/crawls/{NAME}/results?q={quote(word)}").text
        assert f">{len(hits)} page{'s' * (len(hits) != 1)}" in text
        assert all(url in text and passage in text for url, passage in hits), word
    assert not list(console.folder.rglob("*.warc.gz")) + list(console.folder.rglob("search.db"))


def _only_in_texts(reading: Reading) -> list[str]:
    """Some words that are in no title and no address."""
    known = " ".join(f"{page[0]} {page[1]}" for page in reading.pages()).lower()
    texts = reading._all("SELECT text FROM page_text ORDER BY page_id")
    words = (word for (text,) in texts for word in text.lower().split() if word.isalpha() and word[:4] not in known)
    return list(islice(dict.fromkeys(words), 3))


def test_a_page_is_explained_with_the_parts_of_its_score_by_the_topic_that_the_store_holds(
    console: Console, server: PostgresServer
) -> None:
    page, url = relevant(server)[0]
    for path in (f"explain?page={page}", f"explain?page={page}&parts=1"):
        text = console.get(f"/crawls/{NAME}/{path}").text
        assert "fetched as page" in text and url in text
    assert "A seed has no score" in text or "not recorded here" in text  # no WARC is here
    assert (console.folder / f"crawls/{NAME}/brought").is_dir()


def test_a_topic_that_is_not_here_is_one_sentence(console: Console) -> None:
    answer = console.get(f"/topics/{NAME}")
    assert answer.status == 404 and f"There is no topic &#39;{NAME}&#39;" in answer.text
    assert console.get("/topics/cycling").status == 200


def test_a_browser_shows_the_monitor_and_its_plot(console: Console) -> None:
    with browsing(console) as page:
        page.goto(f"{console.address}/crawls/{NAME}")
        until(lambda: page.locator(".scatterlayer .point").count() > 0)
        assert f"{PAGES} pages" in " ".join(page.inner_text("body").split())
        page.click("text=Results")
        assert page.locator("h2", has_text="Best pages").count() == 1


def test_a_server_that_is_gone_is_one_sentence(console: Console, server: PostgresServer) -> None:
    """The last: nothing is there afterwards."""
    server.stop()
    for path in ("/", f"/crawls/{NAME}", f"/crawls/{NAME}/results"):
        answer = console.get(path)
        assert answer.status == 400 and "cannot be reached" in answer.text and "Traceback" not in answer.text

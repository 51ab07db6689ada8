"""The texts in the shared store are those of the pages that were recorded, whoever had them and whoever died."""

from __future__ import annotations

import shutil
from pathlib import Path

from focused.outputs import Exchange
from focused.store.fulltext import CHARACTERS, NewPage
from focused.store.queries import Reading
from focused.store.shared_search import index_of
from focused.visit import Visit
from focused.webs.texts import Texts
from tests.crawls.test_shared_order import fetch
from tests.crawls.test_two_workers import Worker, killed, leave, step, two
from tests.rig.postgres import server

ORDERING = "best_first"
ROUNDS = 12


def begun(worker: Worker) -> Visit:
    """A visit that is committed to be under way."""
    worker[1].share(at_once=True)
    visit = worker[1].next()
    assert visit is not None
    worker[1].commit()
    return visit


def recorded(database: str, folder: Path) -> tuple[dict[int, str], dict[int, str]]:
    """Texts by page: as the WARCs of both workers have them, and as the store has them."""
    place = folder / f"{ORDERING}_shared"
    place.mkdir()
    for warc in folder.glob(f"*/topic/{ORDERING}_shared/*.warc.gz"):
        shutil.copy(warc, place)
    with Reading(database, place) as reading:
        texts, columns = Texts(reading), f"id, visit, title, url, relevance, warc_offset, {reading.sql.segment}"
        pages = [NewPage(*row) for row in reading._all(f"SELECT {columns} FROM page WHERE visit IS NOT NULL")]
        kept = reading._all("SELECT page_id, text FROM page_text")
        return {page.id: texts(page)[:CHARACTERS] for page in pages}, dict(kept)


def test_pages_and_texts_are_the_same_after_a_death_between_two_commits(tmp_path: Path) -> None:
    database = server().fresh()
    workers = two(tmp_path, database, ORDERING)
    for number in range(ROUNDS):
        if number == ROUNDS // 2:
            visit = begun(workers[1])
            fetch(workers[1][1], visit, workers[1][0])  # had, and never committed
            workers[1] = killed(tmp_path / "second/topic", database, ORDERING, workers[1])
        for parts, crawl in workers:
            step(parts, crawl)
    leave(workers)
    in_files, in_store = recorded(database, tmp_path)
    assert in_store == in_files
    assert len(in_store) > ROUNDS
    assert all(in_store.values())


def test_what_asks_not_to_be_kept_has_no_text_and_what_is_no_html_has_its_own(tmp_path: Path) -> None:
    database = server().fresh()
    workers = two(tmp_path, database, ORDERING)
    crawl = workers[0][1]
    secret = begun(workers[0])
    body = b"<title>A title</title><meta name=robots content=noindex><body>zebra"
    secret.exchange, secret.status = Exchange(secret.url, "GET", [], 200, [], body, 1.0), 200
    crawl.learn(secret, crawl.reader.read(secret.url, body, "text/html", 200))
    crawl.finish(secret)
    crawl.commit()
    plain = begun(workers[0])
    kind = [("Content-Type", "text/plain")]
    plain.exchange, plain.status = Exchange(plain.url, "GET", [], 200, kind, b"giraffe & co", 1.0), 200
    crawl.finish(plain)
    leave(workers)
    in_files, in_store = recorded(database, tmp_path)
    assert in_store == in_files == {secret.id: "", plain.id: "giraffe & co"}
    with Reading(database, tmp_path / f"{ORDERING}_shared") as reading:
        found = {
            word: [hit.page_id for hit in index_of(reading).search(word)] for word in ("zebra", "giraffe", "title")
        }
    assert found == {"zebra": [], "giraffe": [plain.id], "title": [secret.id]}

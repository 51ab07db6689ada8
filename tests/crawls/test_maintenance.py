"""Looks at pages had before over real HTTP: conditions, 304, what is recorded, what a replay and a kill see."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from focused.webs.warc import WarcWeb
from tests.rig.check import db_is_whole, members, meta, rows
from tests.rig.run import Command, Run

PAGES = 30


class FreshWeb:
    """One site, a tree of pages; a page with an even number has an ETag, any other a date, all can change."""

    def __init__(self) -> None:
        self.versions = [0] * PAGES
        self.sent: list[tuple[int, bool, int]] = []  # page, whether the request had a condition, status
        self.pause = 0.0

    def html(self, number: int, url: str) -> str:
        links = [f'<a href="{url}/{n}">cycling</a>' for n in range(2 * number + 1, 2 * number + 3) if n < PAGES]
        if self.versions[number]:
            links.append(f'<a href="{url}/new/{number}/{self.versions[number]}">mountain cycling</a>')
        return f"<title>page {number}</title><p>bicycle club {self.versions[number]} {' '.join(links)}</p>"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        time.sleep(self.pause)
        if handler.path == "/robots.txt":
            return handler.send_error(404)
        number = int(handler.path.split("/")[1]) if handler.path[1:].isdigit() else -1
        name, value, asked = self.validator(number)
        is_known = number >= 0 and handler.headers.get(asked) == value
        body = self.html(number, self.url).encode() if number >= 0 else b"<title>new</title><p>bicycle</p>"
        self.sent.append((number, asked in handler.headers, 304 if is_known else 200))
        handler.send_response(304 if is_known else 200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(0 if is_known else len(body)))
        handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(b"" if is_known else body)

    def validator(self, number: int) -> tuple[str, str, str]:
        version = self.versions[number] if number >= 0 else 0
        if number % 2:
            return "Last-Modified", f"Sun, 06 Nov 1994 08:49:{version:02} GMT", "If-Modified-Since"
        return "ETag", f'W/"{number}-{version}"', "If-None-Match"


@contextmanager
def served() -> Iterator[FreshWeb]:
    web = FreshWeb()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            web.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.7", 0), Handler)
    web.url = f"http://127.0.0.7:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()


def command(folder: Path, web: FreshWeb, **args: object) -> Command:
    topic = folder / "topic.toml"
    topic.write_text(f'query = "bicycle club cycling"\nseeds = {json.dumps([f"{web.url}/0"])}\n')
    return Command(folder / "data", {"topic": topic, **args})


def recorded(data: Path) -> Counter[str]:
    heads = [member.partition(b"\r\n\r\n")[0].decode() for member in members(data / "pages.warc.gz")]
    return Counter(head.partition("WARC-Type: ")[2].split("\r\n")[0] for head in heads)


def test_a_refresh_asks_with_conditions_and_takes_304_for_an_answer(tmp_path: Path) -> None:
    with served() as web:
        first = command(tmp_path, web)
        assert first.run().code == 0
        assert not any(had_condition for _, had_condition, _ in web.sent)
        changed = [0, 3, 8]
        for number in changed:
            web.versions[number] = 1
        web.sent.clear()
        ended = command(tmp_path, web, maintain=1).run()
        assert ended.code == 0 and "every page was looked at again" in ended.out, str(ended)
        assert sorted(number for number, _, _ in web.sent) == list(range(PAGES))
        assert all(had_condition for _, had_condition, _ in web.sent)
        assert sorted(number for number, _, status in web.sent if status == 200) == changed
        told = rows(first.db, "SELECT url FROM page WHERE changes = 1 ORDER BY id")
        assert told == [(f"{web.url}/{number}",) for number in changed]
        assert rows(first.db, "SELECT count(visit), sum(state = 0) FROM page") == [(PAGES, len(changed))]
        assert recorded(first.data) == {"response": PAGES + 3, "request": PAGES + 3, "revisit": PAGES - 3}
        web.sent.clear()
        assert command(tmp_path, web, maintain=1).run().code == 0  # the new validators are known
        assert {status for _, _, status in web.sent} == {304}


def test_a_replay_answers_with_the_newest_version_of_each_page(tmp_path: Path) -> None:
    with served() as web:
        first = command(tmp_path, web)
        first.run()
        for versions in ([1, 0, 0], [1, 2, 0], [3, 2, 0]):
            web.versions[:3] = versions
            assert command(tmp_path, web, maintain=1).run().code == 0
        replay = WarcWeb(str(first.data / "pages.warc.gz"))
        bodies = [replay.fetch(f"{web.url}/{number}").body.decode() for number in range(PAGES)]
        assert bodies == [web.html(number, web.url) for number in range(PAGES)]
        assert replay.faults == {"duplicate_url": 3}  # the older versions


def test_a_kill_in_the_middle_of_a_refresh_loses_and_doubles_nothing(tmp_path: Path) -> None:
    with served() as web:
        first = command(tmp_path, web)
        first.run()
        web.versions = [1] * PAGES
        web.pause = 0.02
        for wanted in (4, 8, 12):
            web.sent.clear()
            with Run(command(tmp_path, web, maintain=1)) as run:
                while run.alive() and len(web.sent) < wanted:
                    time.sleep(0.003)
                assert run.kill().code == -9
            db_is_whole(first.db)
        ended = command(tmp_path, web, maintain=1).run()
        assert ended.code == 0 and meta(first.db, "stop_reason") == "refreshed", str(ended)
        assert rows(first.db, "SELECT DISTINCT changes, revisits, state FROM page WHERE visit") == [(1, 1, 2)]
        assert rows(first.db, "SELECT count(visit), sum(state = 0) FROM page") == [(PAGES, PAGES)]
        assert recorded(first.data) == {"response": 2 * PAGES, "request": 2 * PAGES}
        assert len((first.data / "pages.jsonl").read_text().splitlines()) == 2 * PAGES


def test_a_share_of_soft_focus_looks_at_all_pages_and_follows_what_is_new(tmp_path: Path) -> None:
    with served() as web:
        first = command(tmp_path, web, ordering="soft_focus")
        assert first.run().code == 0
        web.versions = [1] * PAGES
        ended = command(tmp_path, web, ordering="soft_focus", maintain=0.2).run()
        assert ended.code == 0 and "finished" == meta(first.db, "stop_reason"), str(ended)
        assert rows(first.db, "SELECT count(*) FROM page WHERE changes = 1") == [(PAGES,)]
        assert rows(first.db, "SELECT count(visit) FROM page WHERE url LIKE '%/new/%'") == [(PAGES,)]


def test_a_refresh_of_nothing_is_a_mistake(tmp_path: Path) -> None:
    with served() as web:
        ended = command(tmp_path, web, maintain=1).run()
        assert ended.code == 1 and "has no page to look at again" in ended.err

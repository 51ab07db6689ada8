"""A crawl of a live web, frozen and replayed: the same pages in the same order, the same items."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from focused.store.queries import Reading
from focused.webs.freeze import freeze
from tests.rig.check import rows
from tests.rig.plan import Shape
from tests.rig.run import SCRAPY, Command
from tests.rig.web import ROOT, LoopbackWeb

CLOSED = "User-agent: *\nDisallow: /p/1\n"  # /p/1, /p/10 ... /p/19, /p/100 ...
SHAPE = Shape(pages=250, sites=5, robots=CLOSED)
STRICT = {"FOCUSED_STRICT_ORDER": 1, "ROBOTSTXT_OBEY": 1}


class Live(NamedTuple):
    """A crawl of a server that is gone by now."""

    command: Command
    topic: Path
    frozen: Path


def frozen(command: Command, topic: Path) -> Path:
    settings = ["-s", f"FOCUSED_DATA_DIR={command.folder}", "-s", "FOCUSED_CRAWL=crawl"]
    words = [SCRAPY, "freeze", str(topic), "-o", str(command.folder / "web.warc.gz"), *settings]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0 and "-a web=warc:" in done.stdout, done.stdout + done.stderr
    return command.folder / "web.warc.gz"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("live")
    with LoopbackWeb(SHAPE) as web:
        topic = web.topic(folder)
        command = Command(folder / "data", {"topic": topic, "ordering": "best_first"}, STRICT)
        ended = command.run()
        assert ended.code == 0, str(ended)
    yield Live(command, topic, frozen(command, topic))


def replayed(live: Live, folder: Path, **args: object) -> Command:
    web = {"topic": live.topic, "web": f"warc:{live.frozen}", "ordering": "best_first"}
    folder.mkdir(exist_ok=True)
    command = Command(folder / "data", {**web, **args}, STRICT)
    ended = command.run()
    assert ended.code == 0, str(ended)
    return command


def visits(command: Command) -> list[tuple[object, ...]]:
    """Everything about the pages that were had but for the time."""
    columns = "url, outcome, depth, parent_id, score, relevance, relevant, title, status, hash"
    return rows(command.db, f"SELECT {columns} FROM page WHERE visit IS NOT NULL ORDER BY visit")


def test_a_replay_has_the_same_pages_in_the_same_order(live: Live, tmp_path: Path) -> None:
    command = replayed(live, tmp_path)
    assert len(visits(live.command)) > 100
    assert visits(command) == visits(live.command)
    assert (command.data / "pages.jsonl").read_bytes() == (live.command.data / "pages.jsonl").read_bytes()


def test_a_replay_ends_every_visit_as_the_crawl_did(live: Live, tmp_path: Path) -> None:
    outcomes = "SELECT url, outcome, depth FROM page ORDER BY url"
    found = rows(replayed(live, tmp_path).db, outcomes)
    assert found == rows(live.command.db, outcomes)
    assert {outcome for _, outcome, _ in found} == {"ok", "redirect", "http_404", "robots"}


def test_a_replay_obeys_the_same_robots_txt_under_any_name(live: Live, tmp_path: Path) -> None:
    stranger = Command(
        tmp_path / "data", {"topic": live.topic, "web": f"warc:{live.frozen}"}, {**STRICT, "USER_AGENT": "other/2.0"}
    )
    assert stranger.run().code == 0
    closed = "SELECT url FROM page WHERE outcome = 'robots' ORDER BY url"
    assert rows(stranger.db, closed) == rows(live.command.db, closed) != []


def test_a_replay_of_another_ordering_stays_inside_the_recording(live: Live, tmp_path: Path) -> None:
    command = replayed(live, tmp_path, ordering="breadth_first")
    recorded = {row[0] for row in visits(live.command)}
    assert {row[0] for row in visits(command)} == recorded
    assert [row[0] for row in visits(command)] != [row[0] for row in visits(live.command)]


def test_a_recording_cut_in_the_middle_replays_as_far_as_it_goes(live: Live, tmp_path: Path) -> None:
    data = live.frozen.read_bytes()
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(data[: len(data) // 2])
    command = replayed(live._replace(frozen=cut), tmp_path)
    whole, part = visits(live.command), visits(command)
    assert 0 < len(part) < len(whole) and {row[0] for row in part} < {row[0] for row in whole}
    assert "truncated" in Path(f"{command.folder}.err").read_text()


def record(url: str, block: bytes) -> bytes:
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n"
    return gzip.compress(head.encode() + b"Content-Type: application/http\r\n\r\n" + block + b"\r\n\r\n")


def test_what_is_broken_in_a_recording_is_named_and_the_rest_replays(live: Live, tmp_path: Path) -> None:
    seed = str(visits(live.command)[0][0])
    latin = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>caf\xe9 \xff</p>"
    extra = [
        record(seed, b"<p>no HTTP headers</p>"),
        b"garbage" * 99,
        record(f"{seed}latin", latin),
        record(seed, b"\xff\n"),
    ]
    torn = tmp_path / "torn.warc.gz"
    torn.write_bytes(extra[0] + extra[1] + live.frozen.read_bytes() * 2 + extra[2] + extra[3][:-20])
    command = replayed(live._replace(frozen=torn), tmp_path)
    assert visits(command) == visits(live.command)  # duplicate URLs cost nothing
    said = Path(f"{command.folder}.err").read_text()
    assert all(fault in said for fault in ("corrupt_gzip", "not_a_record", "truncated")), said


def test_a_replay_of_a_replay_is_the_same_again(live: Live, tmp_path: Path) -> None:
    first = replayed(live, tmp_path / "first")
    with Reading(first.db) as reading:
        again = replayed(live._replace(frozen=freeze(reading, tmp_path / "again.warc.gz").path), tmp_path / "second")
    assert visits(again) == visits(live.command)

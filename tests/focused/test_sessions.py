"""Recorded browsing: files, imports, and everything that may be wrong with them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from focused.errors import TopicError
from focused.page import Page, PageReader
from focused.sessions import Step, browsed, from_csv, from_har, join, read, write
from focused.surfing import sessions_for
from focused.topic import Topic
from models.model import RELEVANT
from models.text import Vocabulary

A, B, C = (f"http://{name}.example/" for name in "abc")
STEPS = [Step(A, "", False, "all sports"), Step(B, A, True, "bicycle clubs"), Step(A, B, False, "all sports")]


def page_of(url: str) -> Page | None:
    body = f"<title>On {url[7]}</title><p>text of {url[7]}</p>".encode()
    return None if url == C else PageReader(Vocabulary()).read(url, body, "text/html")


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "sessions.jsonl", STEPS)
    assert read(tmp_path / "deep" / "sessions.jsonl").steps == STEPS
    assert join(STEPS[:2], STEPS) == STEPS


def test_pages_are_counted_once_and_followed_links_each_time() -> None:
    found = browsed([*STEPS, Step(B, A, True, ""), Step(C, "http://elsewhere.example/", False, "soup")], Vocabulary())
    assert [page.url for page in found.pages] == [A, B, C]
    assert [page.label == RELEVANT for page in found.pages] == [False, True, False]
    assert found.links == [(0, 1), (1, 0), (0, 1)]
    assert len(found.pages[1].terms) == 2  # its text stays, though it was not recorded again


def test_a_loop_a_reload_and_a_page_without_text_are_told(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", [*STEPS, Step(B, B, True, "bicycle clubs"), Step(C, B, False, "")])
    recording = read(tmp_path / "s.jsonl")
    assert [note.split()[0] for note in recording.notes] == ["Reloads,", "Steps", "Pages"]
    assert (1, 1) not in browsed(recording.steps, Vocabulary()).links


def test_the_last_mark_of_a_page_counts(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", [*STEPS, Step(B, A, False, "bicycle clubs")])
    with pytest.raises(TopicError, match="marked relevant"):
        read(tmp_path / "s.jsonl")


@pytest.mark.parametrize(
    "line",
    [
        '{"url": "http://a.example/"',
        '{"url": "http://a.example/"}',
        '{"url": "ftp://a", "referrer": "", "relevant": true, "text": ""}',
        '{"url": "http://a.example/", "referrer": "", "relevant": "no", "text": ""}',
        "[]",
        "1",
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "s.jsonl"
    write(path, STEPS)
    path.write_text(path.read_text() + "\n" + line + "\n")
    with pytest.raises(TopicError, match=r"Line 5 of .* is no step of a session"):
        read(path)


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="No such file"):
        read(tmp_path / "none.jsonl")
    for made in (lambda p: from_csv(p, page_of), lambda p: from_har(p, PageReader(Vocabulary()))):
        with pytest.raises(TopicError, match="No such file"):
            made(tmp_path / "none")


def test_a_table_of_visits_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    rows = [f"{A},,no", f"{B}#top,{A},YES", f"{C},{B},0", "mailto:x,,1", f"{B},{A},perhaps", ""]
    path.write_text("\ufeffURL,Referrer,Relevant\n" + "\n".join(rows))
    recording = from_csv(path, page_of)
    assert recording.steps == [
        Step(A, "", False, "On a text of a"),
        Step(B, A, True, "On b text of b"),
        Step(C, B, False, ""),
    ]
    assert [note[:6] for note in recording.notes] == ["Line 5", "Line 6", "Pages "]


@pytest.mark.parametrize(
    ("text", "said"),
    [("a,b\n1,2\n", "first line"), ("", "first line"), (f"url,referrer,relevant\n{A},,no\n", "marked relevant")],
)
def test_a_table_that_teaches_nothing_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "v.csv").write_text(text)
    with pytest.raises(TopicError, match=said):
        from_csv(tmp_path / "v.csv", page_of)


def entry(url: str, text: str | None, referrer: str = "", **more: Any) -> dict[str, Any]:
    headers = [{"name": "Referer", "value": referrer}] if referrer else []
    content = {"mimeType": "text/html; charset=utf-8", "text": text}
    return {"request": {"url": url, "headers": headers}, "response": {"status": 200, "content": content}} | more


def test_the_log_of_a_browser_is_imported(tmp_path: Path) -> None:
    packed = entry(B, base64.b64encode("<p>Zürich bicycles</p>".encode()).decode(), A, comment="relevant")
    packed["response"]["content"]["encoding"] = "base64"
    picture = entry(f"{A}p.png", "x", A)
    picture["response"]["content"]["mimeType"] = "image/png"
    moved = entry(f"{A}old", "gone", A)
    moved["response"]["status"] = 301
    broken = {"request": {}, "response": {"status": 200, "content": {"mimeType": "text/html", "text": "x"}}}
    entries = [entry(A, "<title>Start</title><p>sports</p>"), packed, picture, moved, broken, 7, entry(C, None)]
    path = tmp_path / "log.har"
    path.write_text(json.dumps({"log": {"entries": entries}}))
    recording = from_har(path, PageReader(Vocabulary()), relevant=["http://never.example/"])
    assert recording.steps == [Step(A, "", False, "Start sports"), Step(B, A, True, "Zürich bicycles")]
    assert [note.split()[:2] for note in recording.notes[:2]] == [["Entry", "5"], ["Entry", "6"]]
    assert "was not visited" in recording.notes[2]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"log": {"entries": 1}}', "[" * 100_000])
def test_what_is_no_log_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "log.har").write_text(text)
    with pytest.raises(TopicError, match=r"is no HAR file \((it|log.entries) [^()']*\)") as error:
        from_har(tmp_path / "log.har", PageReader(Vocabulary()))
    assert "Error" not in str(error.value)


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match=r"log.har cannot be read \(No such file or directory\)"):
        from_har(tmp_path / "log.har", PageReader(Vocabulary()))


def test_a_topic_names_its_sessions(tmp_path: Path) -> None:
    write(tmp_path / "sessions.jsonl", STEPS)
    (tmp_path / "topic.toml").write_text('query = "bicycles"\n[sessions]\nfile = "sessions.jsonl"\n')
    assert sessions_for(Topic.load(str(tmp_path)), "") == STEPS


def test_without_sessions_one_sentence_says_what_to_do() -> None:
    for web in ("", "warc:somewhere"):
        with pytest.raises(TopicError, match=r"no recorded browsing.*sessions\.jsonl"):
            sessions_for(Topic.load("cycling"), web)


def test_the_surfer_goes_the_same_way_on_a_web_that_is_not_crawled() -> None:
    topic = Topic.load("cycling")
    steps = sessions_for(topic, "sim:small,seed=5")
    assert steps == sessions_for(topic, "sim:small,seed=5")
    assert steps != sessions_for(topic, "sim:small,seed=6")
    relevant = sum(step.relevant for step in steps) / len(steps)
    assert 0.05 < relevant < 0.95
    known = {step.url for step in steps}
    assert all(step.referrer in known or not step.referrer for step in steps)
    assert all(step.text for step in steps)

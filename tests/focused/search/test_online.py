"""focused.search.online: the three engines, asked over real HTTP on loopback."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from focused.errors import SettingError
from focused.search.engine import Answers, SearchFault
from focused.search.online import Online, brave, google, searxng
from tests.focused.search.answering import served

URLS = ["http://a.example/1", "http://b.example/2"]
SEARXNG = {"query": "zoom lens", "number_of_results": 275000, "results": [{"url": url, "title": "-"} for url in URLS]}
BRAVE = {"type": "search", "web": {"type": "search", "results": [{"url": url, "title": "-"} for url in URLS]}}
GOOGLE = {"searchInformation": {"totalResults": "275000"}, "items": [{"link": url, "title": "-"} for url in URLS]}
SECRET = "s3cret-k3y"
KINDS = [(searxng, SEARXNG, 275000), (brave, BRAVE, None), (google, GOOGLE, 275000)]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BRAVE_SEARCH_KEY", "GOOGLE_SEARCH_KEY", "GOOGLE_SEARCH_CX"):
        monkeypatch.setenv(name, SECRET)


def patient(engine: Online) -> tuple[Online, list[float]]:
    """It writes down how long it would have waited."""
    waits: list[float] = []
    engine.sleep = waits.append
    return engine, waits


@pytest.mark.parametrize(("kind", "answer", "hits"), KINDS)
def test_an_engine_gives_urls_and_hits(kind: Callable[[str], Online], answer: object, hits: int | None) -> None:
    with served((200, {}, answer)) as server:
        assert kind(server.address).ask("zoom lens", 10) == Answers(URLS, hits)
        assert kind(server.address).ask("zoom lens", 1).urls == URLS[:1]
    assert server.heard[0].parameters["q"] == "zoom lens"


def test_each_engine_is_asked_as_it_wants_to_be() -> None:
    with served((200, {}, SEARXNG)) as server:
        searxng(server.address + "/").ask("zoom", 10)
    assert (server.heard[0].path, server.heard[0].parameters["format"]) == ("/search", "json")
    with served((200, {}, BRAVE)) as server:
        brave(server.address).ask("zoom", 50)
    assert server.heard[0].headers["X-Subscription-Token"] == SECRET and server.heard[0].parameters["count"] == "20"
    with served((200, {}, GOOGLE)) as server:
        google(server.address).ask("zoom", 50)
    assert server.heard[0].parameters == {"q": "zoom", "num": "10", "key": SECRET, "cx": SECRET}


def test_nothing_found_is_an_answer() -> None:
    with served((200, {}, {"searchInformation": {"totalResults": "0"}})) as server:
        assert google(server.address).ask("zzz", 10) == Answers([], 0)
    with served((200, {}, {"type": "search"})) as server:
        assert brave(server.address).ask("zzz", 10) == Answers([], None)


def test_a_busy_engine_is_asked_again_after_a_while() -> None:
    with served((503, {}, {}), (429, {"Retry-After": "7"}, {}), (200, {}, SEARXNG)) as server:
        engine, waits = patient(searxng(server.address))
        assert engine.ask("zoom", 10).urls == URLS
    assert waits == [1.0, 7.0] and len(server.heard) == 3


@pytest.mark.parametrize(
    ("status", "headers", "outcome", "asked"),
    [
        (500, {}, "search_down", 4),
        (429, {}, "search_quota", 4),
        (429, {"Retry-After": "86400"}, "search_quota", 1),
        (403, {}, "search_refused", 1),
        (302, {"Location": "http://127.0.0.1:1/"}, "search_refused", 1),  # the key must not go elsewhere
    ],
)
def test_what_an_engine_refuses_has_a_name(status: int, headers: dict[str, str], outcome: str, asked: int) -> None:
    with served((status, headers, {"error": SECRET})) as server:
        engine, _ = patient(google(server.address))
        with pytest.raises(SearchFault) as caught:
            engine.ask("zoom", 10)
    assert (caught.value.outcome, len(server.heard)) == (outcome, asked)
    assert SECRET not in str(caught.value) and SECRET not in repr(engine)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"items": 5}', b'{"items": [{"no": "link"}]}', b"\xff\xfe\x00"])
def test_what_is_no_answer_counts_as_down(body: bytes) -> None:
    with served((200, {}, body)) as server, pytest.raises(SearchFault) as caught:
        google(server.address).ask("zoom", 10)
    assert caught.value.outcome == "search_down"


def test_an_engine_that_is_not_there_is_down() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    engine, waits = patient(searxng(f"http://127.0.0.1:{port}"))
    with pytest.raises(SearchFault) as caught:
        engine.ask("zoom", 10)
    assert caught.value.outcome == "search_down" and waits == [1.0, 2.0, 4.0]


def test_keys_come_from_the_environment_and_an_instance_has_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAVE_SEARCH_KEY")
    with pytest.raises(SettingError, match="BRAVE_SEARCH_KEY"):
        brave("")
    with pytest.raises(SettingError, match="searxng:http"):
        searxng("")

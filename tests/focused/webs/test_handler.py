from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from focused.errors import WebError
from focused.webs.handler import WebHandler, web_of
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shape import DOCUMENT
from focused.webs.simulated.web import SimWeb

SMALL = "sim:small,seed=3,pages=200"


def walk(urls: list[str], **settings: object) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.focused.webs.simulated.walk", json.dumps([urls, settings])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0 and not done.stderr, done.stderr
    seen: list[dict[str, Any]] = json.loads(done.stdout)
    return seen


@pytest.fixture(scope="module")
def web() -> SimWeb:
    return SimWeb(Knobs(pages=200, seed=3))


def test_scrapy_crawls_the_simulated_web(web: SimWeb) -> None:
    seen = walk([], FOCUSED_WEB=SMALL)
    good = [answer for answer in seen if answer.get("status") == 200]
    assert len(good) > 150
    assert {url.partition(":")[0] for url in (answer["url"] for answer in good)} == {"http", "https"}
    assert {answer["class"] for answer in good} == {"HtmlResponse", "Response"}
    assert all((web.truth(a["url"]) is not None) == (a["class"] == "HtmlResponse") for a in good)
    assert any(answer["status"] == 404 for answer in seen)


def test_a_body_above_the_limit_is_refused_as_on_the_real_web(web: SimWeb) -> None:
    document = next(c.url for c in map(web.addresses.card, range(200)) if c.place.kind == DOCUMENT)
    seen = walk([*web.seeds("science/medicine", 1, 0), document], FOCUSED_WEB=SMALL, DOWNLOAD_MAXSIZE=500)
    assert {"error": "DownloadCancelledError"} in seen
    assert [answer["kind"] for answer in seen if "kind" in answer] == ["application/pdf"]


def test_all_who_ask_for_the_web_of_a_crawl_get_the_same() -> None:
    crawler = get_crawler(settings_dict={"FOCUSED_WEB": SMALL})
    assert web_of(crawler) is web_of(crawler)
    assert web_of(get_crawler(settings_dict={"FOCUSED_WEB": SMALL})) is not web_of(crawler)


def test_a_web_that_cannot_be_opened_is_not_opened_by_making_the_handler() -> None:
    crawler = get_crawler(settings_dict={"FOCUSED_WEB": "dream:one"})
    WebHandler.from_crawler(crawler)
    with pytest.raises(WebError, match="dream:one"):
        web_of(crawler)

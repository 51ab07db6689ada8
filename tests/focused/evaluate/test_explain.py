"""focused.evaluate.explain: every fate a URL can have is told apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from focused.errors import SettingError
from focused.evaluate.explain import explain, lines
from focused.store.answers import PageRow
from tests.focused.made_crawl import MadeCrawl, small_crawl


def told(folder: Path, url: str) -> str:
    with small_crawl(folder).read() as reading:
        return "\n".join(lines(explain(reading, url)))


def test_fetched_page_is_explained_back_to_its_seed(tmp_path: Path) -> None:
    text = told(tmp_path, "http://b.example/two")
    assert "fetched as page 4 on 2023-11-1" in text and "relevance 0.800, relevant" in text
    assert text.index("0. http://a.example/") < text.index("1. http://b.example/one") < text.index("2. http://b")
    assert "depth 0, seed, relevance 0.200, ok" in text
    assert 'by the link "the one" at /html/body/a' in text
    assert "depth 2, score 0.4000, relevance 0.800, ok" in text
    assert "Linked from:\n    0.2000  http://a.example/" in text


def test_url_is_found_however_it_is_written(tmp_path: Path) -> None:
    assert "fetched as page 4" in told(tmp_path, "http://b.example/two#part")


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({"state": 3, "outcome": "robots"}, "refused: robots.txt of x.example"),
        ({"state": 3, "outcome": "robots_unreachable"}, "refused: robots.txt of x.example could not be had"),
        ({"state": 3, "outcome": "crawl_delay"}, "refused: robots.txt of x.example asks for more time"),
        ({"state": 3, "outcome": "egress"}, "refused: x.example has no public address"),
        ({"state": 3, "outcome": "http_404", "tries": 1}, "given up after 1 try, last outcome http_404"),
        ({"state": 3, "outcome": "timeout", "tries": 3}, "given up after 3 tries, last outcome timeout"),
        ({"state": 1}, "being fetched"),
        ({"score": 0.2}, "waiting: 1 better links go first"),
        (
            {"tries": 1, "outcome": "http_503", "not_before": 2e9, "score": 9.0},
            "0 better links go first, not before 2033",
        ),
        ({"state": 2, "outcome": "redirect", "status": 301, "fetched_at": 1.7e9}, "with status 301, without a page"),
    ],
)
def test_each_fate_has_its_sentence(tmp_path: Path, values: dict[str, Any], verdict: str) -> None:
    crawl = small_crawl(tmp_path)
    crawl.page("http://x.example/", **values)
    assert verdict in explain(crawl.read(), "http://x.example/").verdict


def test_closed_site_says_why(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.site("c.example", state="closed", why="budget of 500 pages spent")
    with crawl.read() as reading:
        assert explain(reading, "http://c.example/later").verdict.endswith("closed: budget of 500 pages spent")
        assert "budget of 500" in explain(reading, "http://c.example/other").verdict


def test_unknown_page_is_told_its_nearest_neighbours(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    for path in ("", "bikes/", "bikes/red", "cars/red"):
        crawl.page(f"http://a.example/{path}")
    explanation = explain(crawl.read(), "http://a.example/bikes/rusty")
    assert explanation.verdict.startswith("never discovered")
    assert explanation.nearest[:2] == ["http://a.example/bikes/red", "http://a.example/bikes/"]


def test_unknown_site_is_named(tmp_path: Path) -> None:
    assert "to nowhere.example" in told(tmp_path, "http://nowhere.example/x")


def test_terms_of_the_scores_are_shown_where_they_can_be_had(tmp_path: Path) -> None:
    def terms(page: PageRow, target: PageRow) -> Mapping[str, float]:
        return {"anchor": page.id / 10, "page": target.id / 10}

    with small_crawl(tmp_path).read() as reading:
        explanation = explain(reading, "http://b.example/two", terms)
    assert [dict(step.terms) for step in explanation.path] == [
        {},
        {"anchor": 0.1, "page": 0.3},
        {"anchor": 0.3, "page": 0.4},
    ]
    assert any(line.split() == ["anchor", "0.1000"] for line in lines(explanation))


def test_strangers_text_cannot_command_the_terminal(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path)
    crawl.page("http://x.example/", parent_id=1)
    crawl.link(1, 7, anchor="\x1b[2J gone")
    assert "\x1b" not in "\n".join(lines(explain(crawl.read(), "http://x.example/")))


@pytest.mark.parametrize("url", ["", "cycling", "ftp://a.example/", "javascript:alert(1)"])
def test_what_is_no_url_is_a_mistake(tmp_path: Path, url: str) -> None:
    with pytest.raises(SettingError, match="is not an http"):
        told(tmp_path, url)

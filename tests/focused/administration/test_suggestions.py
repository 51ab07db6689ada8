"""Pages beside examples and classes beside good ones (F-06, F-08)."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.administration.suggestions import MUCH, related, suggest, title_scores, viewed
from focused.errors import TopicError
from focused.store.neighbourhood import neighbour_classes, neighbours
from focused.topic import Topic
from models.text import Vocabulary
from tests.focused.made_crawl import MadeCrawl, small_crawl

WEIGHTS = {"bike": 3.0, "trail": 2.0, "mountain": 1.5}


def test_scores_are_the_worked_ones() -> None:
    """F9; a word counts once, however often it is there."""
    titles = ["Mountain bike clubs", "Trail mix recipes", "Stock quotes", "", "Bike, bikes, BIKE"]
    scores = title_scores(Vocabulary(), WEIGHTS, titles)
    assert scores.tolist() == pytest.approx([0.692308, 0.307692, 0.0, 0.0, 0.461538], abs=1e-6)


def test_neighbours_are_one_link_away_in_and_out(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        found = {page.url: (page.is_out, page.is_in, page.is_fetched) for page in neighbours(reading, [3])}
        assert found == {
            "http://a.example/": (False, True, True),
            "http://a.example/list": (False, True, True),
            "http://b.example/two": (True, False, True),  # what robots.txt forbids is not among them
        }
        later = next(page for page in neighbours(reading, [1]) if not page.is_fetched)
        assert (later.url, later.title, later.relevance) == ("http://c.example/later", "later", None)


def test_best_title_comes_first_and_what_shares_no_word_is_left_out(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path)
    for number, title in enumerate(["Start", "Trail mix recipes", "Stock quotes", "Mountain bike clubs"]):
        crawl.fetched(f"http://a.example/{number}", title=title)
    crawl.page("http://a.example/seed")
    for target in (2, 3, 4, 5):
        crawl.link(1, target, "bike trail")
    topic = Topic("x", "bikes", ("http://a.example/seed",))
    with crawl.read() as reading:
        found = suggest(reading, topic, Vocabulary(), WEIGHTS, ["http://a.example/0"])
        assert [(one.page.title, round(one.score, 6)) for one in found] == [
            ("Mountain bike clubs", 0.692308),
            ("Trail mix recipes", 0.307692),
        ]
        with pytest.raises(TopicError, match=r"http://b.example/ is not in the crawl in "):
            suggest(reading, topic, Vocabulary(), WEIGHTS, ["http://b.example/"])


def test_pages_to_look_around_are_examples_and_seeds_else_the_best(tmp_path: Path) -> None:
    with small_crawl(tmp_path).read() as reading:
        assert viewed(reading, Topic("x", "x", ("http://a.example/list",)), []) == [2]
        assert viewed(reading, Topic("x", "x", ("http://z.example/",)), []) == [3, 4, 2]


def test_parents_and_siblings_are_proposed_where_much_of_the_neighbourhood_falls(tmp_path: Path) -> None:
    """Mutual funds and investing (Chakrabarti 1999, §5.6)."""
    crawl = MadeCrawl(tmp_path)
    crawl.fetched("http://a.example/", **{"class": "Business/Funds"})
    falls = ["Business/Funds", *["Business/Investing/Bonds"] * 6, *["Business/Law"] * 2, *["Arts"] * 11]
    for number, name in enumerate(falls, 2):
        crawl.fetched(f"http://b.example/{number}", 0.1, **{"class": name})
        crawl.link(1, number)
    with crawl.read() as reading:
        census = {"Business/Funds": 1, "Business/Investing/Bonds": 6, "Business/Law": 2, "Arts": 11}
        assert neighbour_classes(reading) == census
        found = related(reading, ["Business/Funds"])
        assert [(one.path, one.share) for one in found] == [
            ("Business", pytest.approx(8 / 20)),
            ("Business/Investing", pytest.approx(6 / 20)),
            ("Business/Law", pytest.approx(MUCH)),
        ]
        assert [one.why for one in found[:2]] == ["parent of Business/Funds", "sibling of Business/Funds"]
        assert [one.path for one in related(reading, ["Business"])] == ["Arts"]
        assert related(reading, []) == []

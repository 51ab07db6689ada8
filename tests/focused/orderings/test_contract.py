"""What every ordering of the table must do; a new one is tested the moment it is in the table."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pytest
from scrapy.utils.misc import load_object

from focused import settings
from focused.errors import SettingError
from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.orderings.base import SEED_SCORE, Ordering, Surroundings, make
from focused.page import Page, PageReader
from focused.sessions import Step
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary
from tests.focused.orderings.drawn_web import DrawnWeb
from tests.rig.run import Command

NAMES = sorted(settings.FOCUSED_ORDERINGS)
BODY = b"""<title>Bicycle clubs</title><main><p>Cycling clubs and mountain biking all over the country.
<a href="/clubs">bicycle clubs</a> <a href="/soup">soup recipes</a> <a href="http://b.example/">more</a></p></main>"""
SAID = ("bicycle clubs", "soup recipes", "mountain biking all over", "rain and snow", "cycling trails")
# For those who learn from recorded browsing.
STEPS = [
    Step("http://s.example/", "", False, "all about sports"),
    Step("http://s.example/bicycles", "http://s.example/", True, "bicycle clubs and cycling"),
]


@pytest.fixture(params=NAMES)
def kind(request: pytest.FixtureRequest) -> type[Ordering]:
    made: type[Ordering] = load_object(settings.FOCUSED_ORDERINGS[request.param])
    return made


def bound(kind: type[Ordering], seed: int = 0) -> tuple[Ordering, Page]:
    vocabulary = Vocabulary()
    model = Similarity(vocabulary, "bicycle cycling clubs")
    page = PageReader(vocabulary).read("http://a.example/", BODY, "text/html")
    page.id, page.site_id = 1, 1
    page.take(model.judge(page))
    ordering = kind()
    topic = Topic("cycling", "bicycle cycling clubs")
    ordering.bind(Surroundings(topic, model, seed, vocabulary, LinkGraph(), sessions=lambda: STEPS))
    return ordering, page


def test_it_can_be_made_without_arguments_and_refuses_unknown_ones(kind: type[Ordering]) -> None:
    assert isinstance(make(kind, ""), kind)
    with pytest.raises(SettingError, match="nonsense"):
        make(kind, "nonsense=1")


def test_all_links_of_a_page_are_scored_in_one_call(kind: type[Ordering]) -> None:
    ordering, page = bound(kind)
    scores = ordering.score(page)
    assert scores.shape == (len(page.links),)
    assert scores.dtype == np.float64
    assert not np.isinf(scores).any()


def test_the_same_seed_gives_the_same_scores(kind: type[Ordering]) -> None:
    (first, page), (second, again) = bound(kind, 7), bound(kind, 7)
    np.testing.assert_array_equal(first.score(page), second.score(again))  # NaN: both do not follow the link


def test_the_page_is_left_as_it_was(kind: type[Ordering]) -> None:
    ordering, page = bound(kind)
    before = (page.words[:], page.terms.tolist(), [(link.url, link.anchor) for link in page.links], page.relevance)
    ordering.observe(page)
    ordering.score(page)
    after = (page.words, page.terms.tolist(), [(link.url, link.anchor) for link in page.links], page.relevance)
    assert after == before


def test_higher_scores_come_out_first_and_seeds_before_all(kind: type[Ordering]) -> None:
    ordering, _ = bound(kind)
    frontier = Frontier()
    frontier.push([1, 2, 3, 4], [1, 2, 3, 4], [0.1, 0.9, SEED_SCORE, 0.5])
    assert [ordering.pick(frontier, 0.0) for _ in range(5)] == [3, 2, 4, 1, None]


def test_after_a_failure_it_goes_on(kind: type[Ordering]) -> None:
    ordering, page = bound(kind)
    ordering.failed(9, "http://a.example/x", "timeout")
    ordering.moved(8, "http://a.example/y", 7)
    frontier = Frontier()
    frontier.push([1, 2], [1, 2], [0.1, 0.9])
    assert [ordering.pick(frontier, 0.0) for _ in range(3)] == [2, 1, None]
    assert len(ordering.score(page)) == len(page.links)


def test_pages_may_be_scored_before_the_links_of_earlier_ones_are_found(kind: type[Ordering]) -> None:
    ordering, first = bound(kind)
    reader = PageReader(ordering.around.vocabulary)
    second = reader.read("http://c.example/", b'<p>Rain <a href="/rain">rain</a></p>', "text/html")
    second.id, second.site_id = 2, 2
    second.take(ordering.around.model.judge(second))
    for page in (first, second):
        ordering.observe(page)
        page.scores = ordering.score(page)
    for page, ids in ((first, [3, 4, 5]), (second, [6])):
        ordering.found(page, page.links, np.array(ids, np.int64))
        ordering.rescored()


def test_terms_explain_a_score(kind: type[Ordering]) -> None:
    ordering, page = bound(kind)
    assert all(isinstance(value, float) for value in ordering.terms(page, 0).values())


def drawn() -> DrawnWeb:
    """26 pages on two sites; two are not there, one has moved. Words and relevance of a page have nothing in common."""
    chance, names = random.Random(1), ascii_lowercase
    links = {name: chance.sample(names, 5) for name in names}
    scores = {name: chance.choice((0.1, 0.6, 0.8, 0.9)) for name in names} | {"a": 0.9, "b": 0.8}
    web = DrawnWeb(links, scores, {"e": "http_404", "j": "http_404"}, {"h": "q"}, steps=STEPS)
    web.sites = {name: "wx"[number % 2] for number, name in enumerate(names)}
    web.words = {name: f"{SAID[number % len(SAID)]} " for number, name in enumerate(names)}
    web.topic = Topic("cycling", "bicycle cycling clubs")
    return web


def test_killed_and_opened_again_it_goes_the_same_way(kind: type[Ordering], tmp_path: Path) -> None:
    web, often = drawn(), {"seeds": "ab", "FOCUSED_REVISE_EVERY": 4}
    crawl = web.opened(tmp_path / "whole", kind(), **often)
    whole = list(web.visits(crawl))
    crawl.abandon()
    assert len(whole) > 20, "the crawl is long enough to be forgotten about"
    assert web.visits_in_lives(tmp_path / "killed", kind, 2, **often) == whole


def test_of_what_the_web_refuses_it_is_told_once_and_goes_on(
    kind: type[Ordering], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, failed = list[tuple[str, str]](), kind.failed

    def heard(self: Ordering, page_id: int, url: str, outcome: str) -> None:
        told.append((url[-1], outcome))
        failed(self, page_id, url, outcome)

    monkeypatch.setattr(kind, "failed", heard)
    web = drawn()
    crawl = web.opened(tmp_path / "crawl", kind(), seeds="ab")
    order = list(web.visits(crawl))
    crawl.abandon()
    assert told == [(name, "http_404") for name in order if name in web.failing]
    assert told and order[-1] != told[0][0]


def order_of(folder: Path, name: str, *limits: int) -> list[str]:
    """The order of the pages of a crawl that is stopped by these limits, one after the other."""
    for limit in limits:
        args = {"topic": "cycling", "web": "sim:small,seed=3", "ordering": name, "max_pages": limit}
        command = Command(folder, args, {"FOCUSED_STRICT_ORDER": 1})
        ended = command.run()
        assert ended.code == 0, ended
    with closing(sqlite3.connect(command.db)) as db:
        return [row[0] for row in db.execute("SELECT url FROM page WHERE visit IS NOT NULL ORDER BY visit")]


@pytest.mark.parametrize("name", NAMES)
def test_a_crawl_of_many_requests_at_a_time_has_as_many_pages_as_were_asked_for(tmp_path: Path, name: str) -> None:
    args = {"topic": "cycling", "web": "sim:small,seed=3", "ordering": name, "max_pages": 60}
    ended = Command(tmp_path / "many", args).run()
    assert ended.code == 0, ended
    assert "Pages: 60," in ended.out


@pytest.mark.parametrize("name", NAMES)
def test_a_crawl_in_two_runs_goes_the_same_way_as_in_one(tmp_path: Path, name: str) -> None:
    one = order_of(tmp_path / "one", name, 40)
    assert len(one) == 40
    assert order_of(tmp_path / "two", name, 17, 40) == one

"""adaptive: learns which evidence pays, survives kills, explains itself."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focused.errors import SettingError
from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.orderings import adaptive
from focused.orderings.adaptive import Adaptive
from focused.orderings.base import Surroundings, make
from focused.orderings.features import FEATURES
from focused.page import Page, PageReader
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Vocabulary
from tests.focused.orderings.drawn_web import DrawnWeb, random_web

QUERY = "bicycle cycling clubs"


class Walk:
    """Pages handed to the ordering one by one, as the crawl would."""

    def __init__(self, arguments: str = "") -> None:
        self.vocabulary = Vocabulary()
        self.model = Similarity(self.vocabulary, QUERY)
        self.ordering = make(Adaptive, arguments)
        self.ordering.bind(Surroundings(Topic("cycling", QUERY), self.model, 0, self.vocabulary, LinkGraph()))
        self.frontier = Frontier(per_site=100)
        self.ordering.pick(self.frontier, 0.0)
        self.ids: dict[str, int] = {}

    def read(self, url: str, body: str, depth: int = 1) -> Page:
        page = PageReader(self.vocabulary).read(url, body.encode(), "text/html")
        page.id, page.site_id, page.depth = self.id_of(url), 1, depth
        page.take(self.model.judge(page))
        return page

    def id_of(self, url: str) -> int:
        return self.ids.setdefault(url, len(self.ids) + 1)

    def visit(self, url: str, body: str, depth: int = 1) -> None:
        page = self.read(url, body, depth)
        self.frontier.drop([page.id])
        scores = self.ordering.score(page)
        fresh = [(link.url, score) for link, score in zip(page.links, scores, strict=True) if link.url not in self.ids]
        for link, score in fresh:
            self.frontier.push([self.id_of(link)], [1], [score])
        ids = np.array([self.id_of(link.url) for link in page.links], np.int64)
        self.ordering.found(page, page.links, ids)
        if changed := self.ordering.rescored():
            self.frontier.rescore(changed.ids, changed.scores)

    def score_of(self, url: str) -> float:
        return float(self.frontier.score_of([self.ids[url]])[0])


def taught(arguments: str = "") -> Walk:
    """Links below /good led to pages on cycling, links below /bad to pages on soup."""
    walk = Walk(arguments)
    walk.visit("http://a.example/", f"<p>{QUERY} {QUERY} racing", depth=0)
    links = [f'<a href="/{kind}/{n}.html">number {n}</a>' for n in range(40) for kind in ("good", "bad")]
    walk.visit("http://a.example/list", f"<p>{''.join(links)}")
    for n in range(30):
        walk.visit(f"http://a.example/good/{n}.html", f"<p>{QUERY} racing and touring page {QUERY}")
        walk.visit(f"http://a.example/bad/{n}.html", "<p>soup with carrots and onions and much else to eat")
    return walk


def test_places_that_paid_come_first() -> None:
    walk = taught()
    assert walk.score_of("http://a.example/good/39.html") > walk.score_of("http://a.example/bad/39.html") + 1.0


def test_evidence_that_is_switched_off_counts_for_nothing() -> None:
    walk = taught("without=directory+template+tokens+siblings+url+position")
    page = walk.read("http://a.example/again", '<a href="/good/x.html">x</a> <a href="/bad/x.html">x</a>')
    one, other = walk.ordering.score(page)
    assert one == other
    names = [FEATURES[name][1] for name in ("directory", "template", "tokens", "siblings")]
    assert not set(names) & set(walk.ordering.terms(page, 0))


def test_terms_add_up_to_the_score() -> None:
    walk = taught()
    page = walk.read("http://a.example/again", f'<p>{QUERY} <a href="/good/x.html">touring</a>')
    terms = walk.ordering.terms(page, 0)
    assert sum(terms.values()) == pytest.approx(walk.ordering.score(page)[0], abs=1e-6)
    assert terms[FEATURES["template"][1]] > 0


def test_what_was_learned_survives_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the journal alone, and from a whole picture with a journal behind it."""
    for entries in (1_000, 25):
        monkeypatch.setattr(adaptive, "PICTURE", entries)
        walk, twin = taught(), Walk()
        parts: dict[str, Any] = json.loads(json.dumps(walk.ordering.state()))
        walk.visit("http://a.example/good/30.html", f"<p>{QUERY} and <a href='/good/99.html'>more</a>")
        parts |= json.loads(json.dumps(walk.ordering.state()))
        twin.ordering.restore({name: part for name, part in parts.items() if part is not None})
        assert ("picture" in parts) == (entries == 25)
        body = f'<p>{QUERY} <a href="/good/x.html">touring</a> <a href="/bad/39.html">number</a>'
        pages = [each.read("http://a.example/again", body) for each in (walk, twin)]
        np.testing.assert_array_equal(walk.ordering.score(pages[0]), twin.ordering.score(pages[1]))


def test_the_report_is_told_what_paid() -> None:
    walk = taught()
    while walk.ordering._entries % adaptive.SHOWN_EVERY:
        walk.visit(f"http://a.example/more{walk.ordering._entries}", "<p>nothing")
    parts = walk.ordering.state()
    assert parts["learned.names"]["directory"][0][0] == "a.example/good"
    assert parts["learned.hubs"][0][0] == walk.ids["http://a.example/list"]
    assert len(parts["learned.weights"][-1][1]) == len(FEATURES)


@pytest.mark.parametrize("seed", range(3))
def test_a_crawl_killed_again_and_again_goes_the_same_way(tmp_path: Path, seed: int) -> None:
    web: DrawnWeb = random_web(seed)
    made = partial(make, Adaptive, "")
    crawl = web.opened(tmp_path / "whole", made())
    whole = list(web.visits(crawl))
    crawl.abandon()
    broken = web.visits_in_lives(tmp_path / "broken", made, life=2)
    assert list(dict.fromkeys(broken)) == list(dict.fromkeys(whole))


@pytest.mark.parametrize("arguments", ["without=nose", "prior=1.0"])
def test_mistakes_are_named(arguments: str) -> None:
    with pytest.raises(SettingError, match=arguments.partition("=")[0]):
        make(Adaptive, arguments)


def test_near_the_seeds_a_link_has_the_higher_score() -> None:
    walk = Walk()
    near, far = (walk.read("http://a.example/p", '<p>words <a href="/x">x</a>', depth) for depth in (1, 6))
    assert walk.ordering.score(near)[0] > walk.ordering.score(far)[0]


def test_links_met_again_are_scored_with_the_next_look_also_after_a_resume() -> None:
    walk = Walk()
    walk.visit("http://a.example/", "<p>bicycle <a href='/x'>bicycle</a> <a href='/y'>soup</a>", 0)
    walk.visit("http://a.example/1", "<p>bicycle cycling clubs <a href='/x'>bicycle</a>")
    assert walk.ordering._fresh == [walk.id_of("http://a.example/x")]
    parts = json.loads(json.dumps(walk.ordering.state()))
    twin = Walk()
    twin.ordering.restore(parts)
    assert twin.ordering._fresh == walk.ordering._fresh

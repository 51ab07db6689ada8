"""The website crawler between the crawl and the frontier: which site is begun, what is kept, what is told."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

from focused.errors import SettingError
from focused.frontier import Frontier
from focused.graph import LinkGraph
from focused.orderings.base import SEED_SCORE, Surroundings, make
from focused.orderings.external import UNPUBLISHED, Border
from focused.orderings.website import WebsiteCrawler
from focused.page import Page, PageReader
from focused.store.rows import Site
from focused.topic import Topic
from models.text import Vocabulary
from tests.rig.handmade import Told

VOCABULARY = Vocabulary()


def crawler(strict: bool = False, arguments: str = "") -> WebsiteCrawler:
    made = make(WebsiteCrawler, arguments)
    assert isinstance(made, WebsiteCrawler)
    around = Surroundings(Topic("x", "x"), Told(VOCABULARY, ""), 0, VOCABULARY, LinkGraph(), strict)
    made.bind(around)
    return made


def page(url: str, page_id: int, site_id: int, confidence: float, *links: str) -> Page:
    anchors = "".join(f'<a href="{link}">anchor</a> ' for link in links)
    body = f"<title>relevance {round(100 * confidence)}</title><p>words {anchors}</p>".encode()
    read = PageReader(VOCABULARY).read(url, body, "text/html")
    read.id, read.site_id, read.relevance = page_id, site_id, confidence
    return read


def finish(ordering: WebsiteCrawler, frontier: Frontier, read: Page, ids: list[int], sites: list[int]) -> None:
    """As the crawl does: what was found waits, the ordering hears of it, the site is free again."""
    links = [*(link for link in read.links if "//a." in link.url), *ordering.also(read)]
    new = [n for n, site in enumerate(sites) if frontier.site_of(ids[n]) == 0]
    scores = [UNPUBLISHED if site != read.site_id else 0.1 for site in sites]
    frontier.push([ids[n] for n in new], [sites[n] for n in new], [scores[n] for n in new])
    ordering.found(read, links, np.array(ids))
    if rescored := ordering.rescored():
        frontier.rescore(rescored.ids, rescored.scores)
    frontier.release(read.site_id, 0.0)


def test_links_within_the_site_are_followed_and_others_to_homepages() -> None:
    ordering = crawler()
    read = page("http://a.example/", 1, 1, 0.9, "/x", "http://b.example/deep/page", "http://b.example/", "/y")
    np.testing.assert_allclose(ordering.score(read), [0.16, np.nan, np.nan, 0.16])
    (home,) = ordering.also(read)
    assert (home.url, home.score, home.anchor) == ("http://b.example/", UNPUBLISHED, "anchor")


def test_a_link_that_must_not_be_followed_leads_to_no_site() -> None:
    body = b'<p>words <a rel="nofollow" href="http://b.example/">ad</a> <a href="http://c.example/p">c</a></p>'
    read = PageReader(VOCABULARY).read("http://a.example/", body, "text/html")
    assert [link.url for link in crawler().also(read)] == ["http://c.example/"]


def test_in_strict_order_one_site_is_under_way_and_elsewhere_many() -> None:
    for strict, picked in ((True, [1, None]), (False, [1, 2])):
        ordering, frontier = crawler(strict), Frontier()
        frontier.push([1, 2], [1, 2], [SEED_SCORE, SEED_SCORE])
        assert [ordering.pick(frontier, 0.0) for _ in range(2)] == picked


def test_no_site_is_begun_before_the_link_to_it_is_published() -> None:
    ordering, frontier = crawler(arguments="l_threshold=0"), Frontier()
    frontier.push([1], [1], [SEED_SCORE])
    assert ordering.pick(frontier, 0.0) == 1
    finish(ordering, frontier, page("http://a.example/", 1, 1, 0.9, "/x", "http://b.example/"), [2, 3], [1, 2])
    assert ordering.pick(frontier, 0.0) == 2
    assert ordering.pick(frontier, 0.0) is None  # b waits, though it is ready
    finish(ordering, frontier, page("http://a.example/x", 2, 1, 0.9), [], [])
    assert frontier.score_of([3])[0] == pytest.approx((0.9 + 0.943904) / 2, abs=1e-6)
    assert ordering.pick(frontier, 0.0) == 3


def test_of_equal_sites_the_one_more_sites_link_to_comes_first_then_the_one_found_first() -> None:
    border = Border()
    for site, edges in ((5, 1), (6, 2), (7, 1)):
        border.meet(site, home=10 * site)
        for _ in range(edges):
            border.publish(site, 0.5)
    assert [border.pop(), border.pop(), border.pop()] == [6, 5, 7]


def test_a_site_is_examined_once() -> None:
    border = Border()
    assert border.meet(5, home=50)
    border.publish(5, 0.5)
    border.examine(5)
    assert (border.pop(), border.meet(5, home=50), border.publish(5, 0.9)) == (None, False, None)


def test_a_page_lost_counts_as_download_and_not_as_evidence() -> None:
    ordering, frontier = crawler(arguments="cap=2"), Frontier()
    frontier.push([1], [1], [SEED_SCORE])
    ordering.pick(frontier, 0.0)
    finish(ordering, frontier, page("http://a.example/", 1, 1, 0.9, "/x", "/y"), [2, 3], [1, 1])
    ordering.failed(2, "http://a.example/x", "http_404")
    (website,) = ordering.websites()
    assert (website["pages"], website["downloads"], website["decided"]) == (1, 2, False)


def test_a_site_that_does_not_answer_is_not_screened() -> None:
    ordering, frontier = crawler(), Frontier()
    frontier.push([1], [1], [SEED_SCORE])
    ordering.pick(frontier, 0.0)
    ordering.failed(1, "http://a.example/", "dns")
    budget, site = ordering.budget(), Site(1, "a.example")
    assert (ordering.websites(), budget.why_closed(site)) == ([], "unreachable: dns")
    assert ordering.state()["counts"][0] == 0


def test_a_page_that_vanished_does_not_hold_its_site_open() -> None:
    ordering, frontier = crawler(), Frontier()
    frontier.push([1, 9], [1, 3], [SEED_SCORE, 0.5])
    ordering.pick(frontier, 0.0)
    frontier.release(1, 0.0)  # it killed the process, and is not there any more
    assert ordering.pick(frontier, 0.0) == 9
    assert len(ordering._under_way) == 1


def test_one_request_a_site_whatever_the_frontier_allows() -> None:
    budget, site = crawler().budget(), Site(1, "a.example")
    budget.spend(site)
    assert budget.is_spent(site)
    budget.refund(site)
    assert not budget.is_spent(site)


def test_a_crawl_in_the_middle_of_many_sites_is_taken_up_exactly() -> None:
    ordering, frontier = crawler(arguments="active=200"), Frontier()
    sites = range(1, 201)
    frontier.push(list(sites), list(sites), [SEED_SCORE] * 200)
    assert [ordering.pick(frontier, 0.0) for _ in sites] == list(sites)
    parts = ordering.state()
    for site in sites:
        read = page("http://a.example/", site, site, 0.6, "/x", "/y", "http://b.example/")
        finish(ordering, frontier, read, [1000 + site, 2000 + site, 3000 + site % 7], [site, site, 300 + site % 7])
        parts |= ordering.state()
    twin = crawler(arguments="active=200")
    twin.restore(json.loads(json.dumps(parts)))
    assert twin == ordering
    assert list(twin._under_way) == list(sites)


def test_a_verdict_that_leans_on_the_prior_does_not_feed_it() -> None:
    """Else a few relevant start sites would make every further site relevant."""
    ordering, frontier = crawler(arguments="p_threshold=0.7,l_threshold=0"), Frontier()
    for site, confidence in enumerate((0.9, 0.9, 0.9, 0.45), 1):
        frontier.push([site], [site], [SEED_SCORE])
        assert ordering.pick(frontier, 0.0) == site
        finish(ordering, frontier, page(f"http://a{site}.example/", site, site, confidence), [], [])
    *_, doubtful = ordering.websites()
    assert (doubtful["relevant"], doubtful["decided"]) == (True, True)  # prior 4/5, after three of three
    assert (ordering._counts.relevant, ordering._counts.likely) == (4, 3)


def test_the_parts_of_a_finished_site_are_forgotten() -> None:
    ordering, frontier = crawler(), Frontier()
    frontier.push([1], [1], [SEED_SCORE])
    ordering.pick(frontier, 0.0)
    assert "event:1:0" in ordering.state()
    finish(ordering, frontier, page("http://a.example/", 1, 1, 0.9), [], [])
    parts = ordering.state()
    assert (parts["event:1:0"], parts["event:1:1"], ordering.state()) == (None, None, {})


@pytest.mark.parametrize("arguments", ["c=0.5", "active=0", "cap=0", "p_threshold=0.5", "edge=mean", "prior=1"])
def test_what_makes_no_sense_is_refused(arguments: str) -> None:
    with pytest.raises(SettingError, match=arguments.partition("=")[0]):
        make(WebsiteCrawler, arguments)


def test_the_best_of_ten_thousand_sites_is_found_at_once() -> None:
    """The work, not the clock: each publication and each choice touches a few entries of a heap."""
    border, random = Border(), np.random.default_rng(1)
    for site in range(10_000):
        border.meet(site, site)
        border.publish(site, float(random.random()))
    begin = time.perf_counter()
    for _ in range(1000):
        best = border.pop()
        assert best is not None
        border.examine(best)
        border.publish(int(random.integers(10_000)), 0.5)
    assert len(border._heap) <= 4 * 10_000
    print(f"{1000 * (time.perf_counter() - begin):.0f} us a choice")

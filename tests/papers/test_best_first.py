"""Batsakis 2007: worked numbers of the vector space model (B-06), best-first (B-08 to B-11) and importance (B-12)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focused.graph import LinkGraph
from focused.hubs import pagerank
from focused.orderings.backlinks import Backlinks
from focused.orderings.base import Surroundings
from focused.orderings.best_first import BestFirst
from focused.orderings.pagerank import PageRank
from focused.page import PageReader
from focused.topic import Topic
from models.similarity import Similarity
from models.text import Text, Vocabulary, words_of
from tests.focused.orderings.drawn_web import DrawnWeb, drawn

COUNTS = (1000, {"linux": 50, "kernel": 20, "new": 500})
PAGE = b"<p>linux linux kernel news</p>"


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(COUNTS)


def test_idf_of_known_and_unknown_terms(vocabulary: Vocabulary) -> None:
    ids = vocabulary.ids(["linux", "kernel", "news", "zebra"])
    assert vocabulary.idf(ids) == pytest.approx([2.995732, 3.912023, 0.693147, 6.907755], abs=1e-6)


@pytest.mark.parametrize(
    ("text", "idf", "similarity"),
    [
        ("linux linux kernel news", True, 0.833419),
        ("linux linux kernel news", False, 0.816497),
        ("linux kernel", True, 0.607986),
        ("", True, 0.0),
        ("the of and", True, 0.0),
    ],
)
def test_similarity_to_the_query(vocabulary: Vocabulary, text: str, idf: bool, similarity: float) -> None:
    model = Similarity(vocabulary, "linux", idf=idf)
    assert model.judge(Text(vocabulary, text)).relevance == pytest.approx(similarity, abs=1e-6)


@pytest.mark.parametrize(
    ("on", "with_anchor", "without"),
    [("page", 0.833419, 0.833419), ("anchor", 0.607986, 0.0), ("both", 0.720702, 0.416709)],
)
def test_best_first_scores_the_links_of_a_page(
    vocabulary: Vocabulary, on: str, with_anchor: float, without: float
) -> None:
    # The anchors stand on a page of their own: the similarity of the page is given, as in the worked example.
    model = Similarity(vocabulary, "linux")
    body = b'<a href="/1">Linux kernel</a> <a href="/2"></a>'
    page = PageReader(vocabulary).read("http://a.example/", body, "text/html")
    page.relevance = model.judge(Text(vocabulary, PAGE.decode()[3:-4])).relevance
    ordering = BestFirst(on=on)
    ordering.bind(Surroundings(Topic("linux", "linux"), model, 0, vocabulary, LinkGraph()))
    assert ordering.score(page) == pytest.approx([with_anchor, without], abs=1e-6)


def test_all_anchors_at_once_are_judged_as_one_by_one(vocabulary: Vocabulary) -> None:
    model = Similarity(vocabulary, "linux kernel")
    texts = ["linux", "kernel news", "", "news zebra linux linux", "the", "zebra"]
    words = [words_of(text) for text in texts]
    ends = np.cumsum([len(w) for w in words]).astype(np.int32)
    starts = (ends - np.array([len(w) for w in words])).astype(np.int32)
    together = model.judge_spans(vocabulary.ids([word for w in words for word in w]), starts, ends)
    one_by_one = [model.judge(Text(vocabulary, text)).relevance for text in texts]
    assert together == pytest.approx(one_by_one, abs=1e-12)


def test_importance_of_the_pages_of_a_small_web(tmp_path: Path) -> None:
    """B12: s>ab, a>cd, b>c; s, a and b have been fetched."""
    web = DrawnWeb(drawn("s>ab a>cd b>c"), {})
    crawl = web.opened(tmp_path / "backlinks", Backlinks(), "s", FOCUSED_MAX_PAGES=3)
    assert list(web.visits(crawl)) == ["s", "a", "b"]
    assert crawl.state.frontier.score_of([4, 5]).tolist() == [2, 1]  # c and d
    crawl.abandon()
    ordering = PageRank()
    crawl = web.opened(tmp_path / "pagerank", ordering, "s", FOCUSED_MAX_PAGES=3, FOCUSED_REVISE_EVERY=3)
    assert list(web.visits(crawl)) == ["s", "a", "b"]
    shares = crawl.state.frontier.score_of([4, 5]) - 1  # of the one computation
    crawl.abandon()
    assert shares / (1 - shares) / 5 == pytest.approx([0.340511, 0.194092], abs=1e-6)
    graph = ordering.around.graph
    ranks = pagerank(graph.sources - 1, graph.targets - 1, graph.pages)
    assert ranks == pytest.approx([0.120882, 0.172257, 0.172257, 0.340511, 0.194092], abs=1e-6)  # s a b c d

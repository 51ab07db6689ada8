"""focused.evaluate.scores: the numbers of one crawl."""

from __future__ import annotations

import doctest
import math

import pytest

from focused.evaluate import scores, websites
from focused.evaluate.likeness import best_similarity
from focused.evaluate.reach import Reach
from focused.evaluate.runs import Run
from focused.evaluate.scores import Case, Stat, scores_of, seed_overlap
from focused.evaluate.webgraph import Graph

URLS = [f"http://{site}.example/{n}" for site in "abc" for n in range(4)]
RELEVANT = [True] * 4 + [True, False, False, False] + [False] * 4  # a is a relevant site, b and c are not


def case(pages: int = 6) -> Case:
    """Everything is linked from the last page of c, the seed."""
    links = [[] for _ in URLS[:-1]] + [list(range(len(URLS) - 1))]
    return Case.of(Reach(URLS, Graph.of(links), [11], True), RELEVANT, dict.fromkeys(URLS, 0.5), pages)


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(scores) == (0, 2)


def test_the_oracle_of_a_case() -> None:
    assert case().best == [URLS[11], *URLS[:5]]
    assert case().best_found == [False, *[True] * 5]
    assert len(case().wanted) == 5


def test_scores_of_a_crawl() -> None:
    urls = [URLS[11], URLS[0], URLS[8], URLS[4], URLS[1], URLS[5]]
    run = Run(urls, [False, True, False, True, True, True], pages_per_second=50.0, cpu_ms_per_page=4.0)
    found = [url in case().wanted for url in urls]
    got = scores_of(run, found, case(), pages=6)
    assert got["harvest"] == 0.5 and got["recall"] == 0.6
    assert got["area"] == pytest.approx((0 + 1 / 2 + 1 / 3 + 2 / 4 + 3 / 5 + 3 / 6) / 6)
    assert got["area_of_oracle"] == pytest.approx(got["area"] / ((0 + 1 / 2 + 2 / 3 + 3 / 4 + 4 / 5 + 5 / 6) / 6))
    assert (got["average_similarity"], got["pages"], got["relevant"]) == (0.5, 6, 3)
    assert (got["pages_per_second"], got["cpu_ms_per_page"]) == (50.0, 4.0)
    # Three sites with two pages each; only a is relevant; the model says so of a and of b.
    assert (got["pprs"], got["website_harvest"], got["pages_per_site"]) == (6.0, pytest.approx(1 / 3), 2.0)
    assert (got["precision"], got["recall_sites"], got["single_page_share"]) == (0.5, 1.0, 0.0)
    assert got["f"] == pytest.approx(2 / 3)


def test_a_crawl_of_websites_also_tells_how_it_stood_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """W-20, W-21: a site is finished with its last page, here a, c and then b."""
    monkeypatch.setattr(websites, "PPRS_WINDOW", 5)
    monkeypatch.setattr(websites, "HARVEST_WINDOW", 4)
    urls = [URLS[4], URLS[0], URLS[1], *URLS[8:10], URLS[5]]
    run = Run(urls, [True] * 6, verdicts={"a.example": True}, judges_sites=True)
    got = scores_of(run, [url in case().wanted for url in urls], case(), pages=6)
    assert (got["pprs"], got["website_harvest"]) == (6.0, pytest.approx(1 / 3))  # finished: a (2 pages), c (2), b (2)
    assert (got["pprs_last"], got["website_harvest_last"]) == (math.inf, 0.0)  # c and b, of which none is relevant
    pages = scores_of(Run(urls, [True] * 6), [True] * 6, case(), pages=6)
    assert not {"pprs_last", "website_harvest_last"} & pages.keys()  # a crawl of pages finishes no site


def test_likeness_gives_the_worked_numbers_of_the_evaluator() -> None:
    """B9: cosines of five pages with two relevant ones, from the vectors to the scores of a crawl (B-27, B-28)."""
    examples = [[1, 1, 0, 0], [1, 0, 1, 0]]  # linux kernel, linux shell
    m = best_similarity([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [1, 0.5, 0, 0.5], [0, 0, 0, 0]], examples)
    like = Case(dict.fromkeys(URLS, False), URLS[:5], dict(zip(URLS, m.tolist(), strict=False)))
    got = scores_of(Run(URLS[:5]), [False] * 5, like, pages=5)
    assert (got["similar_pages"], got["similar_harvest"]) == (2, 0.4)
    assert got["average_similarity"] == pytest.approx(0.514626, abs=1e-6)
    at_it = Case(like.relevant, like.best, dict.fromkeys(URLS, 0.75))
    assert scores_of(Run(URLS[:5]), [False] * 5, at_it, pages=5)["similar_pages"] == 0  # above 0.75, not at it


def test_the_oracle_has_neither_a_speed_nor_verdicts() -> None:
    got = scores_of(Run(case().best), case().best_found, case(), pages=6)
    assert got["area_of_oracle"] == 1.0
    assert not {"pages_per_second", "cpu_ms_per_page", "precision", "recall_sites", "f"} & got.keys()


def test_a_crawl_that_ran_dry_is_measured_over_all_pages_it_was_allowed() -> None:
    got = scores_of(Run([URLS[0]], [True]), [True], case(), pages=6)
    assert got["harvest"] == 1.0 and got["area"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5 + 1 / 6) / 6)


def test_overlap_with_the_other_seeds() -> None:
    assert seed_overlap(Run(list("abcd")), [Run(list("ab")), Run(list("wxyz"))]) == 0.5


def test_an_infinite_number_has_no_mean() -> None:
    assert Stat.of([math.inf, None]) == (None, None, [None, None])
    assert Stat.of([]) == (None, None, [])
    assert Stat.of([2.0]) == (2.0, 0.0, [2.0])

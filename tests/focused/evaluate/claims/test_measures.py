"""focused.evaluate.claims.measures: each number of a crawl that was made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focused.evaluate.claims import measures
from focused.evaluate.claims.chakrabarti_checks import FindsMissed, HigherOverlap, Overlap, SiteOverlap
from focused.evaluate.claims.checks import Each
from focused.evaluate.claims.claim import Setup, Study
from focused.evaluate.claims.outcome import Outcome, mean
from tests.focused.evaluate.claims.made import outcome


def with_sites(sites: str, found: str, relevant: str, called: str) -> Outcome:
    """`relevant`: sites that are; `called`: sites that the crawl takes for it."""
    made = outcome(0.0, found, sites)
    told = {site: site in called for site in sites}
    run = replace(made.run, verdicts=told, judges_sites=True, depths=list(range(len(sites))))
    return replace(made, run=run, websites=sorted(set(relevant) & set(sites)))


def test_harvest_of_parts() -> None:
    made = outcome(0.0, "1101000000")
    assert measures.HARVEST.of(made) == 0.3 and measures.PAGES.of(made) == 10 and measures.RELEVANT.of(made) == 3
    assert measures.harvest_between(0.0, 0.2, "early").of(made) == 1.0
    assert measures.harvest_between(0.5, 1.0, "late").of(made) == 0.0
    assert measures.AREA.of(outcome(0.0, "11")) == 1.0 and mean([]) == 0.0


def test_harvest_against_pages_drawn_blindly() -> None:
    made = replace(outcome(0.0, "1101000000"), base_rate=0.1)
    assert measures.over_base_rate(2, 6).of(made) == pytest.approx(2.5)  # one of four, where one in ten is


def test_share_of_sure_pages() -> None:
    made = outcome(0.0, "0000")
    sure = measures.share_of_relevance(0.9, 1.01, "sure")
    assert sure.of(replace(made, run=replace(made.run, relevance=[1.0, 0.9, 0.89, 0.0]))) == 0.5


def test_websites() -> None:
    made = with_sites("aaabbcd", "1110101", relevant="abcz", called="acd")
    assert measures.right_sites(made) == ["a", "c"]
    assert measures.SITES_PER_HUNDRED.of(made) == pytest.approx(100 * 2 / 7)
    assert measures.WEBSITE_HARVEST.of(made) == 2 / 4
    assert measures.F.of(made) == pytest.approx(2 / 3)  # precision 2/3, recall 2/3
    assert measures.PAGES_PER_SITE.of(made) == 7 / 4
    assert measures.SINGLE_PAGES.of(made) == 0.5  # c of a and c
    assert measures.LATE_SITES.of(made) == 0.0  # c was met after five of seven pages
    assert measures.LATE_SITES.of(with_sites("aaaaaaab", "0" * 8, "ab", "")) == 2.0


def test_sites_of_a_page_crawl_are_judged_by_the_pages_it_has() -> None:
    made = with_sites("aab", "110", relevant="ab", called="b")
    run = replace(made.run, judges_sites=False, relevance=[0.9, 0.4, 0.5])
    assert measures.right_sites(replace(made, run=run)) == ["a"]  # b is a tie, and that is no relevance


def test_homepages_alone() -> None:
    made = with_sites("ab", "11", relevant="ab", called="ab")
    urls = ["http://a/", "http://b/x"]  # of b the homepage was not had
    assert measures.HOMEPAGE_F.of(replace(made, run=replace(made.run, urls=urls))) == pytest.approx(2 / 3)


def test_far_sites() -> None:
    made = with_sites("abab", "1111", "ab", "ab")  # nearest: a 0, b 1
    assert measures.far_sites(1).of(made) == 0.5 and measures.far_sites(2).of(made) == 0.0


def test_recall_of_shops() -> None:
    made = replace(outcome(0.0, "1110", "aabc"), existing={"a": 4, "b": 1, "c": 1, "d": 2})
    assert measures.SITE_RECALL.of(made) == pytest.approx((0.5 + 1 + 0 + 0) / 4)
    assert measures.LARGE_RECALL.of(made) == pytest.approx(0.25)  # a and d
    assert measures.SMALL_RECALL.of(made) == pytest.approx(0.5)  # b and c


# --- two crawls from disjoint seeds ----------------------------------------------------------------------------

PAIRS = Study(Setup("sim:small", ("x", "y"), 10, "", pairs=True, seeds=1), "soft")


def crawl(urls: str) -> Outcome:
    made = outcome(0.0, "1" * len(urls))
    return replace(made, run=replace(made.run, urls=[f"http://{sign}/" for sign in urls]))


def test_what_only_the_first_crawl_finds() -> None:
    study, other = PAIRS._replace(ordering="promoting"), PAIRS
    results = {study: {("x", 0): crawl("abc"), ("x", 1): crawl("abd")}, other: {("x", n): crawl("aef") for n in (0, 1)}}
    finding = FindsMissed(study, other).look(results)
    assert finding.holds and "2 ± 0" in finding.numbers
    assert not FindsMissed(study, study).look(results).holds


def test_trials_of_pairs_share_a_web() -> None:
    assert PAIRS.setup.trials == [("x", 0), ("y", 0), ("x", 1), ("y", 1)]


def test_overlap_grows() -> None:
    found = {
        PAIRS: {
            ("x", 0): crawl("abcdefghij"),
            ("x", 1): crawl("jihgfedcba"),
            ("y", 0): crawl("abcdefghij"),
            ("y", 1): crawl("klmnopqrsj"),
        }
    }
    grown = Overlap(PAIRS).look(found)
    assert grown.numbers.startswith("pages shared at the end 0.550, after a tenth 0.000")
    assert not grown.holds  # 1.0 and 0.1 are far apart: a standard error of 0.45
    each = Each(Overlap(PAIRS, least=0.6)).look(found)
    assert not each.holds and each.numbers.startswith("on 1 of 2 topics; x: pages shared at the end 1.000")
    assert "y (no): pages shared at the end 0.100" in each.numbers
    same = {PAIRS: {trial: found[PAIRS]["x", trial[1]] for trial in found[PAIRS]}}
    assert Overlap(PAIRS, least=0.6).look(same).holds and not Overlap(PAIRS, least=1.1).look(same).holds
    assert HigherOverlap(PAIRS, "x", "y").look(found).holds and not HigherOverlap(PAIRS, "y", "x").look(found).holds
    assert not SiteOverlap(PAIRS).look(found).holds  # a site a page here: the same

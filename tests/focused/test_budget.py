from __future__ import annotations

import json
from dataclasses import replace

import pytest

from focused.budget import MOST_ERRORS, SiteBudget, VerdictBudget, YieldBudget, made
from focused.page import Page, PageReader
from focused.store.rows import Site
from models.text import Vocabulary
from tests.rig.handmade import Told

VOCABULARY = Vocabulary()


def page(relevance: float, words: str = "some words", links: str = "") -> Page:
    anchors = " ".join(f'<a href="http://{host}/">x</a>' for host in links.split())
    read = PageReader(VOCABULARY).read("http://a.example/p", f"<p>{words} {anchors}</p>".encode(), "text/html")
    read.relevance, read.relevant = relevance, relevance >= 0.5
    return read


def had(budget: SiteBudget, site: Site, *pages: Page) -> str | None:
    """Pages of a site as the crawl has them; why the site is closed then."""
    for read in pages:
        budget.spend(site)
        budget.learn(site, read)
        site.pages, site.relevant = site.pages + 1, site.relevant + read.relevant
    return budget.why_closed(site)


# --- a number --------------------------------------------------------------------------------------------


def test_requests_under_way_count_until_they_fail() -> None:
    budget, site = SiteBudget(2), Site(1, "a.example")
    budget.spend(site)
    assert not budget.is_spent(site)
    budget.spend(site)
    assert budget.is_spent(site)
    budget.refund(site)
    assert not budget.is_spent(site)


def test_a_site_is_closed_with_a_reason_once_its_pages_are_had() -> None:
    assert SiteBudget(2).why_closed(Site(1, "a.example", pages=1)) is None
    assert SiteBudget(2).why_closed(Site(1, "a.example", pages=2)) == "budget of 2 pages spent"


def test_without_a_limit_nothing_is_spent() -> None:
    site = Site(1, "a.example", pages=10**6, granted=10**6)
    assert not SiteBudget().is_spent(site)
    assert SiteBudget().why_closed(site) is None
    assert SiteBudget().left(site) is None


def test_a_site_that_never_answers_is_left_alone() -> None:
    assert SiteBudget().why_closed(Site(1, "a.example", errors=MOST_ERRORS - 1)) is None
    assert "unreachable" in str(SiteBudget().why_closed(Site(1, "a.example", errors=MOST_ERRORS)))


# --- verdict ---------------------------------------------------------------------------------------------


def test_an_irrelevant_site_is_closed_after_a_few_pages() -> None:
    """E4: 0.3, 0.2, 0.25 make 0.082."""
    budget, site = VerdictBudget(), Site(1, "a.example")
    assert had(budget, site, page(0.3), page(0.2)) is None
    assert had(budget, site, page(0.25)) == "irrelevant: posterior 0.082 after 3 pages"
    assert (site.posterior, site.mean_confidence) == pytest.approx((0.082227, 0.25), abs=1e-6)


def test_a_relevant_site_earns_pages_by_its_links() -> None:
    budget, site = VerdictBudget(pages=4), Site(1, "a.example")
    linking = page(0.9, links="b.example c.example c.example a.example")
    assert had(budget, site, linking, linking, page(0.9)) is None
    assert budget.left(site) == 4 + int(2 * 0.9 * 2) - 3
    why = had(budget, site, *[page(0.9)] * 4)
    assert why == "relevant, but its links earned no more: posterior 0.944 after 7 pages"


def test_an_undecided_site_has_its_pages_and_no_more() -> None:
    budget, site = VerdictBudget(pages=3), Site(1, "a.example")
    assert had(budget, site, *[page(0.5)] * 3) == "undecided: posterior 0.500 after 3 pages"


def test_the_threshold_of_a_model_is_where_a_page_says_nothing() -> None:
    budget, site = VerdictBudget(threshold=0.08), Site(1, "a.example")
    had(budget, site, page(0.08))
    assert site.posterior == pytest.approx(0.5)


def test_a_page_without_words_says_nothing() -> None:
    budget, site = VerdictBudget(), Site(1, "a.example")
    had(budget, site, page(0.0, words=""))
    assert site.posterior == pytest.approx(0.5)


# --- yield -----------------------------------------------------------------------------------------------


def test_misses_use_up_the_credit_and_relevant_pages_bring_some() -> None:
    budget, site = YieldBudget(pages=3), Site(1, "a.example")
    had(budget, site, page(0.0), page(0.9, "one"), page(0.9, "two"))
    assert budget.left(site) == 3 - 1 + 2 + 2
    assert had(budget, site, *[page(0.0)] * 6) == "no credit left: 2 of 9 pages were relevant"


def test_a_copy_of_a_relevant_page_is_a_miss() -> None:
    budget, site = YieldBudget(pages=3), Site(1, "a.example")
    had(budget, site, page(0.9, "one"), page(0.9, "one"))
    assert budget.left(site) == 3 + 2 - 1


def test_even_the_best_site_is_left_after_a_hundred_misses() -> None:
    budget, site = YieldBudget(), Site(1, "a.example")
    had(budget, site, *[page(0.9, f"word{n}") for n in range(200)])
    assert budget.left(site) == 100


def test_requests_under_way_are_counted_against_the_credit() -> None:
    budget, site = YieldBudget(pages=2), Site(1, "a.example")
    budget.spend(site)
    budget.spend(site)
    assert budget.is_spent(site)


# --- all of them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [VerdictBudget, YieldBudget])
def test_what_was_learned_survives_as_json(kind: type[SiteBudget]) -> None:
    budget, site, other = kind(), Site(1, "a.example"), Site(2, "b.example")
    had(budget, site, page(0.9, "one", "b.example"), page(0.7, "two"))
    parts = budget.state()
    assert (list(parts), budget.state()) == (["site:1"], {})
    had(budget, other, page(0.2))
    parts |= budget.state()
    twin = kind()
    twin.restore(json.loads(json.dumps(parts)))
    assert twin == budget
    assert [twin.left(replace(s)) for s in (site, other)] == [budget.left(site), budget.left(other)]


def test_the_setting_names_the_budget() -> None:
    model = Told(VOCABULARY, "")
    assert made(0, model) == SiteBudget()
    assert made(7, model) == SiteBudget(7)
    assert made("yield", model) == YieldBudget()
    assert made("verdict", model) == VerdictBudget(threshold=0.5, p_err=0.12)

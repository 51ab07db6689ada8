"""Ester, Kriegel, Schubert 2004: worked numbers of both crawlers (W-13 to W-19), and of the experiments (W-22).

Left out: the weight of a page among three classes (E6, 0.068889). The crawler knows the wanted class and all the rest,
as in the paper; the formula for more than two is a reading of the specification, and nothing here would call it.
"""

from __future__ import annotations

import pytest

from focused.evaluate.websites import f_measure
from focused.examples.simulated import SITES_OF_OTHERS, SITES_OF_TOPIC
from focused.orderings.counts import Counts
from focused.orderings.external import Border
from focused.orderings.internal import Begun, Internal, Rules, weight
from focused.orderings.page_crawler import PageCrawler
from models.website import prior

RULES = Rules()


def internal(prior: float = 0.5, rules: Rules = RULES) -> Internal:
    return Internal(Begun(1, prior, 1), rules)


@pytest.mark.parametrize(("confidence", "expected"), [(0.5, 0.0), (0.6, 0.01), (0.1, 0.16), (0.9, 0.16), (1.0, 0.25)])
def test_a_page_that_speaks_clearly_weighs_most(confidence: float, expected: float) -> None:
    """E6."""
    assert weight(confidence) == pytest.approx(expected, abs=1e-9)


def test_pages_are_ranked_by_the_mean_weight_of_their_links() -> None:
    """E6: q1 = 0.9, q2 = 0.6, q3 = 0.1; a b c d e are 11 to 15, found in this order."""
    crawl = internal()
    a, b, c, d, e = range(11, 16)
    crawl.read(1, "q1", 0.9, [a, b], [])
    crawl.read(2, "q2", 0.6, [b, c, d], [])
    crawl.read(3, "q3", 0.1, [d, e], [])
    ranks = {page: crawl.rank(page) for page in (a, b, c, d, e)}
    assert list(ranks.values()) == pytest.approx([0.16, 0.085, 0.01, 0.085, 0.16], abs=1e-6)
    assert sorted(ranks, key=lambda page: (-ranks[page], page)) == [a, e, b, d, c]


@pytest.mark.parametrize(("kind", "expected"), [("global", 0.6), ("local", 0.7), ("combined", 0.65)])
def test_edges_of_figure_three(kind: str, expected: float) -> None:
    """E7: a site of confidence 0.6, linked to by pages of 0.9 and 0.5."""
    crawl = internal()
    crawl.read(1, "p", 0.9, [2], [7])
    crawl.read(2, "q", 0.5, [], [7, 8])
    crawl.site.frozen = [0.6, 0.4]
    assert crawl.edge(7, kind) == pytest.approx(expected, abs=1e-6)


def test_sites_are_ranked_by_the_mean_weight_of_their_edges() -> None:
    """E7: order U, V, X."""
    border = Border()
    edges = {1: [0.65, 0.85], 2: [0.70], 3: [0.95, 0.20, 0.50]}
    for site, weights in edges.items():
        border.meet(site, home=site)
        for value in weights:
            border.publish(site, value)
    assert [border.places[site].rank for site in (1, 2, 3)] == pytest.approx([0.75, 0.70, 0.55], abs=1e-6)
    assert [border.pop() for _ in range(4)] == [1, 2, 3, None]


@pytest.mark.parametrize(
    ("pages", "posterior", "expected"),
    [
        ([(0.9, 4), (0.8, 3), (0.7, 0)], 0.95, 9.473684),
        ([(0.2, 4), (0.1, 3), (0.3, 0)], 0.05, 82.0),
        ([(0.9, 0)] * 5, 0.95, 5.263158),
    ],
)
def test_link_rank(
    monkeypatch: pytest.MonkeyPatch, pages: list[tuple[float, int]], posterior: float, expected: float
) -> None:
    """E8."""
    crawl = internal()
    for number, (confidence, links) in enumerate(pages):
        crawl.read(number, "p", confidence, [], list(range(links)))
    monkeypatch.setattr(type(crawl.site), "posterior", posterior)
    assert crawl.link_rank == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("confidence", "decided_after", "pages", "posterior", "link_rank"),
    [(0.8, 3, 8, 0.999620, 20.807899), (0.2, 3, 3, 0.049571, 84.726109), (0.5, None, 50, 0.5, 200.0)],
)
def test_a_site_is_read_until_it_is_known(
    confidence: float, decided_after: int | None, pages: int, posterior: float, link_rank: float
) -> None:
    """E8, full run: two links a page; relevant, irrelevant, and one that cannot be decided."""
    crawl, decided, number = internal(), None, 0
    while not crawl.is_over:
        number += 1
        crawl.read(number, "p", confidence, [number + 1], [101, 102])
        decided = decided or (number if crawl.site.decided else None)
    assert (decided, crawl.downloads) == (decided_after, pages)
    assert crawl.site.posterior == pytest.approx(posterior, abs=1e-6)
    assert crawl.link_rank == pytest.approx(link_rank, abs=1e-6)


def test_classification_only_needs_no_links() -> None:
    """§5.2: l_threshold 0 stops where the verdict stands."""
    crawl = internal(rules=Rules(l_threshold=0.0))
    for number in (1, 2, 3):
        assert not crawl.is_over
        crawl.read(number, "p", 0.8, [number + 1], [101, 102])
    assert crawl.is_over


@pytest.mark.parametrize(("relevant", "screened", "expected"), [(0, 0, 0.5), (3, 10, 1 / 3), (0, 200, 0.05)])
def test_a_crawl_begins_with_the_harvest_so_far(relevant: int, screened: int, expected: float) -> None:
    """W-11."""
    assert internal(prior(relevant, screened)).site.posterior == pytest.approx(expected, abs=1e-9)


def test_the_fifth_window_is_the_collapse() -> None:
    """W-19, A5: pprs of 6, 5, 7.5, 12, 15.5, 30, in windows of 60 pages and more."""
    counts, collapsed = Counts(), []
    for pages, relevant in ((60, 10), (60, 12), (60, 8), (60, 5), (62, 4), (60, 2)):
        for _ in range(relevant - 1):
            counts.add(0, True, 60, 3.0)
        counts.add(pages, True, 60, 3.0)
        collapsed.append(counts.has_collapsed)
    assert collapsed.index(True) + 1 == 5


def test_a_window_without_a_relevant_site_is_a_collapse_once_there_was_one() -> None:
    counts = Counts()
    counts.add(10, False, 10, 3.0)
    assert not counts.has_collapsed
    counts.add(10, True, 10, 3.0)
    counts.add(10, False, 10, 3.0)
    assert counts.has_collapsed


def test_the_guard_of_the_page_crawler() -> None:
    """W-25: 100 pages a site."""
    assert PageCrawler().budget().pages == 100


@pytest.mark.parametrize(
    ("whole", "homepage", "f", "gain", "printed"),
    [
        ((0.84, 0.97), (0.49, 0.88), 0.900331, 0.270842, 0.27),  # horses
        ((1.00, 0.90), (0.86, 0.79), 0.947368, 0.123853, 0.12),  # astronomy
        ((0.90, 0.97), (0.77, 0.92), 0.933690, 0.095347, 0.10),  # sailing
        ((0.81, 0.97), (0.76, 0.83), 0.882809, 0.089350, 0.11),  # mountain biking: the paper contradicts itself
        ((0.76, 1.00), (0.74, 0.89), 0.863636, 0.055538, 0.05),  # skate boarding
        ((0.79, 0.79), (0.74, 0.72), 0.790000, 0.060137, 0.05),  # boxing
    ],
)
def test_what_whole_sites_gain_in_table_two(
    whole: tuple[float, float], homepage: tuple[float, float], f: float, gain: float, printed: float
) -> None:
    """E10, from precision and recall as printed."""
    assert f_measure(*whole) == pytest.approx(f, abs=1e-6)
    assert f_measure(*whole) - f_measure(*homepage) == pytest.approx(gain, abs=1e-6)
    assert abs(gain - printed) < 0.021


def test_sites_of_table_one() -> None:
    """E10: they are 344, though the text says 335; simulated examples are as many as a topic and the others have."""
    topics = [32, 39, 39, 34, 35, 33]
    assert sum(topics) + SITES_OF_OTHERS == 344
    assert round(sum(topics) / len(topics)) == SITES_OF_TOPIC

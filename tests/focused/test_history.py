"""Which page is most worth another look."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.history import History

Page = tuple[int, int, float, float, float, int, int]


def past(*pages: Page, hubs: list[tuple[int, float]] | None = None) -> History:
    """id, site, relevance, had at, last looked at, revisits, changes."""
    history = History()
    history.load(pages, hubs or [])
    return history


def order(history: History, now: float) -> list[int]:
    return [int(history.rows["id"][place]) for place in np.argsort(-history.worth(now), kind="stable")]


def test_of_pages_alike_the_one_not_seen_for_longest_comes_first() -> None:
    assert order(past((1, 1, 0.5, 0, 90, 1, 0), (2, 1, 0.5, 0, 50, 1, 0), (3, 1, 0.5, 0, 70, 1, 0)), 100) == [2, 3, 1]


def test_the_page_that_changed_more_often_comes_first() -> None:
    assert order(past((1, 1, 0.5, 0, 90, 9, 0), (2, 1, 0.5, 0, 90, 9, 8), (3, 1, 0.5, 0, 90, 9, 3)), 100) == [2, 3, 1]


def test_the_more_relevant_page_and_the_better_hub_come_first() -> None:
    pages: list[Page] = [(1, 1, 0.1, 0, 0, 0, 0), (2, 1, 0.9, 0, 0, 0, 0), (3, 1, 0.1, 0, 0, 0, 0)]
    assert order(past(*pages), 100) == [2, 1, 3]
    assert order(past(*pages, hubs=[(3, 7.0), (1, 0.7)]), 100) == [3, 2, 1]


def test_a_page_without_a_past_is_taken_for_an_average_one_of_its_site() -> None:
    """Site 1 is lively, site 2 asleep: so are pages 9 and 8, of which nothing is known yet."""
    lively: list[Page] = [(n, 1, 0.5, 0, 90, 9, 6) for n in (1, 2, 3)]
    asleep: list[Page] = [(n, 2, 0.5, 0, 90, 9, 0) for n in (4, 5, 6)]
    shown = order(past(*lively, *asleep, (8, 2, 0.5, 90, 90, 0, 0), (9, 1, 0.5, 90, 90, 0, 0)), 100)
    assert shown.index(9) < shown.index(8) < shown.index(4)


def test_a_page_just_seen_is_worth_nothing_and_an_empty_past_is_no_mistake() -> None:
    assert past((1, 1, 1.0, 0, 100, 5, 5)).worth(100.0).tolist() == [0.0]
    assert past().worth(1.0).tolist() == []


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 5)), min_size=1, max_size=8),
    st.sampled_from([1e-4, 1.0, 86400.0]),
)
def test_the_order_is_the_same_whatever_a_unit_of_time_is(given: list[tuple[int, int, int]], unit: float) -> None:
    def worth(unit: float) -> list[float]:
        pages: list[Page] = [
            (n, n % 3, 0.5, 0.0, unit * max(had, last), n, changes) for n, (had, last, changes) in enumerate(given, 1)
        ]
        return past(*pages).worth(100 * unit).tolist()

    np.testing.assert_allclose(worth(unit), worth(1.0), rtol=1e-6)

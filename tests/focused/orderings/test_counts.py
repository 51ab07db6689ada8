"""What several workers count of one crawl: all of it, each once."""

from __future__ import annotations

from focused.orderings.counts import Counts, counts_of

WINDOW, FACTOR = 100, 3.0


def told(counts: Counts) -> Counts:
    return counts_of(True, counts.state())


def test_windows_are_over_the_pages_of_all_workers() -> None:
    one, other, alone = Counts(), Counts(), Counts()
    for number, pages in enumerate((50, 50, 40, 60, 70, 90, 100, 100, 100)):
        own, away = (one, other) if number % 2 else (other, one)
        is_relevant = number < 3
        own.add(pages, is_relevant, WINDOW, FACTOR)
        away.hear([told(own)], WINDOW, FACTOR)
        alone.add(pages, is_relevant, WINDOW, FACTOR)
        for counts in (one, other):
            assert [counts.of_all(name) for name in ("screened", "relevant", "downloads")] == [
                alone.screened, alone.relevant, alone.downloads,
            ]  # fmt: skip
            assert (counts.best, counts.pages, counts.has_collapsed) == (alone.best, alone.pages, alone.has_collapsed)
            assert counts.anybody_collapsed == alone.has_collapsed
    assert alone.has_collapsed


def test_what_was_heard_is_in_one_window_only_also_after_a_kill() -> None:
    one, other = Counts(), Counts()
    other.add(60, True, WINDOW, FACTOR)
    one.hear([told(other)], WINDOW, FACTOR)
    assert one.is_untold
    again = Counts(*one.state())
    again.hear([told(other)], WINDOW, FACTOR)
    assert (again.pages, again.found, again.is_untold) == (60, 1, False)


def test_one_that_has_collapsed_ends_it_for_all() -> None:
    one, other = Counts(), Counts(has_collapsed=True)
    one.hear([told(other)], WINDOW, FACTOR)
    assert one.anybody_collapsed


def test_who_is_gone_is_at_work_no_more_and_what_it_has_done_stands() -> None:
    counts = Counts(screened=3, at_work=True)
    assert (counts_of(True, counts.state()).at_work, counts_of(False, counts.state()).at_work) == (True, False)
    assert counts_of(False, counts.state()).screened == 3


def test_counts_of_an_earlier_version_are_understood() -> None:
    assert Counts(*[7, 3, 3, 8, 40, 1, 12.0, False]).screened == 7

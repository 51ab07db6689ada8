"""focused.revision: work beside the crawl, its result taken up in the crawl's own thread."""

from __future__ import annotations

import time
from threading import Event, current_thread, main_thread

import pytest

from focused.orderings.base import Revision
from focused.revision import Reviser

DONE = Revision(events=[("done", "")])


def test_in_strict_order_the_work_is_done_at_once() -> None:
    reviser = Reviser(at_once=True)
    reviser.start(lambda: DONE)
    assert reviser.result() is DONE and reviser.result() is None


def test_otherwise_the_crawl_goes_on_meanwhile() -> None:
    go, reviser = Event(), Reviser(at_once=False)

    def work() -> Revision:
        go.wait(10)
        return Revision(events=[("thread", str(current_thread() is main_thread()))])

    reviser.start(work)
    assert reviser.is_busy and reviser.result() is None
    go.set()
    for _ in range(1000):
        if revision := reviser.result():
            break
        time.sleep(0.01)
    assert revision is not None and revision.events == [("thread", "False")]


def test_an_error_of_the_work_is_raised_where_its_result_is_asked_for() -> None:
    reviser = Reviser(at_once=True)
    reviser.start(lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(ZeroDivisionError):
        reviser.result()

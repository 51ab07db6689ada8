"""focused.timing: what a task costs is counted, also when it fails."""

from __future__ import annotations

import pytest

from focused.timing import JUDGING, ORDERING, Timing


def work(rounds: int) -> int:
    return sum(number * number for number in range(rounds))


def fail() -> None:
    work(100_000)
    raise ValueError


def test_work_is_done_and_counted_under_its_task() -> None:
    timing = Timing()
    assert timing.of(JUDGING, work, 100_000) == work(100_000)
    assert timing.seconds[JUDGING] > 0 == timing.seconds[ORDERING]
    with pytest.raises(ValueError):
        timing.of(ORDERING, fail)
    assert timing.seconds[ORDERING] > 0
    assert timing.told["cpu"] >= timing.seconds[JUDGING]

"""What is slow to count is counted once for all who look, and the less often the longer it takes."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Generic, TypeVar

LARGE = 20_000  # pages from which on tables over all pages and links follow after the page they belong to
LEAST = 2.0  # seconds that an answer holds
SPARING = 20  # a question that takes a second is asked every 20 seconds

T = TypeVar("T")


class Kept(Generic[T]):
    """Answers by name; one who asks while another counts gets the answer of before, if there is one."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[T, float]] = {}  # with the time until which each holds
        self._counting: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def old(self, name: str) -> T | None:
        """The last answer, whether it still holds or not."""
        return self._answers[name][0] if name in self._answers else None

    def fresh(self, name: str) -> T | None:
        """The last answer, while it holds."""
        found, until = self._answers.get(name, (None, 0.0))
        return found if time.time() < until else None

    def get(self, name: str, count: Callable[[], T]) -> T:
        if (found := self.fresh(name)) is not None:
            return found
        old, counting = self.old(name), self._counting[name]
        if not counting.acquire(blocking=old is None) and old is not None:
            return old
        try:
            return self.fresh(name) or self._counted(name, count)
        finally:
            counting.release()

    def _counted(self, name: str, count: Callable[[], T]) -> T:
        begun = time.time()
        answer = count()
        self._answers[name] = (answer, time.time() + max(LEAST, SPARING * (time.time() - begun)))
        return answer

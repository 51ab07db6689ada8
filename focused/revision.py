"""Looking back over the whole crawl without stopping it: the work is done in a thread, its result taken up later."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Reviser(Generic[Result]):
    """One piece of work at a time; in strict order it is done at once and its result has a fixed place."""

    def __init__(self, at_once: bool) -> None:
        self.at_once = at_once
        self._thread: Thread | None = None
        self._result: Result | Exception | None = None

    @property
    def is_busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, work: Callable[[], Result]) -> None:
        """The thread ends with the process: what it had not finished is done again after a restart."""
        if self.at_once:
            self._run(work)
        else:
            self._thread = Thread(target=self._run, args=(work,), name="revision", daemon=True)
            self._thread.start()

    def _run(self, work: Callable[[], Result]) -> None:
        try:
            self._result = work()
        except Exception as error:
            self._result = error

    def result(self) -> Result | None:
        """What came out, once; an error of the work is raised here, in the crawl's own thread."""
        if self._result is None or self.is_busy:
            return None
        result, self._result, self._thread = self._result, None, None
        if isinstance(result, Exception):
            raise result
        return result

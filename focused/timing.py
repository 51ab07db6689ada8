"""Where the processor's time goes: seconds by task (xCrawl, Fig. 4; X-20)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")
JUDGING, ORDERING = "judging", "ordering"  # the page model; the strategy: its graph, its choices


class Timing:
    """Seconds of this thread by task."""

    def __init__(self) -> None:
        self.seconds = {JUDGING: 0.0, ORDERING: 0.0}
        self._begun = time.process_time()

    def of(self, task: str, work: Callable[..., Result], *given: Any) -> Result:
        """Do the work, and count what it costs."""
        begun = time.thread_time()
        try:
            return work(*given)
        finally:
            self.seconds[task] += time.thread_time() - begun

    @property
    def told(self) -> dict[str, float]:
        """For the store: `cpu` is the time of the whole process."""
        tasks = {f"cpu_{task}": spent for task, spent in self.seconds.items()}
        return {"cpu": time.process_time() - self._begun, **tasks}

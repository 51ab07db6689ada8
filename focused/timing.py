"""Where the time goes: seconds by task (xCrawl, Fig. 4; X-20).

Seconds of the processor for what is computed here. A browser is another process: pages wait for it by the clock.
"""

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
        self.rendering = 0.0  # by the clock; pages that are shown at the same time count each
        self._begun, self._started = time.process_time(), time.monotonic()

    def of(self, task: str, work: Callable[..., Result], *given: Any) -> Result:
        """Do the work, and count what it costs."""
        begun = time.thread_time()
        try:
            return work(*given)
        finally:
            self.seconds[task] += time.thread_time() - begun

    @property
    def told(self) -> dict[str, float]:
        """For the store: `cpu` is the time of the whole process, `seconds` what passed since it began."""
        tasks = {f"cpu_{task}": spent for task, spent in self.seconds.items()}
        clock = {"seconds": time.monotonic() - self._started, "seconds_rendering": self.rendering}
        return {"cpu": time.process_time() - self._begun, **tasks, **clock}

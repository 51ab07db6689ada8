"""soft_focus whose distillations take until somebody takes a file away."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from focused.orderings.base import Revision
from focused.orderings.soft_focus import SoftFocus


@dataclass
class SlowFocus(SoftFocus):
    """`gate`: while this file is there, a distillation that has begun does not end; it writes its number into it."""

    gate: str = ""

    def revise(self) -> Callable[[], Revision] | None:
        work = super().revise()

        def slow() -> Revision:
            assert work is not None
            if Path(self.gate).exists():
                Path(self.gate).write_text(str(os.getpid()))
            while Path(self.gate).exists():
                time.sleep(0.01)
            return work()

        return slow

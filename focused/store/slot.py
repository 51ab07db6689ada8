"""Which worker this process is: each has files of its own in the crawl's folder, and a name that goes with them.

A process takes the first slot of the folder that no other holds. One that was killed leaves its slot, with its files
and its name, to the next: so what it had under way is taken back at once, without waiting for its lease to run out.
"""

from __future__ import annotations

import uuid
from itertools import count
from pathlib import Path

from focused.errors import StoreError
from focused.store.lock import held


class Slot:
    """Held as long as the process lives."""

    def __init__(self, folder: Path) -> None:
        if (folder / "crawl.db").exists():
            raise StoreError(
                f"{folder} holds a crawl on SQLite: give another FOCUSED_CRAWL, or leave FOCUSED_STORE empty."
            )
        self._handle = next(found for number in count(1) if (found := held(folder / f"worker-{number}.id")))
        self._handle.seek(0)
        self.name = self._handle.read().strip()
        if not self.name:
            self.name = str(uuid.uuid4())
            self._handle.write(self.name)
            self._handle.flush()

    def close(self) -> None:
        self._handle.close()

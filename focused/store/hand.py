"""The page being read right now, in eight bytes that outlive the process.

A page that makes a parser crash would do so again at each resume. The mark tells the next run which
one it was; it costs a store to memory, no system call.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_ID = struct.Struct("<q")


class Hand:
    """Holds the id of one page, 0 when empty."""

    def __init__(self, path: Path) -> None:
        if not path.exists() or path.stat().st_size < _ID.size:
            path.write_bytes(_ID.pack(0))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _ID.size)
        self.left_over: int = _ID.unpack(self._map)[0]
        self.free()

    def hold(self, page_id: int) -> None:
        """Not after the end of the crawl: Scrapy may still hand out pages that nobody takes."""
        if not self._map.closed:
            self._map[:] = _ID.pack(page_id)

    def free(self) -> None:
        self.hold(0)

    def close(self) -> None:
        self._map.close()

"""One crawler a folder."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from focused.errors import StoreError


def locked(path: Path) -> IO[str]:
    """Two crawlers on one file would each believe to be the only writer."""
    try:
        handle = path.open("w")
    except OSError as error:
        raise StoreError(
            f"{path.parent} cannot be written ({error.strerror}): give another FOCUSED_DATA_DIR."
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        raise StoreError(
            f"Another crawl is running in {path.parent}: wait for it, or give another FOCUSED_CRAWL."
        ) from None
    return handle

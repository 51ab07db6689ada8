"""One crawler a folder, or one worker a set of files."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from focused.errors import StoreError


def locked(path: Path) -> IO[str]:
    """Two crawlers on one file would each believe to be the only writer."""
    handle = held(path)
    if handle is None:
        raise StoreError(f"Another crawl is running in {path.parent}: wait for it, or give another FOCUSED_CRAWL.")
    return handle


def held(path: Path) -> IO[str] | None:
    """The open file, for as long as this process lives; None: another one holds it."""
    try:
        handle = path.open("a+")
    except OSError as error:
        raise StoreError(
            f"{path.parent} cannot be written ({error.strerror}): give another FOCUSED_DATA_DIR."
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        return None
    return handle

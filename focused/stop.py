"""What ends a crawl that could have gone on."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Stopped(Exception):
    """The crawl cannot go on; the reason is a word such as disk_full."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def stops_when_full(step: Callable[P, T]) -> Callable[P, T]:
    """A step that writes: a full disk ends the crawl under its name, whoever noticed it."""

    @wraps(step)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return step(*args, **kwargs)
        except OSError as error:
            if error.errno in _FULL:
                raise Stopped("disk_full") from error
            raise
        except sqlite3.OperationalError as error:
            if "full" in str(error) or "disk I/O" in str(error):
                raise Stopped("disk_full") from error
            raise

    return guarded

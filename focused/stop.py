"""What ends a crawl that could have gone on."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from focused.errors import FocusedError

P = ParamSpec("P")
T = TypeVar("T")
logger = logging.getLogger(__name__)
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FULL_DATABASE = ("database or disk is full", "disk I/O error")


class Stopped(Exception):
    """The crawl cannot go on; the reason is disk_full or error."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def whole(step: Callable[P, T]) -> Callable[P, T]:
    """A step that writes. If it breaks in the middle, half of it must not be committed: the crawl ends there."""

    @wraps(step)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return step(*args, **kwargs)
        except (Stopped, FocusedError):
            raise
        except Exception as error:
            if getattr(error, "errno", None) in _FULL or str(error).startswith(_FULL_DATABASE):
                raise Stopped("disk_full") from error
            logger.error("The crawl ends here: %s", error, exc_info=error)
            raise Stopped("error") from error

    return guarded

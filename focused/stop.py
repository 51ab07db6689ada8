"""What ends a crawl that could have gone on."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from focused.errors import FocusedError

P = ParamSpec("P")
T = TypeVar("T")
logger = logging.getLogger(__name__)
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FULL_DATABASE = ("database or disk is full", "disk I/O error")


class Stopped(Exception):
    """The crawl cannot go on; the reason is disk_full, database_gone or error."""

    is_final = True

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


B = TypeVar("B", bound="Breakable")


def whole(step: Callable[Concatenate[B, P], T]) -> Callable[Concatenate[B, P], T]:
    """A step that writes. If it breaks in the middle, half of it must not be committed: no other is taken after it."""

    @wraps(step)
    def guarded(self: B, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if self.broken is not None:
            raise Stopped(self.broken)
        try:
            return step(self, *args, **kwargs)
        except Stopped as stopped:
            self.broken = stopped.reason if stopped.is_final else None
            raise
        except Exception as error:
            self.broken = _reason(error)
            raise Stopped(self.broken) from error

    return guarded


class Breakable:
    """Takes steps that write."""

    broken: str | None = None  # why it takes no more

    @whole
    def do(self, step: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What others do to its store, as a step of its own."""
        return step(*args, **kwargs)


def is_full(error: BaseException) -> bool:
    """Whether it says that a disk, or what of it may be used, has no room."""
    return getattr(error, "errno", None) in _FULL or str(error).startswith(_FULL_DATABASE)


def _reason(error: Exception) -> str:
    if is_full(error):
        return "disk_full"
    logger.error("The crawl ends here: %s", error, exc_info=None if isinstance(error, FocusedError) else error)
    return "error"

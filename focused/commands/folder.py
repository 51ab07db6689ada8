"""What the commands about a crawl share: where it is, and how they fail."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.settings import BaseSettings

from focused import options
from focused.errors import FocusedError, StoreError
from focused.store.place import DATABASE, place_of
from focused.store.queries import Reading
from focused.topic import name_of


def folder_of(settings: BaseSettings, topic: str) -> Path:
    """Where a topic's crawl is, or will be."""
    return options.folder_of(settings, name_of(topic))


def open_crawl(settings: BaseSettings, topic: str) -> Reading:
    """The database of a topic's crawl; there must be one."""
    folder = folder_of(settings, topic)
    path = place_of(settings.get("FOCUSED_STORE"), folder)
    if isinstance(path, Path) and not path.is_file():
        known = sorted(file.parent.name for file in folder.parent.glob(f"*/{DATABASE}"))
        others = f"give one of {', '.join(known)}, or " if known else ""
        raise StoreError(
            f"No crawl '{folder.name}' in {folder.parent}/: {others}run `scrapy crawl topic -a topic={topic}` first."
        )
    return Reading(path, folder)


@contextmanager
def user_errors(command: ScrapyCommand, interrupted: str = "Interrupted.") -> Iterator[None]:
    """A mistake of the user is one sentence on standard error and exit status 1, Ctrl-C one and 130; no traceback."""
    try:
        yield
        sys.stdout.flush()
    except FocusedError as error:
        print(error, file=sys.stderr)
        command.exitcode = 1
    except KeyboardInterrupt:
        print(interrupted, file=sys.stderr)
        command.exitcode = 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

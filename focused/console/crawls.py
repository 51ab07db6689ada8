"""The crawls of the data directory, and what all views of the console share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import BaseSettings
from starlette.exceptions import HTTPException
from starlette.requests import Request

from focused.errors import FocusedError
from focused.evaluate.explain import Terms
from focused.examples.collection import Document, Skipped
from focused.store.answers import Summary
from focused.store.queries import Reading

if TYPE_CHECKING:
    from focused.administration.recording import Recorder
    from focused.console.trainings import Job

DATABASE = "crawl.db"
TermsFor = Callable[[BaseSettings, str, Reading], Terms | None]
Documents = Callable[[BaseSettings, Sequence[str]], Iterator[Document | Skipped]]


@dataclass(slots=True, frozen=True)
class Shared:
    """What the command hands to the application."""

    settings: BaseSettings
    data: Path
    token: str
    terms_for: TermsFor  # what the ordering of a crawl says of its links
    documents: Documents  # the pages that URLs name
    jobs: dict[str, Job] = field(default_factory=dict)  # the last training of each topic
    recorders: dict[str, Recorder] = field(default_factory=dict)  # who browses for a topic
    ending: threading.Event = field(default_factory=threading.Event)  # work in the background stops


@dataclass(slots=True, frozen=True)
class Listed:
    """A crawl on the start page; `why` it cannot be read, or its numbers."""

    name: str
    topic: str = ""
    ordering: str = ""
    summary: Summary | None = None
    why: str = ""


def shared(request: Request) -> Shared:
    found: Shared = request.app.state.shared
    return found


def names(data: Path) -> list[str]:
    return sorted(file.parent.name for file in data.glob(f"*/{DATABASE}"))


def listed(data: Path) -> list[Listed]:
    return [_listed(data, name) for name in names(data)]


def _listed(data: Path, name: str) -> Listed:
    try:
        with Reading(data / name / DATABASE) as reading:
            meta = reading.meta()
            return Listed(name, meta.get("topic", ""), meta.get("ordering", ""), reading.summary())
    except FocusedError as error:
        return Listed(name, why=str(error))


def opened(request: Request) -> Reading:
    """The crawl that the address names. Only what is in the list can be named, so no path leads out of it."""
    name, data = request.path_params["crawl"], shared(request).data
    if name not in names(data):
        raise HTTPException(404, f"There is no crawl '{name}' in {data}/.")
    return Reading(data / name / DATABASE)

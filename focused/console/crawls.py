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

from focused.console.keeping import Kept
from focused.errors import FocusedError
from focused.evaluate.explain import Terms
from focused.evaluate.tables import Section
from focused.examples.collection import Document, Skipped
from focused.store.live import Glance, glance
from focused.store.place import DATABASE, place_of
from focused.store.queries import Reading

if TYPE_CHECKING:
    from focused.administration.recording import Recorder
    from focused.console.monitor import Panel
    from focused.console.trainings import Job

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
    panels: Kept[Panel] = field(default_factory=Kept)  # the numbers of each crawl
    sections: Kept[list[Section]] = field(default_factory=Kept)  # tables of large crawls
    growing: set[str] = field(default_factory=set)  # crawls whose search index takes in pages in the background
    ending: threading.Event = field(default_factory=threading.Event)  # work in the background stops


@dataclass(slots=True, frozen=True)
class Listed:
    """A crawl on the start page; `why` it cannot be read, or its numbers."""

    name: str
    topic: str = ""
    ordering: str = ""
    seen: Glance | None = None
    why: str = ""


def shared(request: Request) -> Shared:
    found: Shared = request.app.state.shared
    return found


def where(given: Shared) -> str:
    """Where the crawls are."""
    return "the shared store" if isinstance(_place(given, ""), str) else f"{given.data}/"


def names(given: Shared) -> list[str]:
    """The crawls of the data directory, or of the shared store if there is one."""
    place = _place(given, "")
    if isinstance(place, str):
        from focused.store.shared_reading import crawls_in  # its driver is loaded only where it is asked for

        return crawls_in(place)
    return sorted(file.parent.name for file in given.data.glob(f"*/{DATABASE}"))


def reading_of(given: Shared, name: str) -> Reading:
    return Reading(_place(given, name), given.data / name)


def _place(given: Shared, name: str) -> Path | str:
    """A SQLite file named by FOCUSED_STORE is one crawl's; the console shows those of the data directory."""
    place = place_of(given.settings.get("FOCUSED_STORE"), given.data / name)
    return place if isinstance(place, str) else given.data / name / DATABASE


def listed(given: Shared) -> list[Listed]:
    return [_listed(given, name) for name in names(given)]


def _listed(given: Shared, name: str) -> Listed:
    try:
        with reading_of(given, name) as reading:
            meta = reading.meta()
            return Listed(name, meta.get("topic", ""), meta.get("ordering", ""), glance(reading))
    except FocusedError as error:
        return Listed(name, why=str(error))


def opened(request: Request) -> Reading:
    """The crawl that the address names. Only what is in the list can be named, so no path leads out of it."""
    name, given = request.path_params["crawl"], shared(request)
    if name not in names(given):
        raise HTTPException(404, f"There is no crawl '{name}' in {where(given)}.")
    return reading_of(given, name)

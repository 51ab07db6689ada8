"""Browsing that is recorded while somebody browses (Batsakis 2007, §3.4): steps, marks, and where they are kept.

Every step and every mark is kept with the topic at once, from the first page that is marked relevant on: before that
there is nothing to learn from.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from focused.administration.browsing import SESSIONS
from focused.administration.files import TopicFile
from focused.errors import TopicError
from focused.examples.collection import Document, Skipped, fault_of, read
from focused.page import PageReader
from focused.sessions import Step, join, write
from focused.sessions import read as read_steps
from focused.sessions.imports import text_of
from focused.urls import canonical
from models.text import Vocabulary

Brings = Callable[[str], Document | Skipped]  # the page of a URL


@dataclass(slots=True)
class Recorder:
    """One person browsing for one topic."""

    topic: str
    brings: Brings
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # known to the frame of the recording only
    steps: list[Step] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)  # by URL
    current: Document | None = None
    _before: list[Step] | None = None  # what the topic had

    def open(self, url: str, referrer: str = "") -> Document:
        """Go to a page: by a link of another one, or, without referrer, as the beginning of a session."""
        wanted = canonical(url)
        if wanted is None:
            raise TopicError(f"'{url[:200]}' is not an http(s) URL: give one.")
        found = self.brings(wanted)
        if isinstance(found, Skipped) or (why := fault_of(found.body)):
            raise TopicError(f"{wanted} cannot be shown: {found.why if isinstance(found, Skipped) else why}.")
        page = read(PageReader(Vocabulary()), found)
        self.current = found._replace(url=canonical(found.url) or wanted)
        self.titles[self.current.url] = page.title
        came_from = referrer if referrer in self.titles else ""
        step = Step(self.current.url, came_from, self.is_relevant(self.current.url), text_of(page))
        if step not in self.steps:  # else somebody went back
            self.steps.append(step)
            self._keep()
        return self.current

    def is_relevant(self, url: str) -> bool:
        return any(step.relevant for step in self.steps if step.url == url)

    def mark(self, url: str, relevant: bool) -> None:
        """What somebody thinks of a page that was visited."""
        if url not in self.titles:
            raise TopicError(f"'{url[:200]}' was not visited in this recording: open it first.")
        self.steps = [step._replace(relevant=relevant) if step.url == url else step for step in self.steps]
        self._keep()

    def _keep(self) -> None:
        if not any(step.relevant for step in self.steps):
            return
        file = TopicFile(self.topic)
        path = file.folder / str(file.table("sessions").setdefault("file", SESSIONS))
        if self._before is None:
            self._before = read_steps(path).steps if path.exists() else []
        write(path, join(self._before, self.steps))
        file.save()

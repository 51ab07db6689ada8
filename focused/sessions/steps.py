"""The steps of recorded browsing, and the file that keeps them with the topic: one JSON object a line.

    {"url": "https://…", "referrer": "https://…", "relevant": true, "text": "title and text of the page"}

A step without referrer begins a session. Coming back to a page is a link like any other; a reload is none. Where a
page was marked more than once the last mark counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from focused.errors import TopicError
from focused.urls import canonical, site_of
from models.hmm import Browsed
from models.model import OTHER, RELEVANT, Example
from models.text import Vocabulary, text_ids


class Step(NamedTuple):
    """One page visited; URLs are canonical."""

    url: str
    referrer: str  # empty: typed or bookmarked
    relevant: bool
    text: str


@dataclass(slots=True)
class Recording:
    """Steps in their order, and what a reader should know of them."""

    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out, and why


def read(path: Path) -> Recording:
    """The recording of a topic; a line that is no step stops it, as the file is our own."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise TopicError(f"Sessions {path} cannot be read ({error.strerror}): record or import some first.") from None
    steps = [_step(line, f"Line {number} of {path}") for number, line in enumerate(lines, 1) if line.strip()]
    return checked(Recording(steps), str(path))


def write(path: Path, steps: Iterable[Step]) -> None:
    """All at once: who reads finds the old file or the new one."""
    new = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(b"".join(orjson.dumps(step._asdict(), option=orjson.OPT_APPEND_NEWLINE) for step in steps))
        new.replace(path)
    except OSError as error:
        raise TopicError(f"Sessions {path} cannot be written ({error.strerror}): give another folder.") from None


def join(old: Sequence[Step], new: Sequence[Step]) -> list[Step]:
    """Another recording after the first; a step that is there already is not added twice."""
    return list(dict.fromkeys([*old, *new]))


def checked(recording: Recording, where: str) -> Recording:
    """Refuses a recording nothing can be learned from; says what was left out and what may surprise."""
    known: set[str] = set()
    back, reloads, silent = 0, 0, 0
    for step in recording.steps:
        reloads += step.url == step.referrer
        back += step.url in known and step.url != step.referrer
        silent += not step.text.strip() and step.url not in known
        known.add(step.url)
    if not any(page.relevant for page in pages_of(recording.steps).values()):
        raise TopicError(f"No page of {where} is marked relevant: mark at least one (relevant=yes).")
    told = (
        (reloads, "Reloads, left out"),
        (back, "Steps back to a page visited before, counted as links"),
        (silent, "Pages without text, like no other"),
    )
    recording.notes += [f"{what}: {count:,}." for count, what in told if count]
    return recording


def pages_of(steps: Iterable[Step]) -> dict[str, Step]:
    """Each page once, in the order of the first visits, with its last mark and the last text it had."""
    pages: dict[str, Step] = {}
    for step in steps:
        before = pages.get(step.url)
        pages[step.url] = step if step.text or before is None else step._replace(text=before.text)
    return pages


def browsed(steps: Sequence[Step], vocabulary: Vocabulary) -> Browsed:
    """Pages and the links followed between them, to learn from (B-19)."""
    pages = pages_of(steps)
    numbers = {url: number for number, url in enumerate(pages)}
    examples = [
        Example(text_ids(vocabulary, [page.text]), RELEVANT if page.relevant else OTHER, site_of(url), url)
        for url, page in pages.items()
    ]
    followed = ((step.referrer, step.url) for step in steps if step.referrer in numbers and step.referrer != step.url)
    return Browsed(examples, [(numbers[source], numbers[target]) for source, target in followed])


def _step(line: bytes, where: str) -> Step:
    try:
        found: dict[str, Any] = orjson.loads(line)
        url, referrer, relevant, text = (found[name] for name in Step._fields)
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise TopicError(f"{where} is no step of a session ({error}): correct or remove it.") from None
    itself = canonical(url) if isinstance(url, str) else None
    if itself is None or not isinstance(text, str) or not isinstance(relevant, bool):
        raise TopicError(f"{where} is no step of a session: url, relevant or text is not what it should be.")
    return Step(itself, (canonical(referrer) if isinstance(referrer, str) else None) or "", relevant, text)

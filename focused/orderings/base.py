"""What a strategy is asked. It returns numbers; the crawl does the bookkeeping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from focused.errors import SettingError
from focused.page import Page
from focused.topic import Topic
from models.model import Floats, PageModel

Ids = NDArray[np.int64]
SEED_SCORE = math.inf  # whatever the strategy, the seeds come first


class Surroundings(NamedTuple):
    """What a strategy may look at; handed over once, before the first page."""

    topic: Topic
    model: PageModel
    seed: int


class Waiting(Protocol):
    """The part of the frontier a strategy may use when it picks for itself."""

    def pick(self, now: float) -> int | None: ...
    def best(self, now: float, n: int) -> list[int]: ...
    def take(self, page_id: int, now: float) -> bool: ...
    def score_of(self, ids: Sequence[int]) -> Floats: ...


class Rescored(NamedTuple):
    """New scores of links that wait."""

    ids: Ids
    scores: Floats


@dataclass
class Ordering:
    """Base of all strategies: higher score = sooner. Fields are the paper's constants."""

    around: Surroundings = field(init=False, repr=False, compare=False)

    def bind(self, around: Surroundings) -> None:
        self.around = around

    def score(self, page: Page) -> Floats:
        """The score of each link of a page just judged, all at once; NaN: do not follow it."""
        raise NotImplementedError

    def combine(self, old: Floats, new: Floats) -> Floats:
        """The scores of waiting links that were seen again (B-04, F-12: the higher one stays)."""
        return np.maximum(old, new)

    def observe(self, page: Page) -> None:
        """A page was had and judged."""

    def failed(self, url: str, outcome: str) -> None:
        """A link was fetched in vain, or may not be fetched."""

    def revise(self) -> Rescored | None:
        """Called every FOCUSED_REVISE_EVERY pages: the only way back from pages to waiting links."""
        return None

    def pick(self, waiting: Waiting, now: float) -> int | None:
        """The link to fetch next; it must have been taken from the frontier."""
        return waiting.pick(now)

    def state(self) -> dict[str, Any] | None:
        """What must survive a kill and cannot be rebuilt from the store; small, JSON."""
        return None

    def restore(self, state: dict[str, Any]) -> None:
        """Take back what `state` gave."""

    def terms(self, page: Page, index: int) -> dict[str, float]:
        """The parts of one link's score, by name, for `explain`."""
        return {"score": float(self.score(page)[index])}


def make(kind: type[Ordering], arguments: str) -> Ordering:
    """An ordering from "on=anchor,n=4"; each value is converted to the type of its field."""
    types = {f.name: f for f in fields(kind) if f.init}
    values: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in arguments.split(","))):
        name, _, text = (piece.strip() for piece in part.partition("="))
        if name not in types:
            known = ", ".join(types) or "no arguments"
            raise SettingError(f"ordering_args: '{name}' is not an argument of {kind.__name__}; it takes {known}.")
        values[name] = _converted(text, types[name].default, f"ordering_args: {name}={text}")
        _check_choice(values[name], types[name].metadata.get("choices"), f"ordering_args: {name}={text}")
    return kind(**values)


def _converted(text: str, default: object, where: str) -> object:
    if isinstance(default, bool):
        if text.lower() in {"1", "true", "yes", "0", "false", "no"}:
            return text.lower() in {"1", "true", "yes"}
        raise SettingError(f"{where} is neither true nor false.")
    kind = int if isinstance(default, int) else float if isinstance(default, float) else str
    try:
        return kind(text)
    except ValueError:
        raise SettingError(f"{where} is not of the right kind: give {kind.__name__}, such as {default}.") from None


def _check_choice(value: object, choices: tuple[str, ...] | None, where: str) -> None:
    if choices and value not in choices:
        raise SettingError(f"{where} is not known: give one of {', '.join(choices)}.")

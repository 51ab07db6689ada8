"""What a frozen web is: it answers a URL, always the same way."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol, runtime_checkable


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Web(Protocol):
    def fetch(self, url: str) -> Answer:
        """What the server would have answered; a URL nobody has is a 404, never an exception."""

    def truth(self, url: str) -> str | None:
        """Topic path of the page, None where nobody knows. For the evaluator only: a crawl must not look."""

    def seeds(self, topic: str, n: int, seed: int) -> list[str]:
        """Pages to start from; the same ones for the same arguments."""


@runtime_checkable
class Labelled(Protocol):
    """A web whose pages may belong to several topics."""

    def labels(self, url: str) -> tuple[str, ...]:
        """All topic paths of the page. For the evaluator only."""


def is_under(label: str, topic: str) -> bool:
    """Whether a topic path is the topic or one below it; its parts are parted by slashes or dots.

    >>> is_under("Science/Biology/Birds", "Science.Biology"), is_under("Science/Biology", "Science/Bio")
    (True, False)
    """
    parts, wanted = re.split(r"[/.]", label), re.split(r"[/.]", topic)
    return parts[: len(wanted)] == wanted

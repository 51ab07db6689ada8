"""What a frozen web is: it answers a URL, always the same way."""

from __future__ import annotations

from typing import NamedTuple, Protocol


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

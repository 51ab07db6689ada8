"""What a search engine is asked, and how it may fail."""

from __future__ import annotations

from typing import NamedTuple, Protocol

DOWN, QUOTA, REFUSED = "search_down", "search_quota", "search_refused"


class Answers(NamedTuple):
    urls: list[str]
    hits: int | None  # how many pages it knows; None: it does not say


class SearchFault(Exception):
    """Why there is no answer, by name; never with a key in it."""

    def __init__(self, outcome: str, detail: str) -> None:
        super().__init__(detail)
        self.outcome = outcome


class SearchEngine(Protocol):
    is_local: bool  # answers at once, from this machine

    def ask(self, query: str, most: int) -> Answers:
        """At most so many URLs, the best first. Raises SearchFault and nothing else."""

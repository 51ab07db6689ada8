"""The search phase — xCrawl, §2.1 (X-02 to X-04): which query comes next, and when it is enough.

each token alone, to learn how many pages have it
sets of tokens, from the middle of the list outwards; what they find is fetched and validated
until so many queries in a row brought no new authority, or none is left
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from focused.errors import TopicError
from focused.search.engine import QUOTA, Answers
from focused.search.queries import queries, ranked

KEYS = {"engine", "tokens", "words", "answers", "max_queries", "quota"}
NOTHING = "search_no_answers"  # every query was asked, and none found a page
ENOUGH = "search_done"


class Plan(NamedTuple):
    """What `[search]` of a topic says."""

    engine: str = ""  # searxng:URL, brave, google, index:FILE; empty: on a frozen web, the pages of that web
    words: int = 3  # of a query
    answers: int = 10  # of a query that are fetched
    max_queries: int = 50  # in a row without a new authority, after which the search ends
    quota: int = 100  # queries in all, over all runs of the crawl; 0: no limit

    @classmethod
    def of(cls, table: Mapping[str, Any], where: str) -> Plan:
        for name in table.keys() - KEYS:
            raise TopicError(f"'{name}' in [search] of {where} is not known: use some of {', '.join(sorted(KEYS))}.")
        values = {name: value for name, value in table.items() if name != "tokens"}
        for name, value in values.items():
            if type(value) is not type(getattr(cls(), name)) or (name != "engine" and value < (name != "quota")):
                kind = "a text" if name == "engine" else "a whole number, at least 1"
                raise TopicError(f"{name} = {value!r} in [search] of {where} is not {kind}.")
        return cls(**values)


@dataclass
class Seeker:
    """Knows the tokens and all answers so far; asks nobody itself."""

    weights: Mapping[str, float]  # of the tokens
    plan: Plan
    hits: dict[str, int | None] = field(default_factory=dict)  # of the tokens asked alone
    asked: int = 0  # queries, those for one token too
    place: int = 0  # in the list of queries
    dry: int = 0  # queries in a row without a new authority
    found: int = 0  # URLs
    over: str = ""  # why the search has ended

    def next(self) -> str | None:
        """The next query; None: it is over."""
        if not self.over and self.plan.quota and self.asked >= self.plan.quota:
            self.over = QUOTA
        if self.over:
            return None
        token = self._uncounted()
        if token is not None:
            return token
        made = queries(ranked(self.weights, self.hits), self.plan.words)
        if self.place >= len(made) or self.dry >= self.plan.max_queries:
            self.over = ENOUGH if self.found else NOTHING
            return None
        return made[self.place]

    def _uncounted(self) -> str | None:
        """A token nobody has counted; where there is but one query its place in the list does not matter."""
        if len(self.weights) <= self.plan.words:
            return None
        return next((token for token in self.weights if token not in self.hits), None)

    def most(self, query: str) -> int:
        """URLs that are wanted for a query; one for a token alone, which is only counted."""
        return 1 if query == self._uncounted() else self.plan.answers

    def answered(self, query: str, answers: Answers) -> list[str]:
        """The pages to fetch."""
        self.asked += 1
        if query == self._uncounted():
            self.hits[query] = answers.hits
            return []
        self.place, self.dry = self.place + 1, self.dry + 1
        self.found += len(answers.urls)
        return answers.urls

    def judged(self, authorities: int) -> None:
        """What the last query found has been fetched: so many were accepted."""
        if authorities:
            self.dry = 0

    def state(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("hits", "asked", "place", "dry", "found", "over")}

    def restore(self, state: Mapping[str, Any]) -> None:
        """What failed may work now: only a search that came to its end stays ended."""
        for name, value in state.items():
            setattr(self, name, value)
        self.over = self.over if self.over in (ENOUGH, NOTHING) else ""

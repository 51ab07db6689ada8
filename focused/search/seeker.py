"""The search phase — xCrawl, §2.1 (X-02 to X-04): which query comes next, and when it is enough.

each token alone, to learn how many pages have it
sets of tokens, from the middle of the list outwards; what they find is fetched and validated
until so many queries in a row brought no new authority, or none is left
if tokens are to be updated, the text of new authorities gives them new weights, and may bring new tokens  (X-01)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from focused.errors import TopicError
from focused.search.engine import QUOTA, Answers
from focused.search.queries import queries, ranked
from focused.search.tokens import Tokens

KEPT = ("hits", "asked", "tried", "dry", "found", "over")  # of a search, over kills
NOTHING = "search_no_answers"  # every query was asked, and none found a page
ENOUGH = "search_done"


class Plan(NamedTuple):
    """What `[search]` of a topic says."""

    engine: str = ""  # searxng:URL, brave, google, index:FILE; empty: on a frozen web, the pages of that web
    words: int = 3  # of a query
    answers: int = 10  # of a query that are fetched
    max_queries: int = 50  # in a row without a new authority, after which the search ends
    quota: int = 100  # queries in all, over all runs of the crawl; 0: no limit
    update_tokens: bool = False  # by the text of what was accepted

    @classmethod
    def of(cls, table: Mapping[str, Any], where: str) -> Plan:
        keys = {*cls._fields, "tokens"}
        for name in table.keys() - keys:
            raise TopicError(f"'{name}' in [search] of {where} is not known: use some of {', '.join(sorted(keys))}.")
        values = {name: value for name, value in table.items() if name != "tokens"}
        for name, value in values.items():
            kind, least = type(cls._field_defaults[name]), int(name != "quota")
            if type(value) is not kind or (kind is int and value < least):
                wanted = {str: "a text", bool: "true or false", int: f"a whole number, at least {least}"}[kind]
                raise TopicError(f"{name} = {value!r} in [search] of {where} is not {wanted}.")
        return cls(**values)


@dataclass
class Seeker:
    """Knows the tokens and all answers so far; asks nobody itself."""

    tokens: Tokens
    plan: Plan
    hits: dict[str, int | None] = field(default_factory=dict)  # of the tokens asked alone
    asked: int = 0  # queries, those for one token too
    tried: list[str] = field(default_factory=list)  # queries of several tokens, as `_set_of` has them
    dry: int = 0  # queries in a row without a new authority
    found: int = 0  # URLs
    over: str = ""  # why the search has ended
    _weights: dict[str, float] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def weights(self) -> dict[str, float]:
        """Of the tokens, as of the last document."""
        if self._weights is None:
            self._weights = self.tokens.weights()
        return self._weights

    def read(self, document: Sequence[str]) -> dict[str, float]:
        """The text of a new authority; what `recall` needs of it after a kill."""
        shares = self.tokens.shares_of(document)
        self.recall(shares)
        return shares

    def recall(self, shares: Mapping[str, float]) -> None:
        self.tokens.add(shares)
        self._weights = None

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
        query = next((query for query in made if _set_of(query) not in self.tried), None)
        if query is None or self.dry >= self.plan.max_queries:
            self.over = ENOUGH if self.found else NOTHING
            return None
        return query

    def _uncounted(self) -> str | None:
        """A token nobody has counted; where there is but one query its place in the list does not matter."""
        if len(self.weights) <= self.plan.words:
            return None
        return next((token for token in self.weights if token not in self.hits), None)

    def most(self, query: str) -> int:
        """URLs that are wanted for a query; one for a token that is only counted, as long as it will not be a query."""
        return 1 if query == self._uncounted() and self.plan.words > 1 else self.plan.answers

    def answered(self, query: str, answers: Answers) -> list[str]:
        """The pages to fetch."""
        self.asked += 1
        if query == self._uncounted():
            self.hits[query] = answers.hits
            return []
        self.tried.append(_set_of(query))
        self.dry += 1
        self.found += len(answers.urls)
        return answers.urls

    def judged(self, authorities: int) -> None:
        """What the last query found has been fetched: so many were accepted."""
        if authorities:
            self.dry = 0

    def state(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in KEPT}

    def restore(self, state: Mapping[str, Any]) -> None:
        """What failed may work now: only a search that came to its end stays ended."""
        for name in state.keys() & set(KEPT):
            setattr(self, name, state[name])
        self.over = self.over if self.over in (ENOUGH, NOTHING) else ""


def _set_of(query: str) -> str:
    """The same for two queries of the same words: tokens change their places when their weights change."""
    return " ".join(sorted(query.split()))

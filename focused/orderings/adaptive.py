"""Adaptive — ours: learns during the crawl which evidence pays.

    score(v)  = sum of weight * feature, the log-odds that v is relevant          (focused.orderings.features)
    a page    is believed relevant with probability p: the judge's word, corrected by the pages so far  (models.belief)
    p         goes to the counters of all that spoke for the page, and with its features to the link model
    every 10  pages the weights are fitted anew                                   (models.link_model)
    lazily    every 4 pages the links that were met again, the best that wait and others in turn are scored again

Near to it are the apprentice of Chakrabarti 2002 and InfoSpiders (Menczer 2000); the harvest of hosts comes from Ester
2004, hubs from Kleinberg 1999. No exploration: it cost more than it brought wherever it was tried.

What was learned is kept as a journal: what each page brought is replayed on resume, from the last whole picture on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from focused.errors import SettingError
from focused.orderings.base import Ids, Ordering, Rescored, Surroundings, Waiting
from focused.orderings.evidence import DISTANCE, SCORE, Evidence
from focused.orderings.experience import Experience
from focused.orderings.features import FEATURES, PRIOR, TOGETHER, Look, together
from focused.orderings.sighting import KINDS, LinkReader, Sighting
from focused.orderings.visited import Visited, fill, read, rows_of, written
from focused.page import Link, Page
from models.belief import SEED_BELIEF, Belief
from models.link_model import LinkModel
from models.model import Floats
from models.text import distinct

REFIT = 10  # pages between two fits of the weights
AGAIN = 4  # pages between two looks at links that wait: each costs much the same, however many it looks at
PICTURE = 1_000  # pages between two whole pictures of what was learned
BEST = 16  # waiting links, the best, that are scored again then
CHANGED = 0.05  # log-odds: a smaller change is not worth writing down
SHOWN, SHOWN_EVERY = 10, 50  # of each kind, for the report; pages between two looks
HISTORY = 40  # weights over time, at most


@dataclass
class Adaptive(Ordering):
    """The evidence that has paid in this crawl counts most."""

    without: str = ""  # evidence to do without, such as hub+around
    prior: float = 0.5  # share of relevant pages the belief reckons with
    precision: float = 16.0  # how firmly the weights are held where they begin
    refresh: int = 128  # waiting links scored again at a time, in turn
    seeds_are_examples: bool = True  # the seeds are pages of the topic, not only ways to it
    _pending: dict[int, tuple[Visited, Sighting]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _journal: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)  # not yet kept
    _kept: list[str] = field(default_factory=list, init=False, repr=False, compare=False)  # since the last picture
    _first: int = field(default=0, init=False, repr=False, compare=False)  # entry behind it
    _entries: int = field(default=0, init=False, repr=False, compare=False)
    _fresh: list[int] = field(default_factory=list, init=False, repr=False, compare=False)  # pages that were met again
    _waiting: Waiting | None = field(default=None, init=False, repr=False, compare=False)
    _taught: list[tuple[Look, float]] = field(default_factory=list, init=False, repr=False, compare=False)
    _now: float = field(default=0.0, init=False, repr=False, compare=False)
    _history: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)  # pages, weights

    def __post_init__(self) -> None:
        self._off = [name for name in self.without.split("+") if name]
        for name in self._off:
            if name not in FEATURES and name not in TOGETHER:
                raise SettingError(
                    f"ordering_args: without={self.without}: '{name}' is no evidence; it takes "
                    f"{', '.join([*FEATURES, 'balance'])}, joined by +."
                )
        if not 0.0 < self.prior < 1.0:
            raise SettingError(f"ordering_args: prior={self.prior}: give a share of the pages, between 0 and 1.")

    def bind(self, around: Surroundings) -> None:
        self.around = around
        off = {other for name in self._off for other in (name, *TOGETHER.get(name, ()))}
        self._experience = Experience(np.array([name not in off for name in FEATURES]), around.vocabulary)
        self._links = LinkModel(PRIOR, self.precision)
        self._belief = Belief(around.vocabulary, around.model.threshold, self.prior)
        self._evidence = Evidence()
        self._reader = LinkReader(self._belief, around.model)

    # --- a page -------------------------------------------------------------------------------------------------

    def score(self, page: Page) -> Floats:
        visited, sighting, features = self._read(page)
        self._pending[page.id] = visited, sighting
        return self._links.score(features)

    def score_again(self, page: Page) -> Floats:
        """Nothing is learned from a page twice."""
        return self._links.score(self._read(page)[2])

    def _read(self, page: Page) -> tuple[Visited, Sighting, Floats]:
        """A page, its links, and their features as if nothing else linked to them."""
        is_seed = page.depth == 0 and self.seeds_are_examples
        seen = self._belief.see(page.judged_terms, page.relevance)
        said = page.relevance if page.classes else None
        belief = SEED_BELIEF if is_seed else self._belief.of(seen, said)
        sighting = self._reader.read(page)
        rows, places = rows_of(len(page.links), belief, page.depth), self._experience.names.places(sighting)
        fill(rows, places, sighting)
        rows.values[:, DISTANCE] = _distance(belief, self._evidence.distance_of(page.id))
        visited = Visited(page.id, is_seed, page.depth, belief, seen, rows, {})
        return visited, sighting, self._experience.features(self._experience.look(rows, places))

    def combine(self, old: Floats, new: Floats) -> Floats:
        """What two pages say of a link comes together in its row, and `rescored` says what follows."""
        return old

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        pending = self._pending.pop(page.id) if page.id in self._pending else self._read(page)[:2]
        (visited, sighting), (which, pages) = pending, self._that_wait(page, links, ids)
        rows = visited.rows.at(which)
        rows.pages[:] = pages
        visited = visited._replace(rows=rows, new=self._experience.names.place(rows, sighting, which))
        self._note(written(visited, self.around.vocabulary.terms))
        self._learn(visited)

    def _that_wait(self, page: Page, links: Sequence[Link], ids: Ids) -> tuple[Ids, Ids]:
        """Which links of the page these are, and their ids. Seeds and pages that were had need no score."""
        waits = np.ones(len(ids), np.bool_) if self._waiting is None else np.isfinite(self._waiting.score_of(ids))
        if links is page.links:
            which = waits.nonzero()[0]
            return which, ids.take(which)
        at = {link.url: number for number, link in enumerate(page.links)}
        numbers = np.array([at.get(link.url, -1) for link in links], np.int64)
        waits &= numbers >= 0
        return numbers[waits], ids[waits]

    def _learn(self, visited: Visited) -> None:
        row = self._evidence.pop(visited.page)
        if visited.is_seed:
            self._belief.learn_seed(visited.seen)
        else:
            self._belief.learn(visited.seen, visited.belief)
        if row is not None:
            self._taught.append((self._experience.look(row), visited.belief))
            self._experience.learn(row, visited.belief)
            if (self._links.links + len(self._taught)) % REFIT == 0:
                self._teach()
                self._links.refit()
        own = None if row is None else row.values.item(0, DISTANCE)
        visited.rows.values[:, DISTANCE] = _distance(visited.belief, own)
        self._experience.place(visited.rows, visited.page)
        self._fresh += self._evidence.enter(visited.rows)
        if (moved := self._experience.names.forget()) is not None:
            for rows in (self._evidence.rows, *(waiting.rows for waiting, _ in self._pending.values())):
                rows.places[:] = moved[rows.places]

    def _teach(self) -> None:
        """The link model gets all that was put by: working out features costs as much for ten links as for one."""
        if self._taught:
            looks, beliefs = zip(*self._taught, strict=True)
            self._links.add(self._experience.features(together(looks)), beliefs)
            self._taught = []

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        self._pending.pop(page_id, None)
        if self._evidence.pop(page_id) is not None:
            self._note({"gone": page_id})

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        self._evidence.move(page_id, target_id)
        self._note({"moved": [page_id, target_id]})

    # --- what waits ---------------------------------------------------------------------------------------------

    def rescored(self) -> Rescored | None:
        if self._waiting is None or self._entries % AGAIN:
            return None
        met = self._evidence.where([*self._fresh, *self._waiting.best(self._now, BEST)])
        places = distinct(np.concatenate((np.array(met, np.int64), self._evidence.next_round(self.refresh))))[0]
        self._fresh = []
        rows = self._evidence.rows.at(places)
        scores = self._links.score(self._experience.features(self._experience.look(rows)))
        self._evidence.rows.values[places, SCORE] = scores
        ids = rows.pages.astype(np.int64)
        changed = np.abs(scores - self._waiting.score_of(ids)) > CHANGED
        return Rescored(ids[changed], scores[changed]) if changed.any() else None

    def pick(self, waiting: Waiting, now: float) -> int | None:
        self._waiting, self._now = waiting, now
        return waiting.pick(now)

    def terms(self, page: Page, index: int) -> dict[str, float]:
        """What each evidence adds to the score, by today's knowledge."""
        features = self._read(page)[2][index]
        parts = zip(FEATURES.values(), features * self._links.weights, strict=True)
        return {words: float(part) for (_, words), part in parts if part}

    # --- kill and resume ----------------------------------------------------------------------------------------

    def _note(self, entry: dict[str, Any]) -> None:
        self._journal.append(entry)
        self._entries += 1

    def state(self) -> dict[str, Any]:
        """One part for all that was noted since the last, with what the next look at waiting links begins with."""
        entries, self._journal = self._journal, []
        if not entries:
            return {}
        self._kept.append(f"entries.{self._entries - len(entries)}")
        parts: dict[str, Any] = {self._kept[-1]: [entries, self._evidence.pointer, self._fresh]}
        if self._entries % SHOWN_EVERY == 0:
            parts |= self._shown()
        if self._entries - self._first >= PICTURE:
            parts |= {**dict.fromkeys(self._kept), "picture": self._picture()}
            self._first, self._kept = self._entries, []
        return parts

    def _picture(self) -> dict[str, Any]:
        """All that was learned."""
        self._teach()
        return {
            **{"entries": self._entries, "experience": self._experience.saved(), "links": self._links.saved()},
            **{"belief": self._belief.saved(), "evidence": self._evidence.saved(), "fresh": self._fresh},
        }

    def _shown(self) -> dict[str, Any]:
        """What was learned, for the report."""
        experience, weights = self._experience, self._links.weights.round(3).tolist()
        self._history = [*self._history[:: 1 + (len(self._history) >= HISTORY)], [self._entries, weights]]
        names = {kind: experience.names.best(kind, SHOWN, experience.mean) for kind in KINDS}
        return {"learned.weights": self._history, "learned.names": names, "learned.hubs": experience.best_hubs(SHOWN)}

    def restore(self, parts: dict[str, Any]) -> None:
        if picture := parts.get("picture"):
            self._first = self._entries = picture["entries"]
            self._experience.restore(picture["experience"])
            self._links.restore(picture["links"])
            self._belief.restore(picture["belief"])
            self._evidence.restore(picture["evidence"])
            self._fresh = picture["fresh"]
        self._history = parts.get("learned.weights", [])
        while (part := parts.get(f"entries.{self._entries}")) is not None:
            self._kept.append(f"entries.{self._entries}")
            for entry in part[0]:
                self._entries += 1
                self._replay(entry)
            _, self._evidence.pointer, self._fresh = part

    def _replay(self, entry: dict[str, Any]) -> None:
        if "gone" in entry:
            self._evidence.pop(entry["gone"])
        elif "moved" in entry:
            self._evidence.move(*entry["moved"])
        else:
            visited = read(entry, self.around.vocabulary.id_of)
            self._experience.names.learn(visited.new)
            self._learn(visited)


def _distance(belief: float, own: float | None) -> float:
    """Links since a relevant page, of the links of a page with that distance, if it has one."""
    return 0.0 if belief > 0.5 or own is None else own + 1.0

"""What a strategy is asked. It returns numbers; the crawl does the bookkeeping."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from focused.budget import SiteBudget
from focused.errors import SettingError
from focused.frontier.frontier import Place
from focused.graph import LinkGraph
from focused.page import Link, Page
from focused.sessions import Step
from focused.store.rows import Abroad, Colleague
from focused.topic import Topic
from models.model import Floats, PageModel
from models.text import Vocabulary

Ids = NDArray[np.int64]
SEED_SCORE = math.inf  # whatever the strategy, the seeds come first


class Surroundings(NamedTuple):
    """What a strategy may look at; handed over once, before the first page."""

    topic: Topic
    model: PageModel
    seed: int
    vocabulary: Vocabulary
    graph: LinkGraph  # empty unless the strategy says needs_graph
    strict: bool = False  # one page at a time
    sessions: Callable[[], Sequence[Step]] = tuple  # recorded browsing, read or made only if it is asked for


class Waiting(Protocol):
    """The part of the frontier a strategy may use when it picks for itself."""

    @property
    def delayed(self) -> int: ...
    def pick(self, now: float) -> int | None: ...
    def pick_from(self, site: int, now: float) -> int | None: ...
    def best(self, now: float, n: int) -> list[int]: ...
    def best_score(self, now: float) -> float: ...
    def take(self, page_id: int, now: float) -> bool: ...
    def score_of(self, ids: Sequence[int] | Ids) -> Floats: ...
    def site_of(self, page_id: int) -> int: ...
    def place_of(self, page_id: int) -> Place: ...
    def waiting_on(self, site: int) -> int: ...
    def in_flight(self, site: int) -> int: ...


class Rescored(NamedTuple):
    """New scores of links that wait."""

    ids: Ids
    scores: Floats
    links: Ids | None = None  # where a score is a mean: over how many links. It goes with the page to another worker


class Hubs(NamedTuple):
    """Pages by how well they point to the topic, and how well they are pointed to."""

    ids: Ids
    hub: Floats
    authority: Floats
    is_whole: bool = True  # of the whole crawl; else of the sites that this worker has


class Revision(NamedTuple):
    """What came out when a strategy looked back over the whole crawl."""

    rescored: Rescored | None = None
    hubs: Hubs | None = None
    events: Sequence[tuple[str, str]] = ()  # kind, detail


@dataclass
class Ordering:
    """Base of all strategies: higher score = sooner. Fields are the paper's constants."""

    needs_graph: ClassVar[bool] = False
    looks_abroad: ClassVar[bool] = False  # what it remembers of sites of other workers matters to it
    tells: ClassVar[str] = ""  # the part of its state by which it tells the other workers of itself
    around: Surroundings = field(init=False, repr=False, compare=False)

    def bind(self, around: Surroundings) -> None:
        self.around = around

    # --- a page was had ---------------------------------------------------------------------------------

    def observe(self, page: Page) -> None:
        """A page was had and judged."""

    def score(self, page: Page) -> Floats:
        """The score of each link of a page just judged, all at once; NaN: do not follow it."""
        raise NotImplementedError

    def score_again(self, page: Page) -> Floats:
        """The same of a page that was had before and has changed: it is not observed again, only its links are new."""
        return self.score(page)

    def also(self, page: Page) -> list[Link]:
        """Links of the strategy's own making, with their scores: the homepages of sites the page links to."""
        return []

    def found(self, page: Page, links: Sequence[Link], ids: Ids) -> None:
        """The links that are followed have become pages of the crawl, new or known: these are their ids."""

    def combine(self, old: Floats, new: Floats) -> Floats:
        """The scores of waiting links that were seen again (B-04, F-12: the higher one stays)."""
        return np.maximum(old, new)

    # --- it was not ---------------------------------------------------------------------------------------

    def failed(self, page_id: int, url: str, outcome: str) -> None:
        """A link was given up, or may not be fetched."""

    def moved(self, page_id: int, url: str, target_id: int) -> None:
        """A redirect: that page takes the place of this one; it may be known already."""

    def again(self, score: float, tries: int) -> float:
        """The score of a link that was tried in vain and waits for another try."""
        return score

    # --- what follows from it -----------------------------------------------------------------------------

    def rescored(self) -> Rescored | None:
        """Scores that changed by the last visit; asked after each."""
        return None

    def websites(self) -> list[dict[str, Any]]:
        """Whole websites that were screened by the last visit, for sites.jsonl; asked after each."""
        return []

    def enough(self) -> str | None:
        """The strategy's own reason to end the crawl, by name."""
        return None

    def revise(self) -> Callable[[], Revision] | None:
        """Every FOCUSED_REVISE_EVERY pages: copy what is needed and return the work, which is done in a thread."""
        return None

    def pick(self, waiting: Waiting, now: float) -> int | None:
        """The link to fetch next; it must have been taken from the frontier."""
        return waiting.pick(now)

    def budget(self) -> SiteBudget | None:
        """What a site may cost, where the strategy itself decides that."""
        return None

    # --- kill and resume, explain ---------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What must survive a kill and cannot be rebuilt: the parts that changed since the last call, by name.

        Values are JSON; None takes a part away. They are committed with the visit.
        """
        return {}

    def restore(self, parts: dict[str, Any]) -> None:
        """Take back all parts that `state` gave."""

    def anew(self) -> Self:
        """The same strategy before its first page."""
        twin = replace(self)
        twin.bind(self.around._replace(graph=LinkGraph()))
        return twin

    # --- several workers ------------------------------------------------------------------------------------

    def adopt(self, parts: dict[str, Any]) -> None:
        """Sites have come from another worker: what `state` of theirs said of them, parts "site:7", "event:7:1" …"""

    def leave(self, site: int) -> None:
        """A site goes to another worker."""

    def abroad(self, links: Sequence[Abroad], known: dict[int, Any]) -> None:
        """The links of a page to sites of others, before `found`; known: part "site:7" of their state, by site."""

    def linked(self, page_id: int, link: Abroad, waiting: Waiting) -> Rescored | None:
        """A page of another worker links to a page of ours."""
        return None

    def counted(self, ids: Ids, links: Ids) -> None:
        """Of links that came with their sites and wait: over how many links their scores are means (see Rescored)."""

    def letters(self) -> list[tuple[int, float]]:
        """What there is to say about sites of others since the last call: `receive` is told there, once."""
        return []

    def receive(self, site: int, value: float) -> Rescored | None:
        """Another worker has something to say about a site of ours."""
        return None

    def hear(self, colleagues: Sequence[Colleague]) -> None:
        """What the other workers, also those that are gone, have last said of themselves (see `tells`)."""

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


def files_named(ordering: Ordering) -> dict[str, str]:
    """Files and folders it is told to read, by argument. A field that names one says so: metadata={"is_file": True}."""
    named = {f.name: str(getattr(ordering, f.name)) for f in fields(ordering) if f.metadata.get("is_file")}
    return {name: given for name, given in named.items() if given}


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

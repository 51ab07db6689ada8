"""What makes a crawl useless, noticed while it goes on — Chakrabarti 1999, §2.4 and §4.3 (F-08, F-19 to F-22).

    diffusion    ever less of what comes in is relevant: the harvest stays below half its best
    stagnation   hardly any links are left to follow; where the model has a tree of classes, related ones are named
                 in which much of what was fetched lies
    failing      more URLs failed than were fetched

The paper calls alarms possible; the limits are chosen. Each alarm is told once when it begins.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

FEW = 100  # pages before which nothing is alarming
LEFT, LEFT_AGAIN = 0.05, 0.1  # share of the URLs still to fetch at which stagnation begins, and ends
MUCH = 0.1  # share of the pages in a class that makes it worth a thought
DIFFUSION = "the harvest has been below half its best for {} pages"
STAGNATION = "hardly any links are left to follow"
FAILING = "more URLs failed than were fetched"


class Trend:
    """The moving average of a crawl's relevance (F-19), and since when it has been low (F-21)."""

    def __init__(self, window: int = 100, patience: int = 300) -> None:
        self.patience = patience
        self.average = 0.0
        self.best = 0.0  # of all averages over a whole window
        self.low_for = 0  # values in a row at which the average was below half of the best
        self._last: deque[float] = deque([0.0] * window)
        self._seen = 0
        self._sum = 0.0

    def see(self, value: float) -> None:
        """The next page. While there are fewer pages than the window is wide, their mean is the average."""
        self._last.append(value)
        self._sum += value - self._last.popleft()
        self._seen += 1
        self.average = self._sum / min(self._seen, len(self._last))
        if self._seen >= len(self._last):
            self.best = max(self.best, self.average)
            self.low_for = self.low_for + 1 if self.average < self.best / 2 else 0

    @property
    def is_diffuse(self) -> bool:
        return self.low_for >= self.patience


def is_stagnant(unfetched: int, fetched: int, left: float = LEFT) -> bool:
    """Less than this share of the known URLs is still to be fetched (F-20).

    >>> is_stagnant(unfetched=500, fetched=500), is_stagnant(unfetched=10, fetched=990), is_stagnant(0, 0)
    (False, True, False)
    """
    return unfetched < left * (unfetched + fetched)


class Related(NamedTuple):
    """A class beside or above a good one, and the share of the pages that lie in it and are not good."""

    path: str
    share: float


def related(census: Mapping[str, int], good: Collection[str], much: float = MUCH) -> list[Related]:
    """Siblings and ancestors of good classes that hold much of what was fetched (F-08), the nearest to them first.

    >>> related({"Money/Funds": 50, "Money/Stocks": 30, "Sport": 20}, good=["Money/Funds"])
    [Related(path='Money/Stocks', share=0.3), Related(path='Money', share=0.3)]
    """
    others = {path: count for path, count in census.items() if not any(_is_in(path, node) for node in good)}
    if len(others) == len(census):  # nothing that was fetched is good, or the model knows no such classes
        return []
    pages = sum(census.values())
    shares = {
        path: sum(n for other, n in others.items() if _is_in(other, path)) / pages for path in _near(others, good)
    }
    found = [Related(path, share) for path, share in shares.items() if share >= much]
    return sorted(found, key=lambda row: (-row.path.count("/"), -row.share, row.path))


def _near(others: Collection[str], good: Collection[str]) -> set[str]:
    """The ancestors of good classes, and their siblings that are on the way to one of the others."""
    near = {above for node in good for above in _way_to(node)[:-1]}
    for node in good:
        depth, parent = node.count("/"), node.rpartition("/")[0]
        near |= {_way_to(path)[depth] for path in others if _is_in(path, parent) and path.count("/") >= depth}
    return near


def _way_to(path: str) -> list[str]:
    """A, A/B and A/B/C for A/B/C."""
    names = path.split("/")
    return ["/".join(names[: depth + 1]) for depth in range(len(names))]


def _is_in(path: str, node: str) -> bool:
    return not node or path == node or path.startswith(f"{node}/")


class Counts(NamedTuple):
    """How many URLs were fetched, failed for good, and are still to be fetched."""

    fetched: int
    failed: int
    unfetched: int


@dataclass(slots=True)
class Alarms:
    """Fed with every page; `on` is what is alarming now."""

    good: Collection[str] = ()  # classes that are wanted, where the model has a tree of them
    trend: Trend = field(default_factory=Trend)
    census: Counter[str] = field(default_factory=Counter)  # pages of each class (F-22)
    on: dict[str, str] = field(default_factory=dict)  # kind → what it means

    def see(self, relevant: bool, best_class: str | None = None) -> None:
        """A page was had."""
        self.trend.see(float(relevant))
        if best_class is not None:
            self.census[best_class] += 1

    def begun(self, counts: Counts) -> list[tuple[str, str]]:
        """The alarms that begin with the last page: kind and meaning."""
        tried = counts.fetched + counts.failed
        left = LEFT_AGAIN if "stagnation" in self.on else LEFT
        is_on = {
            "diffusion": self.trend.is_diffuse,
            "stagnation": tried >= FEW and is_stagnant(counts.unfetched, tried, left),
            "failing": tried >= FEW and counts.failed > counts.fetched * (0.9 if "failing" in self.on else 1),
        }
        self.on = {kind: self.on.get(kind, "") for kind, alarming in is_on.items() if alarming}
        new = {kind: self._meaning(kind) for kind, meaning in self.on.items() if not meaning}
        self.on |= new
        return list(new.items())

    def _meaning(self, kind: str) -> str:
        if kind != "stagnation":
            return {"diffusion": DIFFUSION.format(self.trend.patience), "failing": FAILING}[kind]
        ideas = [f"{path} ({share:.0%})" for path, share in related(self.census, self.good)[:3]]
        return f"{STAGNATION}; pages of {', '.join(ideas)} keep turning up: mark it good?" if ideas else STAGNATION

    def load(self, pages: Iterable[tuple[int | None, str | None]], counts: Counts) -> None:
        """Take up a crawl again: whether its pages were relevant, and their classes. Its alarms are not new."""
        for relevant, best_class in pages:
            self.see(bool(relevant), best_class)
        self.begun(counts)

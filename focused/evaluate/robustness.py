"""Two crawls of one topic side by side, and how far from the seeds the best was — Chakrabarti 1999, §5 (F-26..28)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)


def overlap(first: Sequence[T], second: Sequence[T], at: int | None = None) -> float:
    """Share of the first crawl's pages that the second has too, after `at` pages of each (F-26); 0 for none.

    For servers give the site of each page.

    >>> overlap("abcde", "becfa", at=2), overlap("abcde", "becfa")
    (0.5, 0.8)
    """
    ours, theirs = set(first[:at]), set(second[:at])
    return len(ours & theirs) / len(ours) if ours else 0.0


def overlap_curve(first: Sequence[T], second: Sequence[T]) -> list[float]:
    """The same after 1, 2, 3 … pages, as far as both go.

    >>> overlap_curve("ab", "bc")
    [0.0, 0.5]
    """
    ours: set[T] = set()
    theirs: set[T] = set()
    shared, curve = 0, []
    for mine, other in zip(first, second, strict=False):
        shared += mine not in ours and (mine in theirs or mine == other)
        shared += other not in theirs and other in ours
        ours.add(mine)
        theirs.add(other)
        curve.append(shared / len(ours))
    return curve


def top_overlap(first: Sequence[T], second: Sequence[T], most: int) -> float:
    """Share of the best `most` of one rating that are among the best `most` of the other (F-27).

    >>> top_overlap("abcd", "baxc", most=4)
    0.75
    """
    return overlap(first, second, most)


def distances(links: Mapping[T, Iterable[T]], seeds: Iterable[T]) -> dict[T, int]:
    """Links on the shortest way from a seed to each page that can be reached.

    >>> distances({"s": "pq", "p": "r"}, seeds="s")
    {'s': 0, 'p': 1, 'q': 1, 'r': 2}
    """
    found = dict.fromkeys(seeds, 0)
    waiting = deque(found)
    while waiting:
        page = waiting.popleft()
        for target in links.get(page, ()):
            if target not in found:
                found[target] = found[page] + 1
                waiting.append(target)
    return found


def site_distances(pages: Mapping[T, int], site: Callable[[T], S]) -> dict[S, int]:
    """Of each site the distance of its nearest page (F-28).

    >>> site_distances({"s": 0, "p": 1, "r": 2}, {"s": "S", "p": "S", "r": "T"}.__getitem__)
    {'S': 0, 'T': 2}
    """
    nearest: dict[S, int] = {}
    for page, distance in pages.items():
        place = site(page)
        nearest[place] = min(distance, nearest.get(place, distance))
    return nearest


def histogram(sites: Mapping[S, int], best: Iterable[S]) -> dict[int, int]:
    """How many of the best sites are 0, 1, 2 … links away; those out of reach are left out (F-28).

    >>> histogram({"S": 0, "Q": 1, "T": 1, "X": 3}, best="SQTZ")
    {0: 1, 1: 2}
    """
    return dict(sorted(Counter(sites[site] for site in best if site in sites).items()))

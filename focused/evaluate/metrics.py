"""The ruler: how good a crawl was, from what each page was, in the order they were fetched.

`relevant` is always one true/false per fetched page, first page first. Harvest rate and moving average: Chakrabarti
1999, §5.2; similarity: Batsakis, §4.2; diffusion: Chakrabarti 1999, §4.3; precision: Tsoi 2003, §4;
recall by site and time shares: xCrawl, §3.1. Of websites: websites.py; of two crawls: robustness.py; of similarity to
examples: likeness.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Flags = Sequence[bool] | Sequence[int] | npt.NDArray[np.bool_] | npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
T = TypeVar("T")


def harvest_rate(relevant: Flags) -> float:
    """Share of the fetched pages that are relevant; 0 for no pages.

    >>> harvest_rate([1, 0, 1, 1])
    0.75
    >>> harvest_rate([])
    0.0
    """
    return float(np.mean(relevant)) if len(relevant) else 0.0


def precision_at(relevant: Flags, pages: int) -> float:
    """Share of the first `pages` pages that are relevant (S-05): one point of the harvest curve.

    >>> precision_at([1, 1, 1, 0, 0, 0, 0, 0], 4), precision_at([1, 1, 1, 0, 0, 0, 0, 0], 8), precision_at([], 4)
    (0.75, 0.375, 0.0)
    """
    return harvest_rate(relevant[:pages])


def found_curve(relevant: Flags) -> npt.NDArray[np.int64]:
    """Relevant pages after 1, 2, 3 … pages.

    >>> found_curve([1, 0, 1, 1]).tolist()
    [1, 1, 2, 3]
    """
    return np.cumsum(np.asarray(relevant, dtype=np.int64))


def harvest_curve(relevant: Flags) -> Floats:
    """Harvest rate after 1, 2, 3 … pages.

    >>> harvest_curve([1, 0, 1, 1]).round(3).tolist()
    [1.0, 0.5, 0.667, 0.75]
    """
    return found_curve(relevant) / np.arange(1, len(relevant) + 1)


def area(relevant: Flags, pages: int | None = None) -> float:
    """Area under the harvest curve: the mean of `harvest_curve` over 1 … `pages`, between 0 and 1.

    `pages` is how many pages the crawl was allowed (default: as many as it fetched). A crawl that ran out of links
    before is counted as if it had gone on with pages that are not relevant.

    >>> area([1, 1, 0, 0])  # (1 + 1 + 2/3 + 1/2) / 4
    0.7916666666666666
    >>> area([0, 0, 1, 1])  # the same harvest, later
    0.20833333333333331
    >>> area([1, 1], pages=4) == area([1, 1, 0, 0])
    True
    """
    allowed = len(relevant) if pages is None else pages
    flags = np.zeros(allowed, dtype=np.int64)
    flags[: len(relevant)] = relevant[:allowed]
    return float(harvest_curve(flags).mean()) if allowed else 0.0


def area_of_oracle(relevant: Flags, oracle: Flags) -> float:
    """Area as a share of the oracle's, over as many pages as the longer of the two fetched.

    >>> area_of_oracle([0, 0, 1, 1], [1, 1, 0, 0])
    0.2631578947368421
    """
    pages = max(len(relevant), len(oracle))
    best = area(oracle, pages)
    return area(relevant, pages) / best if best else 0.0


def moving_average(values: Flags | Sequence[float] | Floats, window: int = 100) -> Floats:
    """Mean of the last `window` values at each point; of all of them while there are fewer.

    >>> moving_average([1, 0, 1, 1], window=2).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    sums = np.cumsum(np.asarray(values, dtype=np.float64))
    lengths = np.minimum(np.arange(1, len(sums) + 1), window)
    sums[window:] -= sums[:-window].copy()
    return sums / lengths


def is_diffuse(averages: Sequence[float] | Floats, windows: int = 3) -> bool:
    """The last `windows` averages are all below half of the best one: ever less of what comes in is relevant.

    >>> is_diffuse([0.9, 0.8, 0.6, 0.2, 0.2, 0.1]), is_diffuse([0.9, 0.2, 0.2, 0.5])
    (True, False)
    """
    return len(averages) > windows and max(averages[-windows:]) < max(averages) / 2


def recall(found: Collection[T], wanted: Collection[T]) -> float:
    """Share of what is wanted (for a crawl: the reachable relevant pages) that was found; 1 if nothing is.

    >>> recall(found={"a", "b", "x"}, wanted={"a", "b", "c", "d"})
    0.5
    """
    return len(set(found) & set(wanted)) / len(set(wanted)) if wanted else 1.0


def mean_recall(found: Sequence[int], existing: Sequence[int]) -> float:
    """Mean over the sites of found / existing (X-18); a site that has none is left out.

    >>> mean_recall(found=[643, 30], existing=[670, 60])  # large and small sites count the same
    0.7298507462686568
    """
    shares = [had / all_ for had, all_ in zip(found, existing, strict=True) if all_]
    return sum(shares) / len(shares) if shares else 1.0


def similar(similarity: Sequence[float] | Floats, threshold: float = 0.75) -> npt.NDArray[np.bool_]:
    """Which pages count as relevant by their similarity to examples: above 0.75, not at it (B-27).

    >>> similar([1.0, 0.707107, 0.75, 0.866025]).tolist()
    [True, False, False, True]
    """
    return np.asarray(similarity, dtype=np.float64) > threshold


def average_similarity(relevance: Sequence[float] | Floats) -> float:
    """Mean relevance of the fetched pages, whatever the threshold says of each; of m(p) for B-28.

    >>> average_similarity([0.8, 0.1, 0.6])
    0.5
    """
    return float(np.mean(relevance)) if len(relevance) else 0.0


def time_shares(seconds: Mapping[str, float]) -> dict[str, float]:
    """Share of the whole time that each task took (X-20).

    >>> time_shares({"download": 3.0, "judge": 1.0})
    {'download': 0.75, 'judge': 0.25}
    """
    whole = sum(seconds.values())
    return {task: spent / whole if whole else 0.0 for task, spent in seconds.items()}


def spread(length: int, at_most: int = 2000) -> npt.NDArray[np.int64]:
    """Positions of at most `at_most` evenly spaced points of a curve, its last one among them.

    >>> spread(10, at_most=4).tolist()
    [0, 3, 6, 9]
    """
    return np.unique(np.linspace(0, length - 1, min(length, at_most)).astype(np.int64)) if length else np.arange(0)

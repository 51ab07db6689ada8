"""Curves averaged over topics — Batsakis 2007, §4.2 (B-27, B-28): how a measure goes while the pages come in.

of a crawl    mean of its first 1, 2, 3 … pages; a crawl that ran dry finds no more
of a topic    mean over its crawls
of all        mean over the topics: each counts the same, however often it was crawled
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from focused.evaluate.metrics import Flags, Floats, moving_average

Values = Flags | Sequence[float] | Floats  # one a page: relevant or not, or how similar
SHARES = (0.1, 0.25, 0.5, 1.0)  # of the pages, where a curve is read for a table
HEADING = "after 10, 25, 50 and 100 % of the pages"


def curve(values: Values, pages: int) -> Floats:
    """The mean after 1 … `pages` pages.

    >>> curve([1, 0, 1], pages=4).round(3).tolist()
    [1.0, 0.5, 0.667, 0.5]
    """
    padded = np.zeros(pages)
    padded[: len(values)] = values[:pages]
    return moving_average(padded, window=pages)


def mean_curve(topics: Iterable[Sequence[Values]], pages: int) -> Floats:
    """Of the crawls of each topic.

    >>> mean_curve([[[1, 1], [1, 0]], [[0, 1]]], pages=2).tolist()  # the first topic was crawled twice
    [0.5, 0.625]
    """
    each = [np.mean([curve(values, pages) for values in crawls], axis=0) for crawls in topics]
    mean: Floats = np.mean(each, axis=0)
    return mean


def at_shares(points: Floats) -> list[float]:
    """What a table shows of a curve.

    >>> at_shares(curve([1] * 20 + [0] * 20, pages=40))
    [1.0, 1.0, 1.0, 0.5]
    """
    return [float(points[max(round(share * len(points)), 1) - 1]) for share in SHARES]

"""From tokens to queries — xCrawl, §2.1, Table 1 (X-02, X-03, X-04).

A token that says much about the topic and that many pages have is too common to be of use, one that nearly none has
finds nothing: queries are put together from the middle of the list outwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations


def search_weights(hits: Mapping[str, int | None]) -> dict[str, float]:
    """Hits of each token / those of the most frequent one; an engine that does not count calls all of them equal."""
    most = max((count for count in hits.values() if count is not None), default=0)
    return {token: 1.0 if count is None else count / most if most else 0.0 for token, count in hits.items()}


def harmonic_mean(one: float, other: float) -> float:
    """
    >>> round(harmonic_mean(0.149, 1.0), 6), harmonic_mean(0.5, 0.0)
    (0.259356, 0.0)
    """
    return 2 * one * other / (one + other) if one > 0 and other > 0 else 0.0


def ranked(weights: Mapping[str, float], hits: Mapping[str, int | None]) -> list[str]:
    """Tokens by the harmonic mean of both weights, the highest first."""
    found = search_weights(hits)
    return sorted(weights, key=lambda token: -harmonic_mean(found.get(token, 0.0), weights[token]))


def centre_out(tokens: Sequence[str]) -> list[str]:
    """From the middle outwards; of two as far away the one with the higher mean.

    >>> centre_out(["a", "b", "c", "d"])
    ['b', 'a', 'c', 'd']
    """
    centre = (len(tokens) - 1) // 2
    order = sorted(range(len(tokens)), key=lambda place: (abs(place - centre), place))
    return [tokens[place] for place in order]


def queries(tokens: Sequence[str], size: int) -> list[str]:
    """All sets of so many tokens, those nearest to the centre first; too few tokens make one query of all."""
    if not tokens:
        return []
    order = centre_out(tokens)
    centre, rank = (len(tokens) - 1) // 2, {token: number for number, token in enumerate(order)}
    away = {token: abs(place - centre) for place, token in enumerate(tokens)}
    sets = combinations(order, min(size, len(order)))
    nearest = sorted(sets, key=lambda one: (sum(away[token] for token in one), [rank[token] for token in one]))
    return [" ".join(one) for one in nearest]

"""Groups of similar pages — Batsakis 2007, §3.4.1 (B-20): k-means, and X-means, which finds their number itself.

Vectors are of unit length, so that near is what has a high cosine. Both begin the same way each time. k-means is
written here and not taken from scikit-learn because a crawl groups a few hundred pages when it starts, and importing
scikit-learn takes longer than all of it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from models.model import Floats

Groups = NDArray[np.int64]  # the group of each row
RESTARTS, ROUNDS, SEED = 10, 100, 0
MOST_GROUPS = 16  # of X-means
DIRECTIONS = 10  # in which X-means looks at texts
LEAST_VARIANCE = 1e-9


def kmeans(rows: csr_array, k: int) -> Groups:
    """The best of ten runs from other beginnings; fewer groups where there are fewer different rows."""
    if k <= 1 or rows.shape[0] <= 1:
        return np.zeros(rows.shape[0], np.int64)
    dice = np.random.default_rng(SEED)
    squares = _squares(rows)
    runs = [_lloyd(rows, squares, _beginning(rows, squares, k, dice)) for _ in range(RESTARTS)]
    best = min(runs, key=lambda run: round(_error(rows, run), 9))
    return np.unique(best, return_inverse=True)[1].astype(np.int64)


def xmeans(rows: csr_array, least: int = 1) -> Groups:
    """From the least number on groups are halved as long as their BIC says that two describe them better than one."""
    groups = kmeans(rows, least)
    number = int(groups.max(initial=0)) + 1
    waiting = list(range(number))
    while waiting and number < MOST_GROUPS:
        members = np.flatnonzero(groups == waiting.pop(0))
        halves = kmeans(rows[members], 2)
        if halves.any() and bic(rows[members], halves) > bic(rows[members], np.zeros_like(halves)):
            groups[members[halves == 1]] = number
            waiting += [int(groups[members[halves == 0][0]]), number]
            number += 1
    return groups


def directions(rows: csr_array, most: int = DIRECTIONS) -> csr_array:
    """The rows along the few directions in which they differ most (latent semantic indexing)."""
    values, vectors = np.linalg.eigh((rows @ rows.T).toarray())
    found = vectors[:, -most:] * np.sqrt(np.maximum(values[-most:], 0.0))
    return csr_array(found.round(9))  # a last bit must not decide where a page belongs


def bic(rows: csr_array, groups: Groups) -> float:
    """How well spherical groups of one variance describe the rows, less what each group costs (Pelleg, Moore 2000)."""
    count, dimensions = rows.shape
    sizes = np.bincount(groups)
    sizes = sizes[sizes > 0]
    k = len(sizes)
    if count <= k:
        return -math.inf
    variance = max(LEAST_VARIANCE, _error(rows, groups) / (dimensions * (count - k)))
    likelihood = float(sizes @ np.log(sizes / count))
    likelihood -= count * dimensions / 2 * math.log(2 * math.pi * variance) + dimensions * (count - k) / 2
    return float(likelihood - ((k - 1) + dimensions * k + 1) / 2 * math.log(count))


def means(rows: csr_array, groups: Groups) -> Floats:
    """One row a group."""
    count = rows.shape[0]
    belongs = csr_array((np.ones(count), (groups, np.arange(count))))
    sizes = np.maximum(1, np.bincount(groups))
    found: Floats = (belongs @ rows).toarray() / sizes[:, None]
    return found


def _lloyd(rows: csr_array, squares: Floats, centres: Floats) -> Groups:
    groups = np.full(rows.shape[0], -1, np.int64)
    for _ in range(ROUNDS):
        distances = _distances(rows, squares, centres)
        nearest = distances.argmin(axis=1)
        for empty in set(range(len(centres))) - set(nearest.tolist()):
            farthest = int(distances.min(axis=1).argmax())
            nearest[farthest], distances[farthest] = empty, 0.0  # it begins anew where it is needed most
        if np.array_equal(nearest, groups):
            break
        groups, centres = nearest, means(rows, nearest)
    return groups


def _beginning(rows: csr_array, squares: Floats, k: int, dice: np.random.Generator) -> Floats:
    """k-means++: each next centre is likely to be far from those before it."""
    chosen = [int(dice.integers(rows.shape[0]))]
    while len(chosen) < min(k, rows.shape[0]):
        far = _distances(rows, squares, rows[chosen].toarray()).min(axis=1).round(12)
        if not far.any():
            break
        chosen.append(int(np.searchsorted(np.cumsum(far), dice.random() * far.sum(), side="right")))
    found: Floats = rows[chosen].toarray()
    return found


def _distances(rows: csr_array, squares: Floats, centres: Floats) -> Floats:
    """Squared, from each row to each centre."""
    found: Floats = squares[:, None] - 2 * (rows @ centres.T) + (centres * centres).sum(axis=1)
    return np.maximum(found, 0.0)


def _error(rows: csr_array, groups: Groups) -> float:
    """The sum of squared distances to the mean of the own group."""
    centres = means(rows, groups)
    return max(0.0, float(_squares(rows).sum() - np.bincount(groups) @ (centres * centres).sum(axis=1)))


def _squares(rows: csr_array) -> Floats:
    found: Floats = np.asarray(rows.power(2).sum(axis=1), np.float64).ravel()
    return found

"""The links of an explored web, packed: what the oracle walks on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(slots=True, frozen=True)
class Graph:
    """Pages 0 … n - 1 and their links: those of page p are targets[offsets[p] : offsets[p + 1]]."""

    offsets: Ints
    targets: Ints

    @classmethod
    def of(cls, links: Sequence[Sequence[int]]) -> Graph:
        lengths = np.fromiter(map(len, links), np.int64, len(links))
        targets = np.fromiter((target for page in links for target in page), np.int64, int(lengths.sum()))
        return cls(_running(lengths), targets)

    @classmethod
    def of_pairs(cls, sources: Ints, targets: Ints, pages: int) -> Graph:
        """From (source, target) pairs in any order; doubles count once."""
        pairs = np.unique(sources * max(pages, 1) + targets)
        lengths = np.bincount(pairs // max(pages, 1), minlength=pages)
        return cls(_running(lengths), pairs % max(pages, 1))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def links(self, page: int) -> list[int]:
        found: list[int] = self.targets[self.offsets[page] : self.offsets[page + 1]].tolist()
        return found

    @property
    def sources(self) -> Ints:
        """The page each of the targets is linked from."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def only(self, wanted: Bools) -> Graph:
        """The same pages with only the links to the wanted ones."""
        kept = wanted[self.targets]
        return Graph(_running(kept)[self.offsets], self.targets[kept])


def _running(counts: npt.NDArray[np.integer] | Bools) -> Ints:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


@dataclass(slots=True, frozen=True)
class Clusters:
    """Relevant pages that lead to each other over relevant pages only: who has one of them has them all."""

    sizes: list[int]
    of_page: Ints  # of relevant pages only
    beside: Graph  # from cluster to cluster

    @classmethod
    def among(cls, wanted: Graph, relevant: Bools) -> Clusters:
        """`wanted`: the links to relevant pages."""
        inner = relevant[wanted.sources]
        sources, targets = wanted.sources[inner], wanted.targets[inner]
        matrix = csr_matrix((np.ones(len(sources), bool), (sources, targets)), shape=(len(relevant),) * 2)
        count, of_page = connected_components(matrix, connection="strong")
        of_page = of_page.astype(np.int64)
        apart = of_page[sources] != of_page[targets]
        sizes: list[int] = np.bincount(of_page, relevant, minlength=count).astype(np.int64).tolist()
        return cls(sizes, of_page, Graph.of_pairs(of_page[sources][apart], of_page[targets][apart], count))

"""What distilling hubs costs, and plain HITS beside networkx's.

Times are CPU times of this process. Run: python -m tests.bench.hubs
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from statistics import median

import networkx as nx
import numpy as np

from focused.graph import LinkGraph
from focused.hubs import Ids, Stop, bar_of, distil, hits
from tests.bench.frontier import timed

RHO = 0.15
TO_1E6 = Stop(50, 1e-6)


def ends(pages: int, links: int, seed: int = 1) -> tuple[Ids, Ids]:
    """Random links, page by page; few pages have many in-links: the density of targets falls as x**(-2/3)."""
    random = np.random.default_rng(seed)
    popular = random.permutation(pages)
    targets = popular[(pages * random.random(links) ** 3).astype(np.int64)]
    return np.sort(random.integers(0, pages, links)), targets


def made(pages: int, links: int, seed: int = 1) -> LinkGraph:
    """The same on sites of very different sizes, with random relevance; every page was had."""
    random = np.random.default_rng(seed)
    graph = LinkGraph()
    graph.enter(np.arange(1, pages + 1), 1 + np.minimum(random.pareto(1.0, pages) * 3, 99_999).astype(np.int64))
    graph.extend(*(side.astype(np.uint32) + 1 for side in ends(pages, links, seed)))
    graph.relevance[1:] = random.random(pages)
    return graph


def hits_1e6() -> dict[str, float]:
    """CPU seconds of one distillation of 1e6 pages and 8e6 links: the paper's share of authorities, and all pages."""
    graph = made(1_000_000, 8_000_000)
    bar = bar_of(graph.relevance, RHO)
    return {
        "hits_1e6_s": median(timed(lambda: distil(graph, bar, stop=TO_1E6)) for _ in range(3)),
        "hits_1e6_all_pages_s": timed(lambda: distil(graph, -np.inf, stop=TO_1E6)),
        "hits_1e6_longest_stall_ms": 1000 * longest_stall(lambda: distil(graph, bar, stop=TO_1E6)),
    }


def longest_stall(work: Callable[[], object]) -> float:
    """Seconds for which the work, done in a thread, keeps this one from running."""
    thread = threading.Thread(target=work)
    longest, last = 0.0, time.perf_counter()
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return longest


def hits_vs_networkx_1e5(rounds: int = 10) -> dict[str, float]:
    """Rounds of networkx's pure Python HITS over ours, 1e5 pages and 8e5 links; ours with making the matrix."""
    sources, targets = ends(100_000, 800_000)
    graph = nx.DiGraph(zip(sources.tolist(), targets.tolist(), strict=True))
    graph.add_nodes_from(range(100_000))

    def theirs() -> None:
        try:
            nx.algorithms.link_analysis.hits_alg._hits_python(graph, max_iter=rounds, tol=0.0)
        except nx.PowerIterationFailedConvergence:  # it is not meant to converge
            pass

    seconds = timed(theirs)
    ours = median(timed(lambda: hits(sources, targets, 100_000, Stop(rounds, 0.0))) for _ in range(3))
    return {"hits_vs_networkx_1e5": seconds / ours, "networkx_s": seconds, "ours_s": ours}


def main() -> None:
    """Print everything."""
    for measure in (hits_1e6, hits_vs_networkx_1e5):
        print(json.dumps(measure(), indent=2), flush=True)


if __name__ == "__main__":
    main()

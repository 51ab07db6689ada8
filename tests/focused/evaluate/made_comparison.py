"""Comparisons made by hand: crawls with a given share of relevant pages, no web and no process behind them."""

from __future__ import annotations

import numpy as np

from focused.evaluate.compare import Comparison
from focused.evaluate.runs import Run
from focused.evaluate.scores import Case


def case(reachable: int = 400, relevant: int = 100, pages: int = 200) -> Case:
    """The oracle goes straight through the relevant pages, which come first."""
    known = {f"http://site{n % 20}.example/{n}": n < relevant for n in range(reachable)}
    return Case(known, list(known)[:pages], likeness={url: 0.9 if yes else 0.1 for url, yes in known.items()})


def crawl(of: Case, share: float, seed: int, pages: int = 200) -> Run:
    """A crawl that finds a relevant page with this probability as long as there are any."""
    rng = np.random.default_rng(seed)
    wanted, other = list(reversed(of.wanted)), [url for url, yes in of.relevant.items() if not yes]
    urls = [wanted.pop() if wanted and rng.random() < share else other.pop() for _ in range(pages)]
    judged = [of.relevant[url] != (rng.random() < 0.1) for url in urls]
    return Run(urls, judged, 100.0 * (1 + share), 5.0 + seed / 10)


def comparison(shares: dict[str, float | None], seeds: int = 3) -> Comparison:
    """Orderings by how good they are; None: every crawl of it failed."""
    cases = [case() for _ in range(seeds)]
    made = Comparison("cycling", "sim:small", 200, cases, "judged by the web itself")
    for name, share in shares.items():
        runs = [
            Run(error="it broke (status 1)") if share is None else crawl(cases[seed], share, seed)
            for seed in range(seeds)
        ]
        made.add(name, runs, [[cases[0].relevant[url] for url in run.urls] for run in runs])
    made.add_oracle()
    return made

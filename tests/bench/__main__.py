"""make bench: speed as ratios against plain Scrapy, measured side by side in one run; a table and bench.json.

`python -m tests.bench frontier hubs` measures only the steps with such a word in their names.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.bench import frontier, hubs, judge, orderings, replay, restart, semantics, shared, websites
from tests.bench.served import served

ROUNDS = 3  # each side is measured so often, in turn; the median counts: other work on the machine comes and goes
SIZES = {"50k_100": (50, 100, 600), "10k_20": (10, 20, 1200)}

Row = tuple[str, float, str, str]  # name, value, target, meaning


def cpu(kind: str, size: str, *more: str) -> float:
    """CPU milliseconds a page of one crawl in a process of its own."""
    words = [sys.executable, "-m", "tests.bench.crawls", kind, *map(str, SIZES[size]), *more]
    return float(json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()[-1]))


def ratio(above: str, below: str, size: str, *more: str) -> tuple[float, float, float]:
    """Median CPU a page of both, and the ratio of the medians."""
    pairs = [(cpu(above, size, *more), cpu(below, size, *more)) for _ in range(ROUNDS)]
    up, down = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    return up, down, up / down


def pipeline(size: str, target: str) -> list[Row]:
    ours, plain, share = ratio("focused", "plain", size)
    return [(f"pipeline_{size}", share, target, f"{ours:.2f} ms of CPU a page, plain Scrapy {plain:.2f}")]


def http() -> list[Row]:
    with served(*SIZES["50k_100"][:2]) as seeds:
        ours, plain, share = ratio("focused_http", "plain_http", "50k_100", ",".join(seeds))
    return [
        ("pipeline_http_50k_100", share, "<= 0.40", f"over loopback: {ours:.2f} ms a page, plain Scrapy {plain:.2f}")
    ]


def focus() -> list[Row]:
    with_it, without, share = ratio("focused", "unjudged", "50k_100")
    return [
        ("focus_overhead", share - 1, "<= 0.30", f"judge and scores: {with_it:.2f} ms a page, without {without:.2f}")
    ]


def frontiers() -> list[Row]:
    growth, memory, pops = (
        frontier.frontier_growth(), frontier.frontier_bytes_per_url(), frontier.pop_vs_scrapy_1e5_sites()
    )  # fmt: skip
    rows: list[tuple[str, dict[str, float], str, str]] = [
        ("frontier_growth_1e4_1e7", growth, "<= 3", "push and pop at 10^7 waiting URLs against 10^4"),
        ("frontier_bytes_per_url", memory, "<= 64", "RAM at 10^7 URLs, order and seen test"),
        ("pop_vs_scrapy_1e5_sites", pops, ">= 1000", "times cheaper than Scrapy's queue"),
        ("restart_urls_per_s", {"restart_urls_per_s": restart.restart_urls_per_s()}, ">= 1e6", "waiting URLs loaded"),
    ]
    return [(name, measured[name], target, meaning) for name, measured, target, meaning in rows]


def distilling() -> list[Row]:
    measured = hubs.hits_1e6() | hubs.hits_vs_networkx_1e5()
    rows = [
        ("hits_1e6_s", "<= 2", "seconds of CPU to distil 10^6 pages and 8 * 10^6 links"),
        ("hits_vs_networkx_1e5", ">= 50", "times cheaper than networkx's HITS in Python, 10^5 pages"),
    ]
    return [(name, measured[name], target, meaning) for name, target, meaning in rows]


def choosing() -> list[Row]:
    name, meaning = "site_choice_p99_ms", "ms of CPU to choose the next of 10,000 sites, 99 of 100 times"
    return [(name, websites.site_choice()[name], "<= 1", meaning)]


def sharing() -> list[Row]:
    measured = shared.shared_store()
    rows = [
        ("postgres_vs_sqlite", "<= 2", "CPU of a worker for the store, {postgres_us_per_page:.0f} µs a page, SQLite 1"),
        ("postgres_lease_1000_ms", "<= 50", "ms until sites with 1,000 of 10^6 waiting URLs are a worker's"),
        (
            "workers_2",
            ">= 1.8",
            "times the pages a second of one worker ({pages_per_s_of_1_worker:.0f}), free cores given",
        ),
        ("workers_4", ">= 3", "the same"),
    ]
    return [(name, measured[name], target, meaning.format(**measured)) for name, target, meaning in rows]


def judging() -> list[Row]:
    page, links = judge.judge(), judge.anchors()
    same = page["judge_text_vs_sklearn"]
    rows = [
        ("judge_us_per_word", page, "<= 0.4", "µs of CPU from text to judgement, a page of 1,700 words"),
        ("judge_vs_sklearn", page, ">= 20", "times cheaper than scikit-learn, one page at a time, from its terms"),
        (
            "judge_text_vs_nltk_sklearn",
            page,
            ">= 20",
            f"from its text, with nltk's stems ({same:.1f} with PyStemmer's)",
        ),
        ("anchors_ms_per_100", links, "<= 0.25", "ms of CPU for 100 anchors with their context"),
        ("anchors_vs_sklearn", links, ">= 300", "times cheaper than scikit-learn, one by one"),
    ]
    return [(name, measured[name], target, meaning) for name, measured, target, meaning in rows]


def comparing() -> list[Row]:
    each = semantics.meaning()
    told = "ms of CPU for 100 anchors and a query of 5 words that have been met, by the slowest measure of `semantic`"
    return [
        ("meaning_ms_per_100", each["meaning_ms_per_100"], "<= 5", told),
        (
            "wordnet_load_s",
            semantics.wordnet_load()["wordnet_load_s"],
            "<= 3",
            "s of CPU until WordNet has found a word",
        ),
    ]


def ordering() -> list[Row]:
    return [
        (
            name,
            times,
            "<= 1.3" if name.startswith("adaptive") else "<= 1.5",
            "times the CPU a page of best_first, after warm-up",
        )
        for name, times in orderings.ordering_costs().items()
    ]


def replaying() -> list[Row]:
    found = replay.replayed()
    minutes = f"50 x (start {found.start_s:.1f} s + 1,000 pages at that rate) / 2 at once; all orderings as best_first"
    return [
        ("replay_pages_per_s", found.pages_per_s, ">= 150", "best_first on sim:small, by the clock, without the start"),
        ("replay_pages_per_cpu_s", 1000 / found.cpu_ms, ">= 150", "the same by its CPU time: what a free core has"),
        ("compare_10x5x1000_min", found.compare_min, "<= 15", minutes),
    ]


STEPS: list[tuple[str, Callable[[], list[Row]]]] = [
    ("pipeline, 50 KB and 100 links", lambda: pipeline("50k_100", "<= 0.25")),
    ("pipeline, 10 KB and 20 links", lambda: pipeline("10k_20", "<= 0.35")),
    ("pipeline over HTTP", http),
    ("cost of focusing", focus),
    ("frontier", frontiers),
    ("hubs", distilling),
    ("judging", judging),
    ("meaning", comparing),
    ("next site", choosing),
    ("orderings", ordering),
    ("replay", replaying),
    ("shared store", sharing),
]


def shown(value: float) -> str:
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def main() -> None:
    console, rows = Console(), []
    steps = [step for step in STEPS if not sys.argv[1:] or any(word in step[0] for word in sys.argv[1:])]
    for _, step in track(steps, "measuring", console=console):
        measured = step()
        rows += measured
        for name, value, _, _ in measured:
            console.print(f"{name}: {shown(value)}")
    table = Table("measure", "value", "target", "what")
    for name, value, target, meaning in rows:
        table.add_row(name, shown(value), target, meaning)
    console.print(table)
    if len(steps) == len(STEPS):
        Path("bench.json").write_text(json.dumps({name: value for name, value, _, _ in rows}, indent=1) + "\n")
        console.print("written: bench.json")


if __name__ == "__main__":
    main()

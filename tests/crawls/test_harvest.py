"""Focusing pays: on the simulated web, by the web's own word, on every seed."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from focused.evaluate.truth import Truth
from focused.store.queries import Reading
from focused.topic import Topic

PAGES, SEEDS = 1000, (1, 2, 3, 4, 5)


def found(folder: Path, ordering: str, seed: int) -> int:
    """Pages of the topic among the first PAGES."""
    web, name = f"sim:small,seed={seed}", f"{ordering}-{seed}"
    words = f"crawl topic -a topic=cycling -a ordering={ordering} -a web={web} -a max_pages={PAGES}"
    settings = f"-s FOCUSED_DATA_DIR={folder} -s FOCUSED_CRAWL={name} -s FOCUSED_STRICT_ORDER=1 -s FOCUSED_PROGRESS=0"
    subprocess.run([sys.executable, "-m", "scrapy", *words.split(), *settings.split()], check=True, capture_output=True)
    truth = Truth(web, Topic.load("cycling").sim["topic"])
    with Reading(folder / name / "crawl.db") as reading:
        return sum(truth.of(url for url, _ in reading.visits()))


def test_best_first_finds_clearly_more_than_breadth_first_on_every_seed(tmp_path: Path) -> None:
    runs = [(ordering, seed) for seed in SEEDS for ordering in ("best_first", "breadth_first")]
    with ThreadPoolExecutor(2) as pool:
        counts = dict(zip(runs, pool.map(lambda run: found(tmp_path, *run), runs), strict=True))
    ratios = {seed: counts["best_first", seed] / counts["breadth_first", seed] for seed in SEEDS}
    print("best_first against breadth_first:", {seed: round(ratio, 2) for seed, ratio in ratios.items()})
    assert min(ratios.values()) > 1.2
    assert max(ratios.values()) < 5  # a web that gives ten times as much is too easy to mean anything

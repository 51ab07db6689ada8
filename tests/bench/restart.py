"""How fast a crawl with many waiting links starts again."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
from scrapy.settings import Settings

from focused.assemble import Assembly
from focused.state import State
from focused.store.rows import Found, NewPage
from focused.store.sqlite import SqliteStore

URLS, SITES, BATCH = 2_000_000, 20_000, 100


def restart_urls_per_s() -> float:
    """Waiting URLs a second of CPU: order, seen test and sites, from the store to memory."""
    settings = Settings({"FOCUSED_TOPIC": "cycling", "FOCUSED_ORDERING": "best_first"})
    settings.setmodule("focused.settings", priority="default")
    crawl = Assembly(settings)
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "crawl.db")
        _fill(store)
        begin = time.process_time()
        state = State(crawl.options, store, crawl.ordering)
        seconds = time.process_time() - begin
        waiting = len(state.frontier)
        store.close()
    assert waiting == URLS
    return URLS / seconds


def _fill(store: SqliteStore) -> None:
    rng = np.random.default_rng(1)
    store.enter_sites([f"www.site-{n}.example" for n in range(1, SITES + 1)])
    for first in range(1, URLS + 1, BATCH):
        keys = rng.integers(-(2**63), 2**63, BATCH)
        scores, sites = rng.random(BATCH).tolist(), rng.integers(1, SITES + 1, BATCH).tolist()
        new = [
            NewPage(i, f"http://www.site-{site}.example/some/path/page-{i}.html", site, score, 3, None, 0, None, None)
            for i, site, score in zip(range(first, first + BATCH), sites, scores, strict=True)
        ]
        store.add(Found(new, keys, [], []))
    store.commit({})

"""What the shared store costs: a page's commit against SQLite, sites out of a million waiting links, more workers."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import psycopg

from focused.store.interface import CrawlStore
from focused.store.postgres import PostgresStore
from focused.store.rows import DONE, Fetched, Found, NewPage
from focused.store.sqlite import SqliteStore
from tests.rig.postgres import PostgresServer
from tests.rig.run import SCRAPY
from tests.rig.web import ROOT

PAGES, NEW, KNOWN, SITES, GROUP = 2_000, 25, 25, 100, 8  # pages that share a commit, as in a crawl of 16 requests
PENDING, OF_A_SITE, LEASED = 1_000_000, 100, 1_000
CRAWLED = 1_500
WORDS = 800  # of a text


def shared_store() -> dict[str, float]:
    """All measures, on one server with the safety of a real one."""
    server = PostgresServer(fsync="on", shared_buffers="256MB")
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            alone = _cost(SqliteStore(folder / "crawl.db"))
            (folder / "worker").mkdir()
            shared = _cost(PostgresStore(server.url(), "bench", folder / "worker"))
            lease = _lease(server, folder)
            rates = {workers: _rate(server, folder, workers) for workers in (1, 2, 4)}
    finally:
        server.remove()
    return {
        "postgres_vs_sqlite": shared / alone, "postgres_us_per_page": shared, "sqlite_us_per_page": alone,
        "postgres_lease_1000_ms": lease, "workers_2": rates[2] / rates[1], "workers_4": rates[4] / rates[1],
        "pages_per_s_of_1_worker": rates[1],
    }  # fmt: skip


def _cost(store: CrawlStore) -> float:
    """Microseconds of the worker's CPU a page: lease, outcome, links new and known, the site's row, commits.

    Of this thread alone: a progress display has one of its own, and more time to draw while a server is waited for.
    """
    rng = np.random.default_rng(1)
    sites = store.enter_sites([f"www.site-{n}.example" for n in range(SITES)])
    store.add(_found(store, sites[0].id, None, rng))
    store.commit({})
    begin, text = 0.0, _text(rng)
    for number in range(1, PAGES + 1):
        if number == PAGES // 10:  # until then statements are prepared and pages of memory touched
            begin = time.thread_time()
        lease = store.lease(number, time.time())
        assert lease is not None
        site = sites[number % SITES]
        site.pages += 1
        if isinstance(store, PostgresStore):  # SQLite's is in the WARC alone, until somebody searches
            store.keep_text(number, f"{number} {text}")
        store.finish(number, lease.token, Fetched(DONE, "ok", number, 1.0, 200, 0.5, True, "class", "A title", 7, 99))
        store.add(_found(store, site.id, number, rng))
        store.save_site(site)
        if number % GROUP == 0:
            store.commit({"pages.jsonl": number})
    store.commit({})
    seconds = time.thread_time() - begin
    store.close()
    return 1e6 * seconds / (0.9 * PAGES)


def _text(rng: np.random.Generator) -> str:
    """As long as that of a page of the Web, with as many different words, a few of them with accents."""
    words = rng.zipf(1.3, WORDS) % 5_000
    return ", ".join(f"wörd{word}" if word % 50 == 7 else f"word{word}" for word in words)


def _found(store: CrawlStore, site: int, source: int | None, rng: np.random.Generator) -> Found:
    ids = store.reserve(NEW).tolist()
    new = [
        NewPage(i, f"http://www.site-{site}.example/path/page-{i}.html", site, 0.5, 3, source, 0, None, None)
        for i in ids
    ]
    targets = [*ids, *range(1, KNOWN + 1)] if source else []
    edges = [(source or 0, target, "some words of anchor", "/html/body/div/a", 0.5) for target in targets]
    return Found(new, rng.integers(-(2**63), 2**63, NEW), [], edges)


def _lease(server: PostgresServer, folder: Path) -> float:
    """Milliseconds until sites with a thousand waiting links are a worker's, with everything it must know of them."""
    (folder / "lease").mkdir()
    store = PostgresStore(server.url(), "lease", folder / "lease")
    with psycopg.connect(server.url(), autocommit=True, options="-c search_path=lease") as db:
        sites = PENDING // OF_A_SITE
        db.execute(f"INSERT INTO site (host, best) SELECT 'site-' || n, random() FROM generate_series(1, {sites}) AS n")
        db.execute(
            f"""INSERT INTO page (id, site_id, key, depth, score, url)
            SELECT n, 1 + n % {sites}, n::bigint * 1000003, 3, random(),
            'http://www.site-' || n % {sites} || '.example/page-' || n FROM generate_series(1, {PENDING}) AS n"""
        )
        db.execute("VACUUM ANALYZE")
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        taken = store.team.snapshot(store.team.claim(LEASED // OF_A_SITE))
        times.append(1000 * (time.perf_counter() - begin))
        assert len(taken.ids) == LEASED
    store.close()
    return median(times)


def _rate(server: PostgresServer, folder: Path, workers: int) -> float:
    """Pages a second of so many workers on the simulated web, from the first page to the last."""
    name = f"rate{workers}"
    settings = {
        "FOCUSED_WEB": "sim:small,seed=1", "FOCUSED_MAX_PAGES": CRAWLED, "FOCUSED_STORE": server.url(),
        "FOCUSED_CRAWL": name, "FOCUSED_DATA_DIR": folder, "FOCUSED_PROGRESS": 0,
    }  # fmt: skip
    words = [word for key, value in settings.items() for word in ("-s", f"{key}={value}")]
    command = [sys.executable, SCRAPY, "crawl", "topic", "-a", "topic=cycling", *words]
    runs = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(workers)]
    for run in runs:
        assert run.wait() == 0
    with psycopg.connect(server.url(), options=f"-c search_path={name}") as db:
        # The last workers to come are there when a fifth is done.
        row = db.execute(
            "SELECT max(fetched_at) - min(fetched_at), count(*) FROM page WHERE visit > (SELECT pages / 5 FROM total)"
        ).fetchone()
    assert row is not None
    return float(row[1] / row[0])

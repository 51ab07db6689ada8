"""What the orderings that learn and the semantic ones cost beside best-first: CPU a page of whole crawls, as ratios.

    python -m tests.bench.orderings                      all of them, in turn, as ratios
    python -m tests.bench.orderings ORDERING [ARGS]      one crawl in this process, milliseconds a page

Pages are those of the embedded web, so that their words are in WordNet. They are made before anything is measured and
answered in process, so that making them costs nobody anything; which one depends on the URL alone. CPU is counted after
the warm-up, as in `crawls`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import HtmlResponse, Request, Response, TextResponse
from scrapy.settings import Settings

from focused.sessions import write
from focused.surfing import Surfer
from focused.topic import Topic
from focused.webs import open_web
from focused.webs.simulated.web import SimWeb

ROUNDS = 3
PAGES, POOL = 800, 1000  # fetched, the first 200 of them as warm-up; and different ones
TOPIC, WEB, OTHER_WEB = "cycling", "sim:small,seed=1", "sim:small,seed=2"  # crawled, and surfed on
BASE = "best_first"
MEASURED = {  # what the table calls it: ordering, arguments
    "adaptive": ("adaptive", ""),
    "hmm": ("hmm", ""),
    "hmm_hybrid": ("hmm", "hybrid=anchor"),
    "semantic_synset": ("semantic", "measure=synset"),
    "semantic_ehrig": ("semantic", "measure=ehrig"),
    "semantic_ssrm": ("semantic", "measure=ssrm"),
}


class EmbeddedPages(BaseDownloadHandler):
    """Answers with one of the pages that were made before."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.bodies = pool()

    async def download_request(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            return TextResponse(request.url, status=404, request=request)
        body = self.bodies[sum(request.url.encode()) % len(self.bodies)]
        headers = {"Content-Type": "text/html; charset=utf-8"}
        return HtmlResponse(request.url, body=body, headers=headers, request=request)

    async def close(self) -> None:
        """Nothing is open."""


def opened(web: str) -> SimWeb:
    found = open_web(web)
    assert isinstance(found, SimWeb)
    return found


def pool() -> list[bytes]:
    """Pages of all topics, by turns."""
    web = opened(WEB)
    urls = [url for path in web.topics() for url in web.pages_of(path)]
    answers = [web.fetch(url) for url in urls[:: max(1, len(urls) // POOL)][:POOL]]
    return [a.body for a in answers if a.status == 200 and a.headers.get("Content-Type", "").startswith("text/html")]


def milliseconds(ordering: str, args: str = "") -> float:
    """CPU a page of one crawl."""
    with tempfile.TemporaryDirectory() as folder:
        process = CrawlerProcess(_settings(folder, ordering, args))
        crawler = process.create_crawler("topic")
        process.crawl(crawler, topic=str(_topic(folder)))
        process.start()
        return float(crawler.stopwatch.milliseconds_a_page)  # type: ignore[attr-defined]


def ordering_costs() -> dict[str, float]:
    """Each ordering's CPU a page as a multiple of best-first's, the median of the ratios.

    Each crawl stands between two of best-first and is compared with their mean: the speed of a machine drifts.
    """
    ratios: dict[str, list[float]] = {name: [] for name in MEASURED}
    for _ in range(ROUNDS):
        before = _apart(BASE)
        for name, words in MEASURED.items():
            own, after = _apart(*words), _apart(BASE)
            ratios[name].append(2 * own / (before + after))
            before = after
    return {f"{name}_vs_best_first": median(found) for name, found in ratios.items()}


def _apart(*words: str) -> float:
    """In a process of its own: a reactor runs once, and what one crawl has learned must not help the next."""
    command = [sys.executable, "-m", "tests.bench.orderings", *words]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(json.loads(printed.splitlines()[-1]))


def _settings(folder: str, ordering: str, args: str) -> Settings:
    settings = Settings()
    settings.setmodule("focused.settings", priority="project")
    given = {
        "FOCUSED_DATA_DIR": folder, "FOCUSED_MAX_PAGES": PAGES, "BENCH_PAGES": PAGES, "FOCUSED_ORDERING": ordering,
        "FOCUSED_ORDERING_ARGS": args, "FOCUSED_SITE_BUDGET": "none", "FOCUSED_PROGRESS": False, "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR", "EXTENSIONS": {**settings.getdict("EXTENSIONS"), "tests.bench.crawls.Stopwatch": 1},
        "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https"), "tests.bench.orderings.EmbeddedPages"),
    }  # fmt: skip
    settings.setdict(given, priority="cmdline")
    return settings


def _topic(folder: str) -> Path:
    """Seeds on many sites, and browsing on a web of another seed for those that learn from it."""
    path, known, web = Path(folder) / "bench" / "topic.toml", Topic.load(TOPIC), opened(WEB)
    path.parent.mkdir()
    seeds = [url for topic in web.topics() for url in web.seeds(topic, 1, 0)]
    path.write_text(
        f"query = {json.dumps(known.query)}\nseeds = {json.dumps(seeds)}\n"
        '[model]\nkind = "similarity"\n[sessions]\nfile = "sessions.jsonl"\n'
    )
    write(path.with_name("sessions.jsonl"), Surfer(opened(OTHER_WEB), known).steps())
    return path


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(milliseconds(*sys.argv[1:])))
    else:
        print(json.dumps(ordering_costs(), indent=2))

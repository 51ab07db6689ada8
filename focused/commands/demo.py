"""scrapy demo: one topic on the simulated web, focused and breadth-first, side by side."""

from __future__ import annotations

import shutil
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand

from focused.commands.folder import user_errors

if TYPE_CHECKING:
    from focused.evaluate.truth import Truth

TOPIC, WEB, PAGES = "cycling", "sim:small,seed=1", 1000


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def short_desc(self) -> str:
        return "Crawl the embedded web for the topic 'cycling' and show what focusing gains"

    def run(self, args: list[str], opts: Namespace) -> None:
        assert self.settings is not None
        data = Path(self.settings.get("FOCUSED_DATA_DIR"))
        with user_errors(self):
            self._crawl(data / "demo", "best_first", f"Looking for pages about {TOPIC} on a simulated web")
            self._crawl(data / "demo-breadth-first", "breadth_first", "The same web and seeds, breadth first")
            self._show(data)

    def _crawl(self, folder: Path, ordering: str, title: str) -> None:
        print(f"{title} ({PAGES:,} pages, {ordering})", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        words = f"crawl topic -a topic={TOPIC} -a ordering={ordering} -a web={WEB} -a max_pages={PAGES}".split()
        where = ["-s", f"FOCUSED_DATA_DIR={folder.parent}", "-s", f"FOCUSED_CRAWL={folder.name}"]
        command = [sys.executable, "-m", "scrapy", *words, *where, "-s", "FOCUSED_STRICT_ORDER=1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # its last words are said here, for both

    def _show(self, data: Path) -> None:
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from rich.console import Console

        from focused.evaluate.report import write_report
        from focused.evaluate.tables import Section, found
        from focused.evaluate.terminal import print_section
        from focused.evaluate.truth import Truth
        from focused.store.queries import Reading
        from focused.topic import Topic

        console, truth = Console(), Truth(WEB, Topic.load(TOPIC).sim["topic"])
        with Reading(data / "demo/crawl.db") as focused, Reading(data / "demo-breadth-first/crawl.db") as other:
            path = write_report(focused, data / "demo", {"breadth_first": [verdict for _, verdict in other.visits()]})
            for section in found(focused, limit=5):
                print_section(section, console)
            crawls = {"best_first": focused.visits(), "breadth_first": other.visits()}
            rows: list[Any] = [_row(name, visits, truth) for name, visits in crawls.items()]
        headings = ("ordering", "pages", "relevant, says the judge", "relevant, says the web", "harvest")
        print_section(Section(f"What focusing gains, topic {TOPIC}", headings, rows), console)
        print(
            f"Of the same number of pages, {rows[0][3] / rows[1][3]:.1f} times as many are about {TOPIC}.\n"
            f"Report: {path} (opens offline)\nResults: {data}/demo/ (crawl.db, pages.jsonl, pages.warc.gz)\n"
            "Next: scrapy export demo --format csv --relevant, or scrapy explain demo URL"
        )


def _row(name: str, visits: list[tuple[str, bool]], truth: Truth) -> tuple[str, int, int, int, float]:
    from focused.evaluate.tables import Share

    right = sum(truth.of(url for url, _ in visits))
    return name, len(visits), sum(verdict for _, verdict in visits), right, Share(right / len(visits))

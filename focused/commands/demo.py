"""scrapy demo: one topic on the simulated web, focused and breadth-first, side by side."""

from __future__ import annotations

import shutil
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand

from focused.commands.folder import user_errors

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
        print(f"\n{title} ({PAGES:,} pages, {ordering})", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        words = f"crawl topic -a topic={TOPIC} -a ordering={ordering} -a web={WEB} -a max_pages={PAGES}".split()
        rest = ["-s", f"FOCUSED_DATA_DIR={folder.parent}", "-s", f"FOCUSED_CRAWL={folder.name}", "-s", "FOCUSED_STRICT_ORDER=1"]
        subprocess.run([sys.executable, "-m", "scrapy", *words, *rest], check=True)

    def _show(self, data: Path) -> None:
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from rich.console import Console

        from focused.evaluate.report import write_report
        from focused.evaluate.terminal import print_report
        from focused.evaluate.truth import Truth
        from focused.store.queries import Reading
        from focused.topic import Topic

        truth = Truth(WEB, Topic.load(TOPIC).sim["topic"])
        with Reading(data / "demo/crawl.db") as focused, Reading(data / "demo-breadth-first/crawl.db") as other:
            relevant = [verdict for _, verdict in other.visits()]
            path = write_report(focused, data / "demo", {"breadth_first": relevant})
            print_report(focused, "demo", Console())
            best, plain = (sum(truth.of(url for url, _ in crawl.visits())) for crawl in (focused, other))
        print(
            f"The web itself says: {best} of {PAGES:,} pages are about {TOPIC}, {plain} of those fetched breadth first: "
            f"{best / plain:.1f} x.\n\nReport: {path} (opens offline)\n"
            f"Next: scrapy export demo --format csv --relevant, or scrapy explain demo URL"
        )

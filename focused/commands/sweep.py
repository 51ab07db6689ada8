"""scrapy sweep TOPIC --web WEB [--ordering xcrawl] [--vary restart=0.05,0.15]"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import user_errors
from focused.errors import SettingError, WebError

if TYPE_CHECKING:
    from focused.evaluate.runs import Plan
    from focused.webs import Web

RESTARTS = "restart=0.05,0.1,0.15,0.2,0.25,0.3"


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "TOPIC --web WEB [--ordering NAME] [--vary ARG=A,B,C] [options]"

    def short_desc(self) -> str:
        return "One ordering with many values of an argument: recall of each site, harvest, time shares"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--web", help="a web that knows all its instances, such as sim:catalogue,seed=1")
        parser.add_argument("--ordering", default="xcrawl", help="default xcrawl")
        parser.add_argument("--vary", action="append", metavar="ARG=A,B,C", help=f"default {RESTARTS} for xcrawl")
        parser.add_argument("--pages", type=int, default=0, help="pages of each crawl at most (default no limit)")
        parser.add_argument("--seeds", type=int, default=1, help="crawls of each (default 1)")
        parser.add_argument("-o", "--output", metavar="FOLDER", help="default: sweep-TOPIC in the data directory")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one topic, such as: scrapy sweep cameras --web sim:catalogue,seed=1")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from rich.console import Console

        from focused.evaluate.sweep import swept, table, varied, write
        from focused.evaluate.terminal import print_lines, print_section
        from focused.evaluate.watching import Watch

        with user_errors(self, "Interrupted: the crawls were ended and nothing was written."):
            plan, ground = self._prepared(args[0], opts)
            entries = varied(opts.ordering, opts.vary or [RESTARTS] * (opts.ordering == "xcrawl"))
            with Watch(Console(stderr=True), len(entries) * opts.seeds) as watch:
                rows = swept(plan, entries, opts.seeds, ground, watch.crawled)
            facts = {"topic": args[0], "web": plan.web, "pages": plan.pages, "seeds": opts.seeds}
            path = write(rows, facts, plan.folder.parent)
            print_lines([error for row in rows for error in row.errors], Console(file=sys.stderr))
            print_section(table(rows), Console())
            print_lines([f"Results: {path}"], Console())
            self.exitcode = int(any(row.errors for row in rows))

    def _prepared(self, given: str, opts: Namespace) -> tuple[Plan, tuple[Web, str]]:
        """What all crawls share, and what is true on their web."""
        from focused.evaluate.runs import Plan
        from focused.topic import Topic
        from focused.webs import open_web

        assert self.settings is not None
        topic, spec = Topic.load(given), opts.web or self.settings.get("FOCUSED_WEB")
        if opts.seeds < 1 or opts.pages < 0:
            raise SettingError(
                f"--seeds {opts.seeds} --pages {opts.pages}: give at least one seed, and pages from 0 on."
            )
        if not spec or "topic" not in topic.sim:
            raise WebError("A sweep needs a topic with [sim] and a simulated web, such as --web sim:catalogue,seed=1.")
        folder = Path(opts.output or Path(self.settings.get("FOCUSED_DATA_DIR")) / f"sweep-{topic.name}")
        plan = Plan(given, spec, opts.pages, folder / "runs", settings=tuple(opts.set))
        return plan, (open_web(spec), str(topic.sim["topic"]))

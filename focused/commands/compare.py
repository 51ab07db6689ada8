"""scrapy compare TOPIC --web WEB --orderings a,b:arg=x;arg2=y,c"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import user_errors
from focused.errors import SettingError, StoreError, WebError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from focused.assemble import Assembly
    from focused.evaluate.compare import Comparison
    from focused.evaluate.contest import Ground
    from focused.evaluate.reach import Atlas
    from focused.evaluate.runs import Entry, Plan


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "TOPIC --web WEB --orderings A,B:ARG=X;ARG2=Y,C [options]"

    def short_desc(self) -> str:
        return "Orderings beside each other and beside the oracle, all on one frozen web"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--web", help="frozen web: sim:small,seed=1 or warc:PATH (default: FOCUSED_WEB)")
        parser.add_argument("--orderings", default="best_first,breadth_first", help="such as best_first:on=anchor,fish")
        parser.add_argument("--pages", type=int, default=1000, help="pages of each crawl (default 1000)")
        parser.add_argument("--seeds", type=int, default=5, help="crawls of each ordering (default 5)")
        parser.add_argument("--truth", metavar="FILE", help="url,label lines: what the pages are really about")
        parser.add_argument("--jobs", type=int, default=2, help="crawls at a time (default 2)")
        parser.add_argument("--reach", type=int, default=100_000, help="pages explored at most (default 100000)")
        order = parser.add_mutually_exclusive_group()
        order.add_argument("--strict", dest="strict", action="store_true", default=True, help="exact order (default)")
        order.add_argument("--concurrent", dest="strict", action="store_false", help="as on the real web")
        parser.add_argument("--keep", action="store_true", help="keep the crawls, in runs/")
        parser.add_argument("-o", "--output", metavar="FOLDER", help="default: compare-TOPIC in the data directory")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError(
                "give one topic, such as: scrapy compare cycling --web sim:small --orderings best_first,fish"
            )
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from rich.console import Console

        from focused.evaluate.compare import write
        from focused.evaluate.compare_page import write_page
        from focused.evaluate.contest import compete
        from focused.evaluate.watching import Watch

        assert self.settings is not None
        try:
            with user_errors(self):
                entries, plan, ground = prepare(self.settings, args[0], opts)
                with Watch(Console(stderr=True), len(entries) * opts.seeds) as watch:
                    comparison = compete(plan, entries, ground, watch, opts.jobs)
                write(comparison, plan.folder.parent)
                _show(comparison, write_page(comparison, plan.folder.parent))
                self.exitcode = int(any(row.errors for row in comparison.rows))
        except KeyboardInterrupt:
            print("Interrupted: the crawls were ended and nothing was written.", file=sys.stderr)
            self.exitcode = 130


def _show(comparison: Comparison, page: Path) -> None:
    from rich.console import Console

    from focused.evaluate.compare_page import failures, table, who_wins, within_reach
    from focused.evaluate.terminal import print_lines, print_section

    print_lines([*comparison.notes, *failures(comparison)], Console(file=sys.stderr))
    console = Console()
    print_section(table(comparison), console)
    files = f"Results: {page.parent}/ (compare.json, compare.csv)"
    print_lines([who_wins(comparison), within_reach(comparison), files, f"Page: {page}"], console)


def prepare(settings: BaseSettings, topic: str, opts: Namespace) -> tuple[list[Entry], Plan, Ground]:
    """Everything a user can get wrong is found here, before anything runs."""
    from focused.evaluate.contest import Ground
    from focused.evaluate.runs import Plan, entries_of
    from focused.evaluate.truth import names_of, read_labels
    from focused.webs import open_web

    spec = _checked(settings, opts)
    entries = entries_of(opts.orderings)
    parts = _assembled(settings, topic, spec, entries)
    labels = read_labels(Path(opts.truth), names_of(parts.topic)) if opts.truth else None
    parts.web = open_web(spec)
    ground = Ground(
        parts.topic, parts.web, _seeds(parts, opts.seeds), _atlas(parts), parts.vocabulary, labels, opts.reach
    )
    plan = Plan(topic, spec, opts.pages, _folder(parts, opts) / "runs", opts.strict, tuple(opts.set), opts.keep)
    return entries, plan, ground


def _checked(settings: BaseSettings, opts: Namespace) -> str:
    for name in ("pages", "seeds", "jobs", "reach"):
        if getattr(opts, name) < 1:
            raise SettingError(f"--{name} {getattr(opts, name)} is below 1: give a number from 1 on.")
    web: str = opts.web or settings.get("FOCUSED_WEB")
    if not web:
        raise WebError("No web was given: orderings can only be compared on a frozen one, such as --web sim:small.")
    return web


def _assembled(settings: BaseSettings, topic: str, web: str, entries: list[Entry]) -> Assembly:
    """The parts of the first crawl; those of the others are made, too, since that is how mistakes come to light."""
    from focused.assemble import Assembly

    own = settings.copy()
    own.set("FOCUSED_TOPIC", topic, priority="cmdline")
    own.set("FOCUSED_WEB", web, priority="cmdline")
    made = []
    for entry in entries:
        own.set("FOCUSED_ORDERING", entry.ordering, priority="cmdline")
        own.set("FOCUSED_ORDERING_ARGS", entry.arguments, priority="cmdline")
        made.append(Assembly(own))
    return made[0]


def _seeds(parts: Assembly, count: int) -> list[list[str]]:
    """Where each crawl of an ordering starts: the topic's own seeds, or those the web offers for that FOCUSED_SEED."""
    found = []
    for seed in range(count):
        parts.options = replace(parts.options, seed=seed)
        found.append(parts.seeds([]))
    return found


def _atlas(parts: Assembly) -> Atlas:
    from focused.evaluate.reach import Atlas, Rules
    from focused.robots import agent_of

    settings = parts.settings
    name = agent_of(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"] or "")
    agent = name if settings.getbool("ROBOTSTXT_OBEY") else None
    rules = Rules(agent, tuple(settings.getlist("FOCUSED_ALLOW_ADDRESSES")), settings.getint("DOWNLOAD_MAXSIZE"))
    assert parts.web is not None
    return Atlas(parts.web, parts.reader, parts.model, rules)


def _folder(parts: Assembly, opts: Namespace) -> Path:
    folder = Path(opts.output or Path(parts.settings.get("FOCUSED_DATA_DIR")) / f"compare-{parts.topic.name}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made ({error.strerror}): give another one with -o FOLDER.") from None
    return folder

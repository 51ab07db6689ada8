"""scrapy export TOPIC --format jsonl|csv|parquet|warc|graphml [--websites] [--relevant] [--new] [-o FILE]"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import open_crawl, user_errors
from focused.store.place import made


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] TOPIC"

    def short_desc(self) -> str:
        return "The fetched pages of a crawl as jsonl, csv, parquet, warc or graphml"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--format", default="jsonl", help="jsonl (default), csv, parquet, warc or graphml")
        parser.add_argument("--websites", action="store_true", help="whole websites (csv, jsonl) instead of pages")
        parser.add_argument("--relevant", action="store_true", help="only those judged relevant")
        parser.add_argument("--new", action="store_true", help="only those the crawl discovered, no seeds")
        parser.add_argument("-o", "--output", metavar="FILE", help="default: in the crawl's folder; -: standard output")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one topic, such as: scrapy export cycling --format csv")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.evaluate import export, export_sites
        from focused.store.answers import Choice

        assert self.settings is not None
        with user_errors(self), open_crawl(self.settings, args[0]) as reading:
            choice = Choice(opts.relevant, opts.new)
            name = (export_sites if opts.websites else export).default_file(opts.format, choice)
            path = Path(opts.output) if opts.output else made(reading.folder) / name
            write = export_sites.export_websites if opts.websites else export.export
            said = f"{path}: {write(reading, opts.format, choice, path):,} {'websites' if opts.websites else 'pages'}"
            print(said, file=sys.stderr if path == export.STDOUT else sys.stdout)

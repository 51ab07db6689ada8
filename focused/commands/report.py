"""scrapy report TOPIC"""

from __future__ import annotations

from argparse import Namespace

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import open_crawl, user_errors


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] TOPIC"

    def short_desc(self) -> str:
        return "What a crawl found: report.html in its folder, and a summary here"

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one topic, such as: scrapy report cycling")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from rich.console import Console

        from focused.evaluate.report import write_report
        from focused.evaluate.terminal import print_lines, print_report

        assert self.settings is not None
        with user_errors(self), open_crawl(self.settings, args[0]) as reading:
            path = write_report(reading, reading.folder)  # first: whoever reads the summary may stop in the middle
            console = Console()
            print_report(reading, reading.folder.name, console)
            print_lines([f"Report: {path}"], console)

"""scrapy claims [--only W,B]"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import user_errors
from focused.errors import SettingError

if TYPE_CHECKING:
    from focused.evaluate.claims.claim import Claim, Results
    from focused.evaluate.claims.trials import Trials
    from focused.evaluate.claims.verdicts import Inventory, Verdict


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Try what the papers claim on simulated webs, and write docs/claims.md"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--only", default="", metavar="IDS", help="run these only, such as W,B2 (default all)")
        parser.add_argument("--jobs", type=int, default=2, help="crawls at a time (default 2)")
        parser.add_argument("--dry", action="store_true", help="run nothing; write what is known")
        parser.add_argument("--cache", default=".cache/claims", metavar="FOLDER", help="where finished crawls are kept")
        parser.add_argument("-o", "--output", default="docs/claims.md", metavar="FILE", help="default docs/claims.md")

    def run(self, args: list[str], opts: Namespace) -> None:
        if args:
            raise UsageError("name claims with --only, such as: scrapy claims --only W,B2")
        with user_errors(self, "Interrupted: what was finished is kept, run the command again to go on."):
            verdicts, results, errors = self._tried(opts)
            self._show(verdicts, results, errors, Path(opts.output))

    def _tried(self, opts: Namespace) -> tuple[list[Verdict], Results, list[str]]:
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.evaluate.archive import Archive
        from focused.evaluate.claims.trials import Trials
        from focused.evaluate.claims.verdicts import Inventory, chosen, verdict_of

        assert self.settings is not None
        if opts.jobs < 1:
            raise SettingError(f"--jobs {opts.jobs} is below 1: give a number from 1 on.")
        claims = chosen(opts.only)
        if not claims:
            raise SettingError(f"--only {opts.only} names no claim: give the beginnings of ids, such as W,B2.")
        inventory = Inventory(self.settings.getdict("FOCUSED_ORDERINGS"), self.settings.getdict("FOCUSED_MODELS"))
        trials = Trials(Archive.of(Path(opts.cache), self.settings), Path(opts.cache), opts.jobs)
        if not opts.dry:
            _run(trials, claims, inventory)
        everything = [claim for claim in chosen("") if not inventory.lacking(claim)]
        results = trials.known(dict.fromkeys(study for claim in everything for study in claim.studies))
        return [verdict_of(claim, results, inventory) for claim in chosen("")], results, trials.errors

    def _show(self, verdicts: list[Verdict], results: Results, errors: list[str], path: Path) -> None:
        from focused.evaluate.claims.page import Making, counts, page
        from focused.evaluate.claims.verdicts import PAPERS, remarks
        from focused.evaluate.fingerprint import made

        before = path.read_text("utf-8") if path.exists() else ""
        path.write_text(page(PAPERS, verdicts, Making(remarks(), made(), results, before)), "utf-8")
        for verdict in verdicts:
            print(f"{verdict.claim.id}\t{verdict.status}\t{verdict.claim.says}")
        print(f"{counts(verdict.status for verdict in verdicts)} Written: {path}")
        for error in errors:
            print(error, file=sys.stderr)
        self.exitcode = int(bool(errors))


def _run(trials: Trials, claims: list[Claim], inventory: Inventory) -> None:
    from rich.console import Console

    from focused.evaluate.watching import Bar

    studies = dict.fromkeys(study for claim in claims if not inventory.lacking(claim) for study in claim.studies)
    missing = trials.missing(studies)
    with Bar(Console(stderr=True), len(missing)) as bar:
        trials.run(missing, lambda trial, run: bar.ended(f"{trial[0].ordering}, {trial[1]}, {trial[2]}", run))

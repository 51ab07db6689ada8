"""scrapy compare TOPIC --web WEB --orderings a,b:arg=x;arg2=y,c"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import user_errors
from focused.errors import FocusedError, SettingError, StoreError, WebError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from focused.assemble import Assembly
    from focused.evaluate.compare import Comparison
    from focused.evaluate.contest import Ground
    from focused.evaluate.reach import Atlas
    from focused.evaluate.runs import Entry, Plan
    from focused.evaluate.truth import Labels
    from models.model import PageModel

JUDGE = "judge:"
STEERING = "steering"  # folder of the model that steers, if it had to be trained


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
        parser.add_argument("--web", help="frozen web: sim:small,seed=1 or warc:PATH (default FOCUSED_WEB)")
        parser.add_argument("--orderings", default="best_first,breadth_first", help="such as best_first:on=anchor,fish")
        parser.add_argument("--pages", type=int, default=1000, help="pages of each crawl (default 1000)")
        parser.add_argument("--seeds", type=int, default=5, help="crawls of each ordering (default 5)")
        parser.add_argument(
            "--truth",
            metavar="WHO",
            help="who says what the pages are about: a FILE of url,label lines; judge:KIND, a model that does not "
            "steer; or judge:KIND=FILE, one taught by such a file",
        )
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
        with user_errors(self, "Interrupted: the crawls were ended and nothing was written."):
            entries, plan, ground = prepare(self.settings, args[0], opts)
            with Watch(Console(stderr=True), len(entries) * opts.seeds) as watch:
                comparison = compete(plan, entries, ground, watch, opts.jobs)
            write(comparison, plan.folder.parent)
            _show(comparison, write_page(comparison, plan.folder.parent))
            self.exitcode = int(any(row.errors for row in comparison.rows))


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
    from focused.topic import Topic
    from focused.training.other import taught_pages
    from focused.webs import open_web

    spec = _checked(settings, opts)
    entries, topic = entries_of(opts.orderings), _located(settings, topic)
    folder = _folder(settings, Topic.load(topic).name, opts)
    parts = _assembled(settings, topic, spec, entries, folder)
    kind, file = _truth(opts.truth or "")
    labels = read_labels(Path(file), names_of(parts.topic)) if file else None
    parts.web = open_web(spec)
    ground = Ground(
        *(parts.topic, parts.web, _seeds(parts, opts.seeds), _atlas(parts, _judge(parts, kind, labels, folder))),
        *(parts.vocabulary, labels, opts.reach),
        examples=taught_pages(parts.settings, parts.topic, parts.reader, folder),
        other=kind,
    )
    plan = Plan(topic, spec, opts.pages, folder / "runs", opts.strict, tuple(opts.set), opts.keep)
    return entries, plan, ground


def _located(settings: BaseSettings, topic: str) -> str:
    """The topic as given; one that is nowhere here as its crawl has it, in its folder or in a shared store."""
    from focused.store.place import place_of
    from focused.topic import is_known, located, name_of

    folder = Path(settings.get("FOCUSED_DATA_DIR")) / (settings.get("FOCUSED_CRAWL") or name_of(topic))
    topic, place = located(topic, folder), place_of(settings.get("FOCUSED_STORE"), folder)
    if is_known(topic) or isinstance(place, Path):
        return topic
    from focused.agreement import agreement_of  # a database's driver is loaded only where it is asked for

    return agreement_of(place, folder, topic, {}).topic


def _truth(given: str) -> tuple[str, str]:
    """
    >>> _truth("labels.csv"), _truth("judge:svm"), _truth("judge:svm=labels.csv")
    (('', 'labels.csv'), ('svm', ''), ('svm', 'labels.csv'))
    """
    if not given.startswith(JUDGE):
        return "", given
    kind, equals, file = given.removeprefix(JUDGE).partition("=")
    if not kind or (equals and not file):
        raise SettingError(f"--truth {given} is not whole: give judge:KIND or judge:KIND=FILE, such as judge:svm.")
    return kind, file


def _judge(parts: Assembly, kind: str, labels: Labels | None, folder: Path) -> PageModel:
    """The model whose verdicts the evaluator may use: the one that was named, else the one that steers."""
    from focused.training.other import documents_of, labelled_judge, other_judge

    if not kind:
        return parts.model
    about = (parts.settings, parts.topic, kind, parts.reader)
    if labels is None:
        return other_judge(*about, folder)
    assert parts.web is not None
    return labelled_judge(*about, documents_of(parts.web, labels.pages))


def _checked(settings: BaseSettings, opts: Namespace) -> str:
    for name in ("pages", "seeds", "jobs", "reach"):
        if getattr(opts, name) < 1:
            raise SettingError(f"--{name} {getattr(opts, name)} is below 1: give a number from 1 on.")
    web: str = opts.web or settings.get("FOCUSED_WEB")
    if not web:
        raise WebError("No web was given: orderings can only be compared on a frozen one, such as --web sim:small.")
    return web


def _assembled(settings: BaseSettings, topic: str, web: str, entries: list[Entry], folder: Path) -> Assembly:
    """The parts of the first crawl; those of the others are made, too, since that is how mistakes come to light.

    An ordering that cannot be had is told now; its crawls end with the same sentence, which is its row of the table.
    A model that has to be trained is kept beside the crawls, not with one that the user may have of the topic.
    """
    from focused.assemble import Assembly

    shutil.rmtree(folder / STEERING, ignore_errors=True)
    fixed = {"TOPIC": topic, "WEB": web, "DATA_DIR": str(folder), "CRAWL": STEERING}
    own = settings.copy()
    made: list[Assembly] = []
    refused: list[FocusedError] = []
    for entry in entries:
        given = fixed | {"ORDERING": entry.ordering, "ORDERING_ARGS": entry.arguments}
        own.setdict({f"FOCUSED_{name}": value for name, value in given.items()}, priority="cmdline")
        try:
            made.append(Assembly(own))
        except FocusedError as error:
            refused.append(error)
    if not made:
        raise refused[0]
    print(*refused, sep="\n", end="\n" * bool(refused), file=sys.stderr)
    return made[0]


def _seeds(parts: Assembly, count: int) -> list[list[str]]:
    """Where each crawl of an ordering starts: the topic's own seeds, or those the web offers for that FOCUSED_SEED.

    What a search engine would find is not known beforehand: there, too, it is what the web offers.
    """
    found = []
    for seed in range(count):
        parts.options = replace(parts.options, seed=seed)
        found.append(parts.seeds([]) or parts.offered())
    return found


def _atlas(parts: Assembly, judge: PageModel) -> Atlas:
    from focused.evaluate.reach import Atlas, Rules
    from focused.robots import agent_of

    settings = parts.settings
    name = agent_of(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"] or "")
    agent = name if settings.getbool("ROBOTSTXT_OBEY") else None
    rules = Rules(agent, tuple(settings.getlist("FOCUSED_ALLOW_ADDRESSES")), settings.getint("DOWNLOAD_MAXSIZE"))
    assert parts.web is not None
    return Atlas(parts.web, parts.reader, judge, rules)


def _folder(settings: BaseSettings, topic: str, opts: Namespace) -> Path:
    folder = Path(opts.output or Path(settings.get("FOCUSED_DATA_DIR")) / f"compare-{topic}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made ({error.strerror}): give another one with -o FOLDER.") from None
    return folder

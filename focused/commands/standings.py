"""scrapy standings: every ordering on several frozen webs, written to docs/compare.md"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.compare import prepare
from focused.commands.folder import user_errors
from focused.errors import SettingError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from focused.evaluate.contest import Ground
    from focused.evaluate.reach import Atlas
    from focused.evaluate.runs import Plan
    from focused.evaluate.standings import Field, Standing

SIMULATED = "sim:medium,seed=1"
DEBIAN = "pages:.cache/webs/debian.jsonl.gz"
SCHOOLS = "pages:../shared/corpora/schools-wikipedia-2007.jsonl.gz"
TOPICS = {  # by web
    SIMULATED: ("cycling", "astronomy", "investing"),
    DEBIAN: tuple(f"tests/webs/topics/debian-{name}" for name in ("astronomy", "mathematics", "multimedia")),
    SCHOOLS: tuple(f"tests/webs/topics/schools-{name}" for name in ("birds", "music", "astronomy")),
}
# docs/adaptive.md: what its constants were tried on, and what it was measured on, once, afterwards.
TUNING = {
    DEBIAN: tuple(
        f"tests/webs/topics/debian-{name}" for name in ("imaging", "maps", "medicine", "numerics", "weather")
    ),
    SCHOOLS: tuple(
        f"tests/webs/topics/schools-{name}" for name in ("dinosaurs", "engineering", "food", "it", "religion", "war")
    ),
}
FINAL = {
    "sim:small,seed=1": ("astronomy", "cycling", "gardening", "horses", "investing", "sailing"),
    DEBIAN: tuple(
        f"tests/webs/topics/debian-{name}" for name in ("astronomy", "games", "mathematics", "multimedia", "physics")
    ),
    SCHOOLS: tuple(
        f"tests/webs/topics/schools-{name}"
        for name in "africa astronomy birds mammals music geology mathematics medicine plants railways".split()
    ),
}
ABSENT = {
    DEBIAN: "The Debian web is not there: `make web-debian` builds it.",
    SCHOOLS: "The Schools Wikipedia of 2007 is not there; its file is not part of the project.",
}
SETTINGS = {SCHOOLS: ("FOCUSED_SITE_BUDGET=none",)}  # a single site
REACH = 300_000  # pages: all there are


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "All orderings beside the oracle on several frozen webs, as a table: docs/compare.md"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--orderings", default="", help="default: all there are")
        parser.add_argument("--webs", default="", help="only webs with this in their names, such as sim (default all)")
        parser.add_argument(
            "--fields",
            default="table",
            choices=("table", "tuning", "final"),
            help="topics: of the table (default), or those that ordering adaptive was tuned on, or measured on",
        )
        parser.add_argument("--pages", type=int, default=1000, help="pages of each crawl (default 1000)")
        parser.add_argument("--early", type=int, default=0, metavar="N", help="the same crawls after N pages, too")
        parser.add_argument("--champion", default="", help="an ordering that is set against the best of the others")
        parser.add_argument("--judge", default="", metavar="KIND", help="steer by models taught by pages out of reach")
        parser.add_argument("--seeds", type=int, default=5, help="crawls of each ordering (default 5)")
        parser.add_argument("--jobs", type=int, default=2, help="crawls at a time (default 2)")
        parser.add_argument("--cache", default=".cache/standings", metavar="FOLDER", help="where finished work is kept")
        parser.add_argument("-o", "--output", default="docs/compare.md", metavar="FILE", help="default docs/compare.md")

    def run(self, args: list[str], opts: Namespace) -> None:
        if args:
            raise UsageError("name orderings with --orderings a,b,c; all topics of the table are used")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.evaluate.fingerprint import made
        from focused.evaluate.standings_page import page

        assert self.settings is not None
        with user_errors(self, "Interrupted: what was finished is kept, run the command again to go on."):
            topics = {"table": TOPICS, "tuning": TUNING, "final": FINAL}[opts.fields]
            webs = [web for web in topics if opts.webs in web]
            skipped = [ABSENT[web] for web in webs if not _is_there(web)]
            there = {web: topics[web] for web in webs if _is_there(web)}
            standings = list(_standings(self.settings, opts, there))
            if not standings:
                why = " ".join(skipped) or f"name one of {', '.join(topics)}."
                raise SettingError(f"--webs '{opts.webs}' leaves no web: {why}")
            Path(opts.output).write_text(page(standings, skipped, made(), opts.champion), "utf-8")
            print("\n".join([*skipped, f"Written: {opts.output}"]))


def _is_there(web: str) -> bool:
    return web not in ABSENT or Path(web.partition(":")[2]).is_file()


def _standings(settings: BaseSettings, opts: Namespace, topics: dict[str, tuple[str, ...]]) -> Iterator[Standing]:
    from rich.console import Console

    from focused.evaluate.archive import Archive
    from focused.evaluate.runs import entries_of
    from focused.evaluate.standings import Contest, Field
    from focused.evaluate.taught import Teacher
    from focused.evaluate.watching import Watch

    entries = entries_of(opts.orderings or ",".join(sorted(settings.getdict("FOCUSED_ORDERINGS"))))
    if opts.champion and opts.champion not in {entry.name for entry in entries}:
        raise SettingError(f"--champion {opts.champion} is not among the orderings: name it there, too.")
    archive = Archive.of(Path(opts.cache), settings)
    teacher = Teacher(settings, opts.judge, Path(opts.cache) / "judges") if opts.judge else None
    crawls = len(entries) * opts.seeds * sum(map(len, topics.values()))
    with Watch(Console(stderr=True), crawls) as watch:
        contest = Contest(archive, opts.jobs, watch.explored, lambda task, run: watch.crawled(task[1], run), teacher)
        for web in topics:
            atlas: Atlas | None = None  # explored once for all topics
            for topic in topics[web]:
                at = Field(web, topic, SETTINGS.get(web, ()))
                plan, ground = _ground(settings, opts, at)
                atlas = atlas or ground.atlas
                for pages in filter(None, (opts.pages, opts.early)):
                    yield contest.standing(at, plan, entries, replace(ground, atlas=atlas), pages)


def _ground(settings: BaseSettings, opts: Namespace, at: Field) -> tuple[Plan, Ground]:
    """Made for any ordering: one that cannot be had for this topic is a cell without a number, not the end."""
    given = Namespace(
        **{name: getattr(opts, name) for name in ("pages", "seeds", "jobs")},
        **{"web": at.web, "orderings": "breadth_first", "reach": REACH, "truth": "", "set": at.settings},
        **{"strict": True, "keep": False, "output": str(Path(opts.cache) / "work")},
    )
    _, plan, ground = prepare(settings, at.topic, given)
    return plan, ground

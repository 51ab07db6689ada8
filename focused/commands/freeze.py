"""scrapy freeze TOPIC [-o FILE]"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from focused.commands.folder import open_crawl, user_errors
from focused.errors import TopicError
from focused.topic import Topic, located, name_of

if TYPE_CHECKING:
    from focused.store.queries import Reading


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] TOPIC"

    def short_desc(self) -> str:
        return "Pack what a crawl has recorded into a web that any ordering can be tried on"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="default: frozen.warc.gz in the crawl's folder")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one topic, such as: scrapy freeze cycling")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.webs.freeze import FROZEN, freeze

        assert self.settings is not None
        with user_errors(self), open_crawl(self.settings, args[0]) as reading:
            frozen = freeze(reading, Path(opts.output) if opts.output else reading.folder / FROZEN)
            print(f"{frozen.path}: {frozen.pages:,} pages, robots.txt of {frozen.sites:,} sites")
            if frozen.left_out:
                print(f"Not in it: {frozen.left_out:,} pages that asked not to be kept (noindex)")
            print("\n".join(_onward(args[0], reading, frozen.path)))


def _onward(given: str, reading: Reading, web: Path) -> Iterator[str]:
    """The crawl may have another name than its topic, and seeds that no topic file names: a recording offers none."""
    meta = reading.meta()
    topic = given if name_of(given) == meta.get("topic", name_of(given)) else meta["topic"]
    topic = located(topic, reading.folder)
    yield (
        f"Replay it:  scrapy crawl topic -a topic={topic} -a web=warc:{web} "
        f"-s FOCUSED_CRAWL={reading.folder.name}-replay"
    )
    yield f"Compare on: scrapy compare {topic} --web warc:{web}"
    with suppress(TopicError):
        if not Topic.load(topic).seeds and (seeds := meta.get("seeds")):
            yield f"Before it:  no topic file names its seeds; write into a file of yours: seeds = {seeds}"

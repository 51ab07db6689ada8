"""scrapy explain TOPIC URL"""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused.commands.folder import open_crawl, user_errors
from focused.errors import FocusedError

if TYPE_CHECKING:
    from focused.evaluate.terms import ScoreTerms
    from focused.store.queries import Reading


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] TOPIC URL"

    def short_desc(self) -> str:
        return "Why a crawl fetched a page, or why it did not"

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2:
            raise UsageError("give a topic and a URL, such as: scrapy explain cycling https://example.org/")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.evaluate.explain import explain, lines

        assert self.settings is not None
        with user_errors(self), open_crawl(self.settings, args[0]) as reading:
            print("\n".join(lines(explain(reading, args[1], score_terms(self.settings, args[0], reading)))))


def score_terms(settings: BaseSettings, topic: str, reading: Reading) -> ScoreTerms | None:
    """What the crawl's ordering says of a link; None if topic or ordering are no longer there."""
    from focused.assemble import Assembly
    from focused.evaluate.terms import ScoreTerms

    ordering, _, arguments = reading.meta().get("ordering", "").partition(" ")
    own = settings.copy()
    web = reading.meta().get("web", "")
    own.update({"FOCUSED_TOPIC": topic, "FOCUSED_WEB": web, "FOCUSED_ORDERING_ARGS": arguments}, priority="cmdline")
    own.set("FOCUSED_ORDERING", ordering or own.get("FOCUSED_ORDERING"), priority="cmdline")
    try:
        parts = Assembly(own)
    except FocusedError:
        return None
    parts.ordering.restore(reading.memory("ordering"))
    return ScoreTerms(reading.warc, parts.reader, parts.model, parts.ordering)

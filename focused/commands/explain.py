"""scrapy explain TOPIC URL"""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused.commands.folder import folder_of, open_crawl, user_errors
from focused.errors import FocusedError
from focused.topic import name_of

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
            terms, why_not = None, ""
            try:
                terms = _terms(self.settings, args[0], reading)
            except FocusedError as error:
                why_not = f"\nThe parts of the scores cannot be told. {error}"
            print("\n".join(lines(explain(reading, args[1], terms))) + why_not)


def score_terms(settings: BaseSettings, topic: str, reading: Reading) -> ScoreTerms | None:
    """What the crawl's ordering says of a link; None if topic or ordering are no longer there."""
    try:
        return _terms(settings, topic, reading)
    except FocusedError:
        return None


def _terms(settings: BaseSettings, given: str, reading: Reading) -> ScoreTerms:
    """A crawl may have another name than its topic: the crawl knows the topic, unless a path was given."""
    from focused.assemble import Assembly
    from focused.evaluate.terms import ScoreTerms

    meta, own = reading.meta(), settings.copy()
    topic = meta.get("topic", given)
    ordering, _, arguments = meta.get("ordering", "").partition(" ")
    own.update(
        {
            "FOCUSED_TOPIC": given if name_of(given) == topic else topic,
            "FOCUSED_CRAWL": folder_of(settings, given).name,  # its model is there
            "FOCUSED_WEB": meta.get("web", ""),
            "FOCUSED_ORDERING": ordering or own.get("FOCUSED_ORDERING"),
            "FOCUSED_ORDERING_ARGS": arguments,
        },
        priority="cmdline",
    )
    parts = Assembly(own)
    parts.ordering.restore(reading.memory("ordering"))
    return ScoreTerms(reading.warc, parts.reader, parts.model, parts.ordering)

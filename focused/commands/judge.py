"""scrapy judge TOPIC URL|FILE|- ..."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused.commands.folder import folder_of, user_errors
from focused.commands.train import given

if TYPE_CHECKING:
    from focused.examples.collection import Document, Skipped
    from focused.page import PageReader
    from models.model import Judgement, PageModel
    from models.text import Vocabulary

STDIN = "-"
WORDS = 10  # of the evidence


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] TOPIC URL|FILE|- ..."

    def short_desc(self) -> str:
        return "What the model says of a page, and the words that made it say so"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--web", help="frozen web to take URLs from (default FOCUSED_WEB, else the real web)")
        parser.add_argument("--data-dir", metavar="FOLDER", help="default: FOCUSED_DATA_DIR")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) < 2:
            raise UsageError("give a topic and pages, such as: scrapy judge cycling https://example.org/ page.html -")
        # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
        from focused.examples.collection import Skipped
        from focused.page import PageReader
        from focused.topic import Topic
        from focused.training import model_for
        from models.text import Vocabulary

        assert self.settings is not None
        settings = given(self.settings, args[0], opts)
        with user_errors(self):
            vocabulary = Vocabulary()
            folder = folder_of(settings, args[0])
            model = model_for(settings, Topic.of(args[0], folder), vocabulary, folder)
            for found in documents(settings, args[1:]):
                if isinstance(found, Skipped):
                    print(f"{found.name}: {found.why}", file=sys.stderr)
                    self.exitcode = 1
                else:
                    print("\n".join(said(model, PageReader(vocabulary), found)))


def documents(settings: BaseSettings, names: Sequence[str]) -> Iterator[Document | Skipped]:
    """Each page that was asked for: files in the order given, then URLs, which are fetched together."""
    from focused.examples.collection import Document
    from focused.examples.fetched import Fetching
    from focused.examples.files import document_of, is_url
    from focused.urls import canonical

    for name in names:
        if name == STDIN:
            yield Document("standard input", "", sys.stdin.buffer.read())
        elif not is_url(name):
            yield document_of(Path(name), Path())
    urls = {canonical(name) or name: name for name in names if is_url(name)}
    with TemporaryDirectory(prefix="focused-judge-") as folder:
        for found, _ in Fetching(settings, Path(folder) / "judge", walk=False).documents(urls, _untold):
            yield found


def _untold(*_: object) -> None:
    """A page or two are soon fetched."""


def said(model: PageModel, reader: PageReader, document: Document) -> list[str]:
    """The verdict on one page, as lines."""
    from focused.evaluate.wording import clean
    from focused.examples.collection import fault_of, read

    if why := fault_of(document.body):
        return [f"{document.name}: {why}", "  relevance  0, not relevant", ""]
    page = read(reader, document)
    judgement = model.judge(page)
    verdict = "relevant" if judgement.relevant else "not relevant"
    lines = [
        f"{document.name}: {clean(page.title) or '(no title)'}",
        f"  relevance  {judgement.relevance:.6g}, {verdict} (threshold {model.threshold:g})",
    ]
    if judgement.best_class:
        lines.append(f"  class      {_path(judgement)}")
    if judgement.thin:
        lines.append("  thin       too few known words to judge by")
    return [*lines, f"  words      {_evidence(model.evidence(page, WORDS), reader.vocabulary)}", ""]


def _path(judgement: Judgement) -> str:
    """The nodes down to the best class with their probabilities; an inner node has that of all below it."""
    parts = (judgement.best_class or "").split("/")
    classes = judgement.classes or {}
    shown = []
    for path in ("/".join(parts[: i + 1]) for i in range(len(parts))):
        below = (share for name, share in classes.items() if name.startswith(f"{path}/"))
        shown.append(f"{path} {classes.get(path, sum(below)):.3f}")
    return " > ".join(shown) + {True: ", good", False: ", not good", None: ""}[judgement.good]


def _evidence(found: Sequence[tuple[str, float]], vocabulary: Vocabulary) -> str:
    """The words as the page has them; models know only their stems."""
    written = vocabulary.written(term for term, _ in found)
    return ", ".join(f"{written[term]} {weight:+.3g}" for term, weight in found) or "none"

"""scrapy topics [show|new|mark|classify|suggest|add|move|rename|delete|refine|label|record|import] ..."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused.commands.folder import folder_of, open_crawl, user_errors
from focused.commands.judge import documents
from focused.commands.train import given
from focused.errors import SettingError, TopicError

# Scrapy imports every command at every start; what is heavy must wait until it is wanted.
if TYPE_CHECKING:
    from focused.administration.files import TopicFile
    from focused.administration.labelling import Labels
    from focused.evaluate.tables import Section
    from focused.store.neighbourhood import Doubt


class Call(NamedTuple):
    """What was asked for, after the verb."""

    settings: BaseSettings
    topic: str
    rest: list[str]
    opts: Namespace


class Verb(NamedTuple):
    run: Callable[[Call], None]
    least: int  # words after the verb
    most: int
    usage: str


MANY = 1_000_000


class Lines(ScrapyHelpFormatter, RawDescriptionHelpFormatter):
    """Help with one line a verb, as it was written."""


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return f"[{'|'.join(VERBS)}] ..."

    def short_desc(self) -> str:
        return "Make, show and change topics, their taxonomies and examples"

    def long_desc(self) -> str:
        return f"{self.short_desc()}:\n" + "\n".join(f"  scrapy topics {verb.usage}" for verb in VERBS.values())

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = Lines
        parser.add_argument("--query", default="", help="new: what is wanted, in words")
        parser.add_argument("--seeds", nargs="+", metavar="URL", default=[], help="new: where to begin")
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--from-taxonomy", metavar="FILE", default="", help="new: a taxonomy to begin with")
        source.add_argument("--copy", metavar="TOPIC", help="new: a topic to copy")
        parser.add_argument("--unmark", action="store_true", help="mark: take marks away")
        parser.add_argument("--report", action="store_true", help="mark: for the report only, not for the crawl")
        table = parser.add_mutually_exclusive_group()
        table.add_argument("--csv-out", metavar="FILE", help="label: write the pages to a table")
        table.add_argument("--csv-in", metavar="FILE", help="label: read the labels from a table")
        table.add_argument("--har", metavar="FILE", help="import: what a browser has recorded")
        table.add_argument("--csv", metavar="FILE", help="import: url,referrer,relevant lines")
        parser.add_argument("--relevant", nargs="+", metavar="URL", default=[], help="import: relevant pages of a HAR")
        parser.add_argument("--port", type=int, default=0, help="record: of the console (default any that is free)")
        parser.add_argument("--most", type=int, default=50, help="suggest, label: pages at most (default 50)")
        parser.add_argument("--web", help="frozen web to take pages from (default FOCUSED_WEB, else the real web)")
        parser.add_argument("--data-dir", metavar="FOLDER", help="default: FOCUSED_DATA_DIR")

    def run(self, args: list[str], opts: Namespace) -> None:
        name, *rest = args or ["show"]
        strange = next((word for word in args if word.startswith("--")), None)
        if name not in VERBS or strange:
            raise UsageError(f"'{strange or name}' is not known, use: scrapy topics {'|'.join(VERBS)}")
        verb = VERBS[name]
        if not verb.least <= len(rest) <= verb.most:
            raise UsageError(f"write: scrapy topics {verb.usage}")
        assert self.settings is not None
        topic = rest[0] if rest else ""
        with user_errors(self):
            verb.run(Call(given(self.settings, topic, opts), topic, rest[1:], opts))


def show(call: Call) -> None:
    from focused.administration.overview import all_topics, examples_of, lines_of, tree_of
    from focused.topic import Topic

    if not call.topic:
        return _print(all_topics())
    topic = Topic.load(call.topic)
    if call.rest:
        return _print(examples_of(topic, call.rest[0]))
    print("\n".join(lines_of(topic)))
    _print(tree_of(topic))


def new(call: Call) -> None:
    from focused.administration.making import copy_topic, new_topic, onward

    opts = call.opts
    if opts.copy:
        path = copy_topic(call.topic, opts.copy)
    else:
        path = new_topic(call.topic, opts.query, opts.seeds, opts.from_taxonomy)
    print(f"Made: {path}\nNext: {onward(call.topic, opts.from_taxonomy)}")


def mark(call: Call) -> None:
    from focused.administration.files import GOOD, REPORT
    from focused.administration.nodes import mark, unmark

    change = unmark if call.opts.unmark else mark
    _edit(call, lambda file: change(file, call.rest, REPORT if call.opts.report else GOOD), learns=False)


def classify(call: Call) -> None:
    from focused.administration.classifying import candidates, classifier
    from focused.evaluate.tables import Section
    from focused.examples.collection import Skipped
    from focused.page import PageReader
    from focused.topic import Topic
    from models.text import Vocabulary

    topic, vocabulary = Topic.load(call.topic), Vocabulary()
    model = classifier(call.settings, topic, vocabulary, folder_of(call.settings, call.topic))
    missing = []
    for document in documents(call.settings, call.rest):
        if isinstance(document, Skipped):
            missing.append(f"{document.name} ({document.why})")
            continue
        found = candidates(model, topic, PageReader(vocabulary), document)
        _print(Section(document.name, ("class", "probability", "good"), [*found]))
    print(f"Mark what is wanted: scrapy topics mark {call.topic} CLASS")
    if missing:
        raise TopicError(f"Not classified: {', '.join(missing)}.")


def suggest(call: Call) -> None:
    from focused.administration.suggestions import distinctive, related, suggest
    from focused.evaluate.tables import Address, Section
    from focused.topic import Topic
    from models.text import Vocabulary

    topic, vocabulary = Topic.load(call.topic), Vocabulary()
    with open_crawl(call.settings, call.topic) as reading:
        weights = distinctive(call.settings, topic, vocabulary, reading.folder)
        found = suggest(reading, topic, vocabulary, weights, call.rest)[: call.opts.most]
        near = related(reading, [str(path) for path in topic.taxonomy.get("good", [])])
    print(f"Distinctive words: {', '.join(vocabulary.written(weights).values()) or 'none'}\n")
    ways = {(True, True): "both", (True, False): "out", (False, True): "in"}
    rows = [(Address(p.url, p.title), s, ways[p.is_out, p.is_in], p.relevance, p.title) for s, p in found]
    _print(Section("Pages beside the examples", ("page", "score", "link", "relevance", "title or anchor"), [*rows]))
    _print(Section("Classes beside the good ones", ("class", "of the neighbourhood", "because"), [*near]))


def edit(change: str) -> Callable[[Call], None]:
    """A verb that changes the tree; its words are the arguments of the function of that name."""

    def run(call: Call) -> None:
        from focused.administration import labelling, nodes
        from focused.administration.files import TopicFile
        from focused.examples.files import from_here

        folder, classes = TopicFile(call.topic).folder, {"add": 1, "refine": 2}.get(change, 0)
        given = [from_here(word, folder) if at >= classes else word for at, word in enumerate(call.rest)]
        words: list[object] = [*given[:classes], given[classes:]] if classes else [*given]
        made_by = labelling if change == "move" else nodes
        _edit(call, lambda file: getattr(made_by, change)(file, *words))

    return run


def _edit(call: Call, change: Callable[[TopicFile], list[str]], learns: bool = True) -> None:
    """Marks are not learned by a model of the kind taxonomy: it goes by those there are."""
    from focused.administration.files import TopicFile
    from focused.administration.overview import tree_of
    from focused.topic import Topic
    from focused.training.kinds import BY_TAXONOMY

    file = TopicFile(call.topic)
    said = change(file)
    file.save()
    print("\n".join(said))
    topic = Topic.load(call.topic)
    _print(tree_of(topic))
    if call.opts.report:
        return
    is_learned = learns or topic.model.get("kind", BY_TAXONOMY) != BY_TAXONOMY
    print(f"Train again: scrapy train {call.topic}" if is_learned else "The next run goes by it, without a training.")


def label(call: Call) -> None:
    from focused.administration.files import TopicFile
    from focused.administration.labelling import Labels, take_answers, to_label, write_questions

    labels = Labels(TopicFile(call.topic))
    if call.opts.csv_in:
        taken, refused = take_answers(Path(call.opts.csv_in), labels)
        print("\n".join([*(f"{one.url}: {one.why}" for one in refused), f"{taken:,} labels taken"]))
        return print("\n".join(labels.save()))
    with open_crawl(call.settings, call.topic) as reading:
        pages = to_label(reading, labels, call.opts.most)
        if call.opts.csv_out:
            count = write_questions(Path(call.opts.csv_out), pages)
            return print(f"{call.opts.csv_out}: {count:,} pages; fill in the labels, then give it to --csv-in")
        if not sys.stdin.isatty():
            raise SettingError("Standard input is no terminal to ask at: use --csv-out FILE, then --csv-in FILE.")
        count = 0
        with suppress(EOFError, KeyboardInterrupt):  # ctrl-D or ctrl-C: enough for today
            for page in pages:
                count += _ask(page, labels)
    print(f"\n{count:,} pages labelled, {len(labels.of):,} in {labels.path}", *labels.save(), sep="\n")


def _ask(page: Doubt, labels: Labels) -> bool:
    """Whether the page got a label. Each is kept at once."""
    from focused.evaluate.wording import clean

    print(f"\n{clean(page.title) or '(no title)'}\n  {clean(page.url, 2000)}")
    print(f"  relevance {page.relevance:.3f} {clean(page.best_class)}".rstrip())
    while True:
        answer = input("  relevant? [y]es, [n]o, [s]kip, or a class: ").strip()
        if answer.lower() in ("s", "skip", ""):
            return False
        if labels.put(page.url, answer, page.best_class):
            labels.save()
            return True
        expected = ", ".join(labels.file.marks()) or "y, n, s"
        print(f"  '{clean(answer)}' is no answer here: give one of {expected}")


def import_(call: Call) -> None:
    from focused.administration.browsing import import_csv, import_har
    from focused.administration.files import TopicFile

    file, opts = TopicFile(call.topic), call.opts
    if not (opts.har or opts.csv):
        raise TopicError("Nothing to import was given: add --har FILE or --csv FILE.")
    if opts.har:
        said = import_har(file, Path(opts.har), opts.relevant)
    else:
        said = import_csv(file, Path(opts.csv), call.settings)
    print("\n".join([*said, f"Next: scrapy crawl topic -a topic={call.topic} -a ordering=hmm"]))


def record(call: Call) -> None:
    from urllib.parse import quote

    from focused.administration.files import TopicFile
    from focused.commands.console import serve

    TopicFile(call.topic)  # one that came with the project is not changed, and says so now
    serve(call.settings, port=call.opts.port, path=f"/topics/{quote(call.topic)}/record")


def _print(section: Section) -> None:
    """Nothing, if there is nothing in it."""
    from rich.console import Console

    from focused.evaluate.terminal import print_section

    if section.rows:
        print_section(section, Console())


VERBS = {
    "show": Verb(show, 0, 2, "show [TOPIC [CLASS]]"),
    "new": Verb(new, 1, 1, 'new NAME --query "words" --seeds URL ... [--from-taxonomy FILE | --copy TOPIC]'),
    "mark": Verb(mark, 2, MANY, "mark TOPIC CLASS ... [--unmark] [--report]"),
    "classify": Verb(classify, 2, MANY, "classify TOPIC URL|FILE ..."),
    "suggest": Verb(suggest, 1, MANY, "suggest TOPIC [URL ...]"),
    "add": Verb(edit("add"), 2, MANY, "add TOPIC CLASS [URL|FILE ...]"),
    "move": Verb(edit("move"), 3, 3, "move TOPIC CLASS|EXAMPLE CLASS"),
    "rename": Verb(edit("rename"), 3, 3, "rename TOPIC CLASS NAME"),
    "delete": Verb(edit("delete"), 2, 2, "delete TOPIC CLASS|EXAMPLE"),
    "refine": Verb(edit("refine"), 3, MANY, "refine TOPIC CLASS NAME [URL|FILE ...]"),
    "label": Verb(label, 1, 1, "label TOPIC [--csv-out FILE | --csv-in FILE]"),
    "record": Verb(record, 1, 1, "record TOPIC [--port PORT] [--web WEB]"),
    "import": Verb(import_, 1, 1, "import TOPIC --har FILE | --csv FILE"),
}

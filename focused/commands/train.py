"""scrapy train TOPIC [--model KIND,KIND] [--web WEB] [--bootstrap | --accept]"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from focused.commands.folder import folder_of, open_crawl, user_errors

if TYPE_CHECKING:
    from rich.console import Console

    from focused.examples import Examples
    from focused.examples.fetched import Told
    from focused.topic import Topic
    from focused.training.fitting import Training
    from focused.training.kinds import Kind


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] TOPIC"

    def short_desc(self) -> str:
        return "Train the model that judges pages, and show how good it is"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--model", metavar="KIND,KIND", help="kinds to train; of several the best is kept")
        parser.add_argument("--web", help="frozen web to take examples from (default FOCUSED_WEB)")
        parser.add_argument("--data-dir", metavar="FOLDER", help="default: FOCUSED_DATA_DIR")
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--bootstrap", action="store_true", help="propose examples out of the topic's crawl")
        source.add_argument("--accept", action="store_true", help="train on what was proposed, as you have left it")

    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 1:
            raise UsageError("give one topic, such as: scrapy train cycling --model naive_bayes,svm")
        assert self.settings is not None
        settings = given(self.settings, args[0], opts)
        with user_errors(self):
            if opts.bootstrap:
                propose(settings, args[0])
            else:
                run_training(settings, args[0], opts)


def given(settings: BaseSettings, topic: str, opts: Namespace) -> BaseSettings:
    """The settings with what the options say."""
    own = settings.copy()
    own.set("FOCUSED_TOPIC", topic, priority="cmdline")
    for option, name in (("web", "FOCUSED_WEB"), ("data_dir", "FOCUSED_DATA_DIR")):
        if getattr(opts, option):
            own.set(name, getattr(opts, option), priority="cmdline")
    return own


def propose(settings: BaseSettings, topic: str) -> None:
    """Write down which pages of the crawl a person might agree to be examples."""
    from focused.examples.recorded import PROPOSALS, proposals, write_proposals

    with open_crawl(settings, topic) as reading:
        found = proposals(reading)
        write_proposals(reading.folder / PROPOSALS, found)
        count = sum(one.label == "relevant" for one in found)
        print(f"{reading.folder / PROPOSALS}: {count:,} pages as relevant, {len(found) - count:,} as other")
        print(f"Look them through, correct the labels, delete what is doubtful; then: scrapy train {topic} --accept")


def run_training(settings: BaseSettings, name: str, opts: Namespace) -> None:
    # Scrapy imports every command at every start; what is heavy must wait until it is wanted.
    from rich.console import Console

    from focused.topic import Topic
    from focused.training.fitting import keep, train
    from focused.training.kinds import BY_EXAMPLES, kind_of
    from focused.training.watching import Watch

    folder = folder_of(settings, name)
    topic = Topic.of(name, folder)
    own = kind_of(settings, topic)
    names = opts.model.split(",") if opts.model else [own.name if own.needs_examples else BY_EXAMPLES]
    kinds = [kind_of(settings, topic, one.strip()) for one in names]
    _check(kinds)
    with Watch(Console(stderr=True)) as watch:
        examples = _examples(settings, topic, folder, opts, watch)
        trainings = [train(kind, examples, watch) for kind in kinds]
    best = max(trainings, key=lambda one: one.quality.f)
    path = keep(best.kind, best.model, examples, folder, best.quality)
    _show(trainings, best, examples, Console())
    _tell(topic, best, path)


def _check(kinds: list[Kind]) -> None:
    from focused.errors import SettingError

    for kind in kinds:
        if not kind.can_learn:
            raise SettingError(f"--model {kind.name} learns nothing from examples: it is ready as it is.")


def _examples(settings: BaseSettings, topic: Topic, folder: Path, opts: Namespace, told: Told) -> Examples:
    from focused.examples import gather
    from focused.examples.recorded import accepted
    from focused.page import PageReader
    from models.text import Vocabulary

    reader = PageReader(Vocabulary())
    return accepted(reader, folder) if opts.accept else gather(settings, topic, reader, folder, told)


def _show(trainings: list[Training], best: Training, examples: Examples, console: Console) -> None:
    from focused.evaluate.terminal import print_lines, print_section
    from focused.evaluate.trained import left_out, of_examples, of_model, of_models, words_of

    print_section(of_examples(examples), console)
    print_lines([*left_out(examples), ""], console)
    print_section(of_models(trainings), console)
    for section in of_model(best):
        print_section(section, console)
    print_lines([*words_of(best, examples), ""], console)


def _tell(topic: Topic, best: Training, path: Path) -> None:
    """What was kept, and what is left to do."""
    quality = best.quality
    if quality.note:
        print(quality.note)
    print(f"Kept: {best.kind.name} in {path}/")
    named = topic.model.get("kind")
    if named and named != best.kind.name:
        print(f'The topic\'s file says kind = "{named}": write kind = "{best.kind.name}" there to use this model.')
    if quality.f_suggested > quality.f:
        print(f"A higher F, {quality.f_suggested:.3f}: write threshold = {quality.suggested:.6g} below [model].")
    print(f"Next: scrapy judge {topic.name} URL|FILE, or scrapy crawl topic -a topic={topic.name}")

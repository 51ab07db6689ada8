"""Which model judges the pages of a topic: the kept one, one made of the topic's words, or one trained at once."""

from __future__ import annotations

import logging
from pathlib import Path

from scrapy.settings import BaseSettings

from focused.errors import StoreError
from focused.examples import gather
from focused.examples.gather import good_of
from focused.page import PageReader
from focused.topic import Topic
from focused.training.fitting import MODEL, keep
from focused.training.kinds import Kind, kind_of
from models.model import ModelError, PageModel
from models.saved import MANIFEST, Saved, read
from models.text import Vocabulary

logger = logging.getLogger(__name__)


def model_for(settings: BaseSettings, topic: Topic, vocabulary: Vocabulary, folder: Path) -> PageModel:
    """`folder` is the crawl's; what was trained is kept there, and is used again as long as it fits the topic.

    It fits if [model] names its kind and arguments, or names no kind: then what was trained last is taken.
    """
    kind = kind_of(settings, topic)
    if (folder / MODEL / MANIFEST).exists() and (kept := _kept(settings, kind, vocabulary, folder / MODEL)):
        return kept
    if not kind.needs_examples:
        return kind.from_words(vocabulary)
    logger.info("Training a model of kind '%s' for topic '%s'", kind.name, topic.name)
    examples = gather(settings, topic, PageReader(vocabulary), folder, _untold)
    model = kind.fit(examples)
    keep(kind, model, examples, folder)
    return model


def _kept(settings: BaseSettings, kind: Kind, vocabulary: Vocabulary, folder: Path) -> PageModel | None:
    """The kept model; None if the topic has come to want another one."""
    try:
        saved, training = read(folder)
        name, arguments = str(training.get("model")), training.get("arguments")
        if "kind" in kind.topic.model and (name, arguments) != (kind.name, kind.arguments):
            return None
        model: PageModel = kind_of(settings, kind.topic, name).made.restored(vocabulary, _marked(saved, kind.topic))
    except (ModelError, AttributeError, TypeError) as error:
        said = str(error).rpartition(": train ")[0] or str(error).rstrip(".")  # what to do is said once, below
        raise StoreError(
            f"The model in {folder} cannot be used ({said}): run `scrapy train {kind.topic.name}`, or remove it."
        ) from None
    return model


def _marked(saved: Saved, topic: Topic) -> Saved:
    """Marks are not learned: those that the topic has now hold, without a training (F-04)."""
    if "tree" not in topic.taxonomy or "good" not in saved.facts:
        return saved
    return saved._replace(facts={**saved.facts, "good": good_of(topic)})


def _untold(*_: object) -> None:
    """Nobody is watching."""

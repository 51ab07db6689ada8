"""Where pages belong in the taxonomy: all classes on the way to the best one are candidates to be marked (F-03)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from scrapy.settings import BaseSettings

from focused.administration.overview import mark_of
from focused.errors import TopicError
from focused.examples import gather
from focused.examples.collection import Document, fault_of, read
from focused.examples.gather import good_of, has_own
from focused.examples.wanted import wanted
from focused.page import PageReader
from focused.topic import Topic
from focused.training import model_for
from focused.training.kinds import BY_TAXONOMY, kind_of
from models.model import PageModel
from models.text import Vocabulary


class Candidate(NamedTuple):
    path: str
    share: float  # Pr[c|d]
    good: str


def classifier(settings: BaseSettings, topic: Topic, vocabulary: Vocabulary, folder: Path) -> PageModel:
    """The topic's own model if it knows classes, else one that is fitted now and not kept."""
    is_marked = bool(topic.taxonomy.get("good"))
    if is_marked and kind_of(settings, topic).name == BY_TAXONOMY:
        return model_for(settings, topic, vocabulary, folder)
    if "tree" in topic.taxonomy and not is_marked:
        # What is good does not change where a page belongs, but a model cannot be made without it.
        topic = replace(topic, taxonomy={**topic.taxonomy, "good": [_some_class(topic)]})
    elif has_own(topic) and "tree" not in topic.taxonomy:
        raise TopicError(f"Topic '{topic.name}' has no tree of classes: add some with `scrapy topics add`.")
    examples = gather(settings, topic, PageReader(vocabulary), folder, _untold)
    return kind_of(settings, topic, BY_TAXONOMY).fit(examples)


def candidates(model: PageModel, topic: Topic, reader: PageReader, document: Document) -> list[Candidate]:
    """From the top of the tree down to the best leaf; empty if the page says nothing."""
    if fault_of(document.body):
        return []
    said = model.judge(read(reader, document))
    parts, classes = (said.best_class or "").split("/"), said.classes or {}
    marks = good_of(topic) if topic.taxonomy.get("good") or "tree" not in topic.taxonomy else []
    found = []
    for path in ("/".join(parts[: end + 1]) for end in range(len(parts) if said.best_class else 0)):
        share = sum(value for name, value in classes.items() if name == path or name.startswith(f"{path}/"))
        found.append(Candidate(path, share, mark_of(path, marks)))
    return found


def _some_class(topic: Topic) -> str:
    named = wanted(topic)
    labels = sorted({*named.files.values(), *named.pages.values(), *named.sites.values(), *named.directories.values()})
    if not labels:
        raise TopicError(f"The classes of topic '{topic.name}' have no examples: add some with `scrapy topics add`.")
    return max(labels, key=lambda path: path.count("/"))  # one at the bottom: everything must not be good


def _untold(*_: object) -> None:
    """Nobody is watching."""

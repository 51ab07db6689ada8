"""A judge that did not steer: scores by the model that chose the pages would repeat its mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from scrapy.settings import BaseSettings

from focused.errors import SettingError
from focused.examples import Examples, gather
from focused.examples.collection import Document
from focused.examples.gather import has_own
from focused.page import PageReader
from focused.topic import Topic
from focused.training.kinds import Kind, kind_of
from focused.webs import Web
from models.model import OTHER, RELEVANT, PageModel

WHERE = "--truth judge:"


def taught_pages(settings: BaseSettings, topic: Topic, reader: PageReader, folder: Path) -> frozenset[str]:
    """URLs that the model that steers learns from; those of another web, as a simulated one has them, are none."""
    if not (kind_of(settings, topic).needs_examples and has_own(topic)):
        return frozenset()
    return frozenset(page.url for page in gather(settings, topic, reader, folder, _untold).pages)


def other_judge(settings: BaseSettings, topic: Topic, name: str, reader: PageReader, folder: Path) -> PageModel:
    """A model of another kind than the one that steers, from the topic's own words or examples."""
    kind = _kind(settings, topic, name)
    if kind.name == kind_of(settings, topic).name:
        raise SettingError(f"{WHERE}{name} is the judge that steers: name another kind, or {WHERE}{name}=labels.csv.")
    if kind.needs_examples:
        return kind.fit(gather(settings, topic, reader, folder, _untold))
    return kind.from_words(reader.vocabulary)


def labelled_judge(
    settings: BaseSettings, topic: Topic, name: str, reader: PageReader, pages: Iterable[tuple[Document, bool]]
) -> PageModel:
    """A model of any kind that learns, from pages that somebody has labelled."""
    kind = _kind(settings, topic, name)
    if not kind.can_learn:
        raise SettingError(f"{WHERE}{name} cannot learn from labels: name a kind that can, such as naive_bayes.")
    examples = Examples(reader)
    for document, is_relevant in pages:
        examples.add(document, RELEVANT if is_relevant else OTHER)
    short = [label for label in (RELEVANT, OTHER) if not examples.counts()[label]]
    if short:
        raise SettingError(f"{WHERE}{name}: no page labelled {short[0]} is on this web: label some that are.")
    return kind.fit(examples)


def documents_of(web: Web, labels: Mapping[str, bool]) -> Iterable[tuple[Document, bool]]:
    """The labelled pages that a web has; labels are by URLs without their scheme."""
    for place, is_relevant in labels.items():
        for url in (f"https://{place}", f"http://{place}"):
            answer = web.fetch(url)
            if answer.status == 200:
                kind = next((value for name, value in answer.headers.items() if name.lower() == "content-type"), "")
                yield Document(url, url, answer.body, kind), is_relevant
                break


def _kind(settings: BaseSettings, topic: Topic, name: str) -> Kind:
    if name not in settings.getdict("FOCUSED_MODELS") and "." not in name:
        known = ", ".join(sorted(settings.getdict("FOCUSED_MODELS")))
        raise SettingError(f"{WHERE}{name} is not known: use one of {known}, or an import path.")
    return kind_of(settings, topic, name)


def _untold(*_: object) -> None:
    """Nobody is watching."""

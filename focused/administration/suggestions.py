"""What a topic might take in besides: pages beside its examples (F-06), and classes beside its good ones (F-08).

A neighbour's score is the summed weight of the distinctive words in its title, divided by that of all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scrapy.settings import BaseSettings

from focused.administration.nodes import is_at
from focused.errors import TopicError
from focused.examples import gather
from focused.examples.gather import has_own
from focused.examples.wanted import wanted
from focused.page import PageReader
from focused.store.neighbourhood import Neighbour, neighbour_classes, neighbours
from focused.store.queries import Reading
from focused.topic import Topic
from focused.training.words import weighed_words
from focused.urls import canonical, key_of
from models.model import RELEVANT, Floats
from models.text import Vocabulary, counted, span_counts, text_ids, words_of

WORDS = 20  # that are distinctive
VIEWED = 25  # pages whose neighbours are looked at, if none are named
MUCH = 0.1  # of the neighbourhood: a class that is worth a look [chosen]


class Suggestion(NamedTuple):
    score: float
    page: Neighbour


class Related(NamedTuple):
    path: str
    share: float  # of the pages that relevant ones link to
    why: str  # parent or sibling of which good class


def distinctive(settings: BaseSettings, topic: Topic, vocabulary: Vocabulary, folder: Path) -> dict[str, float]:
    """By the topic's own examples, by how telling they are; without them the words of its query, by idf."""
    if has_own(topic):
        examples = gather(settings, topic, PageReader(vocabulary), folder, _untold)
        return dict(weighed_words(vocabulary, examples.two_classes(), WORDS).get(RELEVANT, []))
    terms, _ = counted(text_ids(vocabulary, [topic.query]))
    return {vocabulary.terms[term]: float(idf) for term, idf in zip(terms, vocabulary.idf(terms), strict=True)}


def title_scores(vocabulary: Vocabulary, weights: Mapping[str, float], titles: Sequence[str]) -> Floats:
    """The share of the weight that each title has, all in one go."""
    ids = [vocabulary.id_of(term) for term in weights]
    words = [words_of(title) for title in titles]
    ends = np.cumsum([len(of) for of in words], dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    spans, terms, _ = span_counts(vocabulary.ids([word for of in words for word in of]), starts, ends)
    weight_of = np.zeros(len(vocabulary.terms))
    weight_of[ids] = list(weights.values())
    scores: Floats = np.bincount(spans, weight_of[terms], len(titles)) / max(weight_of.sum(), 1e-12)
    return scores


def suggest(
    reading: Reading, topic: Topic, vocabulary: Vocabulary, weights: Mapping[str, float], urls: Sequence[str]
) -> list[Suggestion]:
    """The neighbours of some pages whose titles share words with the topic, the best first."""
    known = _known(topic)
    found = [page for page in neighbours(reading, viewed(reading, topic, urls)) if page.url not in known]
    if not found:
        return []
    scores = title_scores(vocabulary, weights, [page.title for page in found])
    order = np.argsort(-scores, kind="stable")
    return [Suggestion(float(scores[at]), found[at]) for at in order if scores[at] > 0]


def viewed(reading: Reading, topic: Topic, urls: Sequence[str]) -> list[int]:
    """The named pages; else examples and seeds that the crawl has met, else its best pages."""
    if urls:
        return [_page_id(reading, url) for url in urls]
    pages = [reading.find(key_of(url)) for url in [*_known(topic)][:VIEWED]]
    return [page.id for page in pages if page] or [page.id for page in reading.best_pages(VIEWED)]


def _page_id(reading: Reading, url: str) -> int:
    page = reading.find(key_of(canonical(url) or url))
    if page is None:
        raise TopicError(f"{url} is not in the crawl in {reading.folder}: name a page that it has met.")
    return page.id


def _known(topic: Topic) -> list[str]:
    return list(dict.fromkeys([*wanted(topic).pages, *topic.seeds]))


def related(reading: Reading, good: Sequence[str]) -> list[Related]:
    """Parents and siblings of good classes into which much of the neighbourhood falls, most of it first (F-08)."""
    census = neighbour_classes(reading)
    total = sum(census.values())
    found: dict[str, Related] = {}
    for path in good:
        parent = path.rpartition("/")[0]
        beside = {_child(parent, name) for name in census if not parent or is_at(name, parent)} - {path, ""}
        for near in [parent, *sorted(beside)] if parent else sorted(beside):
            if not any(is_at(near, mark) for mark in good):
                new = sum(pages for name, pages in census.items() if is_at(name, near) and not _is_good(name, good))
                found[near] = Related(near, new / total, f"{'parent' if near == parent else 'sibling'} of {path}")
    return sorted((one for one in found.values() if one.share >= MUCH), key=lambda one: (-one.share, one.path))


def _child(parent: str, name: str) -> str:
    """The class right below a parent on the way to another; empty if that is the parent itself."""
    rest = name[len(parent) + 1 :] if parent else name
    child = rest.split("/")[0]
    return f"{parent}/{child}" if parent and child else child


def _is_good(name: str, good: Sequence[str]) -> bool:
    return any(is_at(name, mark) for mark in good)


def _untold(*_: object) -> None:
    """Nobody is watching."""

"""What the models say of a page (F-03), and what a topic might take in besides (F-06, F-08)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy.settings import BaseSettings
from starlette.exceptions import HTTPException
from starlette.requests import Request

from focused.administration.classifying import candidates, classifier
from focused.administration.suggestions import distinctive, related, suggest
from focused.console.crawls import names, reading_of, shared
from focused.examples.collection import PLAIN, Document, Skipped, fault_of, read
from focused.examples.files import is_url
from focused.page import PageReader
from focused.topic import Topic
from focused.training import model_for
from models.model import RELEVANT
from models.text import Vocabulary

WORDS = 12  # of the evidence
SUGGESTIONS = 12


def settings_of(request: Request, topic: Topic) -> BaseSettings:
    """Those of the topic's crawl: what was crawled on a frozen web is looked for there."""
    given = shared(request)
    own = given.settings.copy()
    own.set("FOCUSED_TOPIC", topic.name, priority="cmdline")
    if topic.name in names(given) and not own.get("FOCUSED_WEB"):
        with reading_of(given, topic.name) as reading:
            own.set("FOCUSED_WEB", reading.meta().get("web", ""), priority="cmdline")
    return own


def classified(request: Request, topic: Topic, fields: Mapping[str, str]) -> dict[str, Any]:
    """The way down to the best class, the verdict, and the words that made the model say so."""
    settings, folder = settings_of(request, topic), shared(request).data / topic.name
    document = _document(request, settings, fields.get("page", "").strip())
    vocabulary = Vocabulary()
    has_tree = "tree" in topic.taxonomy
    model = (classifier if has_tree else model_for)(settings, topic, vocabulary, folder)
    reader = PageReader(vocabulary)
    page = read(reader, document)
    evidence = model.evidence(page, WORDS)
    written = vocabulary.written(term for term, _ in evidence)
    return {
        "document": document,
        "page": page,
        "said": model.judge(page),
        "threshold": model.threshold,
        "evidence": [(written[term], weight) for term, weight in evidence],
        "candidates": candidates(model, topic, reader, document) if has_tree else [],
    }


def _document(request: Request, settings: BaseSettings, given: str) -> Document:
    """A page of the Web, or what was pasted: markup if it looks like it, else a text."""
    if not given:
        raise HTTPException(400, "There is nothing to classify: give a URL, or paste a text.")
    if is_url(given) and len(given.split()) == 1:
        found = next(shared(request).documents(settings, [given]))
        if isinstance(found, Skipped):
            raise HTTPException(400, f"{found.name}: {found.why}.")
    else:
        found = Document("pasted text", "", given.encode(), "" if given.startswith("<") else PLAIN)
    if why := fault_of(found.body):
        raise HTTPException(400, f"{found.name} cannot be classified: {why}.")
    return found


def suggested(request: Request, topic: Topic) -> dict[str, Any]:
    given = shared(request)
    if topic.name not in names(given):
        raise HTTPException(400, f"There is no crawl '{topic.name}' whose links could be looked at: crawl first.")
    vocabulary = Vocabulary()
    weights = distinctive(settings_of(request, topic), topic, vocabulary, given.data / topic.name)
    with reading_of(given, topic.name) as reading:
        pages = suggest(reading, topic, vocabulary, weights, [])[:SUGGESTIONS]
        good = [str(path) for path in topic.taxonomy.get("good", [])]
        return {"pages": pages, "related": related(reading, good), "words": weights, "places": good or [RELEVANT]}

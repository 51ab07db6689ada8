"""All examples of a topic, wherever it says they are."""

from __future__ import annotations

from pathlib import Path

from focused.errors import TopicError
from focused.examples.collection import Document, Examples, Skipped
from focused.examples.fetched import Fetching, Told
from focused.examples.files import document_of
from focused.examples.recorded import own_pages
from focused.examples.simulated import LARGE_ENOUGH, MOST_PAGES, documents, first_pages, other_web
from focused.examples.wanted import Wanted, wanted
from focused.options import Settings
from focused.page import PageReader
from focused.topic import Topic

FOLDER = "examples"  # in the crawl's own
SITES = "sites"  # [sim] examples: those of whole sites


def gather(settings: Settings, topic: Topic, reader: PageReader, folder: Path, told: Told) -> Examples:
    """`folder` is the crawl's. Raises TopicError if nothing can be learned from what there is."""
    examples = Examples(reader, good_of(topic))
    if has_own(topic):
        _add_own(examples, wanted(topic), Fetching(settings, folder / FOLDER / "pages", walk=False), told)
    else:
        _add_simulated(examples, topic, str(settings.get("FOCUSED_WEB") or ""))
    if not examples.pages:
        why = examples.left_out() or "none is named"
        raise TopicError(f"Topic '{topic.name}' has no example that can be used ({why}): see docs/training.md.")
    return examples


def has_own(topic: Topic) -> bool:
    """Whether the topic's file names examples."""
    return bool(topic.examples) or "tree" in topic.taxonomy


def good_of(topic: Topic) -> list[str]:
    """The classes that are wanted."""
    good = topic.taxonomy.get("good", [])
    if not isinstance(good, list) or ("tree" in topic.taxonomy and not good):
        raise TopicError(f"[taxonomy] of topic '{topic.name}' marks nothing as good: write good = [\"Branch/Class\"].")
    if not good and "topic" in topic.sim:
        return [str(topic.sim["topic"])]
    return [str(path) for path in good]


def _add_own(examples: Examples, named: Wanted, pages: Fetching, told: Told) -> None:
    _add_directories(examples, named, pages, told)
    examples.skipped += named.skipped
    for number, (file, label) in enumerate(named.files.items(), 1):
        _take(examples, document_of(file, named.folder), label)
        told("reading examples", number, len(named.files))
    had = set()
    for document in own_pages(pages.folder.parent.parent, named.pages):
        _take(examples, document, named.pages[document.url])
        had.add(document.url)
    others = {url: label for url, label in named.pages.items() if url not in had}
    sites = Fetching(pages.settings, pages.folder.with_name("sites"), walk=True)
    for fetching, labels in ((pages, others), (sites, named.sites)):
        for found, label in fetching.documents(labels, told):
            _take(examples, found, label)


def _add_directories(examples: Examples, named: Wanted, pages: Fetching, told: Told) -> None:
    """Which sites a directory page lists is known once it is there."""
    lists = Fetching(pages.settings, pages.folder.with_name("directories"), walk=False)
    for found, label in lists.documents(named.directories, told):
        if isinstance(found, Skipped):
            examples.skip(found.name, found.why)
        else:
            named.add_listed(found, label)


def _add_simulated(examples: Examples, topic: Topic, spec: str) -> None:
    by_site = topic.sim.get("examples") == SITES
    web = other_web(spec, LARGE_ENOUGH if by_site else MOST_PAGES) if "topic" in topic.sim else None
    if web is None:
        other_way = "take a simulated web's, --web sim:small" if topic.sim else "crawl it, and train with --bootstrap"
        raise TopicError(
            f"Topic '{topic.name}' has no examples: below [examples] in its file write relevant = [...], "
            f"other = [...]; or {other_way}."
        )
    if by_site:
        for page, label in first_pages(web, str(topic.sim["topic"]), examples.reader):
            examples.take(page, label, page.url)
    else:
        for document, label in documents(web, str(topic.sim["topic"])):
            examples.add(document, label)


def _take(examples: Examples, found: Document | Skipped, label: str) -> None:
    if isinstance(found, Skipped):
        examples.skip(found.name, found.why)
    else:
        examples.add(found, label)

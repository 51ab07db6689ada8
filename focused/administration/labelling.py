"""Labels a person gives to crawled pages: the most uncertain first, kept in labels.csv with the topic.

Uncertain is a page whose relevance is near the threshold (uncertainty sampling, Lewis and Gale 1994). Where the topic
has a tree, "relevant" means a good class: the one the model gave, or the only one there is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from focused.administration import nodes
from focused.administration.files import TopicFile, write_text
from focused.administration.nodes import classes_of, lists_of
from focused.administration.overview import mark_of
from focused.errors import TopicError
from focused.examples.files import is_url
from focused.examples.wanted import NO, YES, wanted
from focused.store.neighbourhood import Doubt, most_uncertain
from focused.store.queries import Reading
from focused.urls import canonical
from models.model import OTHER, RELEVANT

LABELS = "labels.csv"
LEAST = 5  # labels of each side: a model that learned from fewer would judge worse than the topic's words [chosen]
COLUMNS = ("url", "label", "relevance", "class", "title")


class Refused(NamedTuple):
    url: str
    why: str


class Labels:
    """The labels of a topic, by URL."""

    def __init__(self, file: TopicFile) -> None:
        self.file = file
        self.path = file.folder / LABELS
        self.of = {url: label for url, label, _ in read_labels(self.path)} if self.path.exists() else {}
        self._classes = classes_of(file)

    def put(self, url: str, answer: str, best_class: str | None) -> str:
        """The label that an answer means; empty if it cannot be told which."""
        label = self._meant(answer.strip(), best_class or "")
        if label:
            self.of[url] = label
        return label

    def _meant(self, answer: str, best_class: str) -> str:
        if answer in self._classes:
            return answer
        if answer.lower() in NO | {"n"}:
            return OTHER
        if answer.lower() not in YES | {"y"}:
            return ""
        good = self.file.marks()
        if not self._classes:
            return RELEVANT
        if mark_of(best_class, good):
            return best_class
        return good[0] if len(good) == 1 else ""

    def save(self) -> list[str]:
        """Whole or not at all. Says what is still missing before they can be learned from."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([COLUMNS[:2], *self.of.items()])
        write_text(self.path, text.getvalue())
        relevant, other = (self._count(side) for side in (RELEVANT, OTHER))
        if not self._classes and min(relevant, other) < LEAST:
            # A topic whose file names labels is judged by what they teach, whether it was trained or not.
            return [f"{relevant:,} relevant and {other:,} other so far: to be learned from it takes {LEAST} of each."]
        self._name()
        return [f"Next: scrapy train {self.file.topic.name}"]

    def _count(self, side: str) -> int:
        """Labels and other examples of a side, for a topic without a tree."""
        named = wanted(self.file.topic)
        others = {str(file): label for file, label in named.files.items()} | named.pages | named.sites
        others |= named.directories  # each stands for at least one site
        return list((others | self.of).values()).count(side)

    def _name(self) -> None:
        table = self.file.table("examples")
        given = table.get("labels", [])
        names = [given] if isinstance(given, str) else list(given)
        if LABELS not in names:
            table["labels"] = [*names, LABELS] if names else LABELS
            self.file.save()


def to_label(reading: Reading, labels: Labels, most: int) -> Iterator[Doubt]:
    """Pages without a label, the most uncertain first."""
    return islice((page for page in most_uncertain(reading) if page.url not in labels.of), most)


def write_questions(path: Path, pages: Iterable[Doubt]) -> int:
    """For a person with a table program: the column `label` is empty."""
    rows = [(page.url, "", f"{page.relevance:.4f}", page.best_class or "", page.title) for page in pages]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    write_text(path, text.getvalue())
    return len(rows)


def take_answers(path: Path, labels: Labels) -> tuple[int, list[Refused]]:
    """How many labels were taken, and what was not; an empty label is a page nobody was sure of."""
    taken, refused = 0, []
    for given, answer, best_class in read_labels(path):
        url = canonical(given)
        if not answer:
            continue
        if url is None:
            refused.append(Refused(given, "not an http(s) URL"))
        elif labels.put(url, answer, best_class):
            taken += 1
        else:
            refused.append(Refused(url, f"'{answer}' does not say which class: write yes, no or a class"))
    return taken, refused


def move(file: TopicFile, what: str, to: str) -> list[str]:
    """As nodes.move; a document that only a pattern, a folder or a label names gets a label, which goes before them."""
    named = wanted(file.topic)
    document = canonical(what) if is_url(what) else file.folder / what
    before = named.pages.get(document or "") if isinstance(document, str) else named.files.get(document or Path())
    if what in classes_of(file) or lists_of(file, what) or before is None:
        return nodes.move(file, what, to)
    labels = Labels(file)
    if not labels.put(str(document) if is_url(what) else what, to, None):
        raise TopicError(f"There is no class '{to}' to move '{what}' to: see `scrapy topics show {file.topic.name}`.")
    return [f"{what} moved from {before} to {to}, by a line of {labels.path}", *labels.save()]


def read_labels(path: Path) -> list[tuple[str, str, str]]:
    """(url, label, class) of a CSV file with a heading."""
    try:
        rows = csv.DictReader(path.read_bytes().decode("utf-8-sig", "replace").replace("\0", "").splitlines())
        if not {"url", "label"} <= set(rows.fieldnames or ()):
            raise TopicError(f"The first line of {path} does not name url and label: write url,label there.")
        cells = ([(row.get(name) or "").strip() for name in ("url", "label", "class")] for row in rows)
        return [(url, label, best_class) for url, label, best_class in cells]
    except OSError as error:
        raise TopicError(f"{path} cannot be read ({error.strerror}): give the path of a CSV file.") from None
    except csv.Error as error:
        raise TopicError(f"{path} is no CSV file ({error}): save it as CSV.") from None

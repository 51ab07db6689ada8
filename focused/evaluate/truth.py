"""Which pages are really on the topic. For the evaluator only: no crawl may look at it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from focused.errors import SettingError
from focused.topic import Topic
from focused.urls import canonical
from focused.webs import Web, about, open_web
from focused.webs.base import is_under

YES, NO = frozenset(("1", "true", "yes")), frozenset(("0", "false", "no"))
SHOWN = 5  # faults named, of those counted


class Judge(Protocol):
    """Who says what a page is."""

    def of(self, urls: Iterable[str]) -> list[bool]:
        """For each URL whether it is on the topic."""


class Truth:
    """What a frozen web knows about its own pages."""

    def __init__(self, web: Web | str, topic: str) -> None:
        self._web = open_web(web) if isinstance(web, str) else web
        self._topic = topic

    def of(self, urls: Iterable[str]) -> list[bool]:
        return [about(self._web, url, self._topic) for url in urls]


class Verdicts:
    """What a model said of each page. If it is the one that steered the crawls: better than nothing, and no more."""

    def __init__(self, pages: Mapping[str, bool]) -> None:
        self._pages = pages

    def of(self, urls: Iterable[str]) -> list[bool]:
        return [self._pages.get(url, False) for url in urls]


class Fair:
    """A judge before whom pages that a model has learned from do not count."""

    def __init__(self, judge: Judge, examples: Iterable[str]) -> None:
        self._judge = judge
        self._examples = frozenset(map(_without_scheme, examples))

    def of(self, urls: Iterable[str]) -> list[bool]:
        asked = list(urls)
        judged = zip(asked, self._judge.of(asked), strict=True)
        return [yes and _without_scheme(url) not in self._examples for url, yes in judged]


@dataclass(slots=True)
class Labels:
    """A file of labels as it was read. http and https are the same page; one without a label is not on the topic."""

    pages: dict[str, bool] = field(default_factory=dict)  # URL without its scheme → on the topic
    faults: list[str] = field(default_factory=list)  # lines that could not be used, and why
    others: Judge | None = None  # who judges pages without a label

    def of(self, urls: Iterable[str]) -> list[bool]:
        asked = list(urls)
        others = self.others.of(asked) if self.others else [False] * len(asked)
        return [self.pages.get(_without_scheme(url), other) for url, other in zip(asked, others, strict=True)]

    def notes(self, urls: Iterable[str]) -> list[str]:
        """What a reader should know: lines not used, labels of pages that are not among `urls`, pages without label."""
        reached = set(map(_without_scheme, urls))
        strangers = [url for url in self.pages if url not in reached]
        without = len(reached) - len(self.pages) + len(strangers)
        missing = [f"Pages within reach without a label, which count as not relevant: {without:,}."]
        return [
            *_told("Lines of the labels that were not used", self.faults),
            *_told("Labels of pages that cannot be reached", strangers),
            *(missing if without and self.others is None else []),
        ]


def _told(what: str, named: list[str]) -> list[str]:
    rest = f"; and {len(named) - SHOWN:,} more" if len(named) > SHOWN else ""
    return [f"{what}: {len(named):,} ({'; '.join(named[:SHOWN])}{rest})."] if named else []


def _without_scheme(url: str) -> str:
    return url.partition("://")[2]


def names_of(topic: Topic) -> list[str]:
    """What labels may call the topic: where it lies on the web, its good classes, or else its name."""
    good = topic.taxonomy.get("good", [])
    paths = [str(topic.sim["topic"])] if topic.sim.get("topic") else []
    return [*paths, *map(str, good if isinstance(good, list) else []), topic.name]


def read_labels(path: Path, names: Iterable[str]) -> Labels:
    """url,label lines; a label is yes or no (1/0, true/false) or a topic: one of `names`, or below it, is a yes."""
    try:
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise SettingError(
            f"--truth {path} cannot be read ({error.strerror}): give a CSV file with url,label lines."
        ) from None
    wanted = [name.casefold() for name in names]
    labels = Labels()
    for number, row in _rows(text, labels.faults):
        fault = _take(row, wanted, labels.pages)
        if fault and not (number == 1 and [cell.strip().lower() for cell in row[:2]] == ["url", "label"]):
            labels.faults.append(f"line {number}: {fault}")
    if not labels.pages:
        why = f" ({labels.faults[0]})" if labels.faults else ""
        raise SettingError(f"--truth {path} has no label that can be used{why}: write url,label lines.")
    return labels


def _rows(text: str, faults: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, with their line; what is no CSV at all is a fault."""
    reader = csv.reader(io.StringIO(text.replace("\0", "\ufffd"), newline=""))
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            faults.append(f"line {reader.line_num}: {error}")
            continue
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def _take(row: list[str], wanted: list[str], pages: dict[str, bool]) -> str | None:
    """Keep one label; returns what is wrong with it."""
    shown = row[0].strip()[:60].encode("utf-8", "backslashreplace").decode()
    if any("\udc80" <= sign <= "\udcff" for cell in row for sign in cell):
        return f"'{shown}' is not UTF-8"
    if len(row) < 2 or not row[1].strip():
        return f"'{shown}' has no label"
    url, label = canonical(row[0].strip()), row[1].strip().casefold()
    if url is None:
        return f"'{shown}' is not an http(s) URL"
    is_relevant = label in YES or (label not in NO and any(is_under(label, name) for name in wanted))
    if pages.setdefault(_without_scheme(url), is_relevant) != is_relevant:
        return f"'{shown}' was labelled otherwise before"
    return None

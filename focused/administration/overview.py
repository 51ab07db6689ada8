"""What topics there are, and what one of them says (F-02, F-05)."""

from __future__ import annotations

import os
from collections import Counter
from typing import NamedTuple

from focused.administration.files import GOOD, REPORT
from focused.administration.nodes import is_at, paths_of
from focused.errors import FocusedError, TopicError
from focused.evaluate.tables import Cell, Section
from focused.evaluate.wording import clean
from focused.examples.gather import has_own
from focused.examples.wanted import Wanted, read_tree, wanted
from focused.topic import Topic, names
from focused.training.kinds import default_kind
from models.model import OTHER, RELEVANT

MARKED, INHERITED = "marked", "inherited"


class Node(NamedTuple):
    """A class of a taxonomy. Counts are of what is named, before anything is read or fetched."""

    path: str
    pages: int
    sites: int
    below: int  # pages of all classes below it
    good: str  # MARKED, INHERITED or empty
    report: str


def all_topics() -> Section:
    """A topic that cannot be read shows why."""
    rows: list[tuple[Cell, ...]] = []
    for name, is_own in names().items():
        origin = "own" if is_own else "shipped"
        try:
            topic = Topic.load(name)
            seeds, examples = len(topic.seeds) or _simulated(topic), _size(topic) or _simulated(topic)
            rows.append((name, origin, kind_name(topic), seeds, examples, clean(topic.query, 60)))
        except FocusedError as error:
            rows.append((name, origin, None, None, None, clean(str(error))))
    return Section("Topics", ("topic", "from", "model", "seeds", "examples", "query"), rows)


def _simulated(topic: Topic) -> int | str:
    """Where there is none of its own: whether a simulated web has some."""
    return "simulated" if "topic" in topic.sim else 0


def _size(topic: Topic) -> int:
    return sum(len(part) for part in _parts(wanted(topic)))


def _parts(named: Wanted) -> tuple[dict[str, str], ...]:
    """Name → label, of files (as seen from the topic's folder), pages, sites and pages that list sites."""
    files = {os.path.relpath(file, named.folder): label for file, label in named.files.items()}
    return files, named.pages, named.sites, named.directories


def kind_name(topic: Topic) -> str:
    return str(topic.model.get("kind") or default_kind(topic))


def lines_of(topic: Topic) -> list[str]:
    """One topic, but for its tree."""
    named = wanted(topic)
    labels = Counter(label for part in _parts(named) for label in part.values())
    counts = ", ".join(f"{count:,} {label}" for label, count in sorted(labels.items()))
    unread = f" ({len(named.skipped):,} entries left out)" if named.skipped else ""
    simulated = f"of a simulated web, {topic.sim['topic']}" if "topic" in topic.sim and not has_own(topic) else "none"
    seeds = ", ".join(topic.seeds[:5]) + (f" and {len(topic.seeds) - 5:,} more" if topic.seeds[5:] else "")
    lines = [
        ("query", clean(topic.query, 500) or "none"),
        ("seeds", seeds or (f"{topic.sim['seeds']} of a simulated web" if "seeds" in topic.sim else "")),
        ("model", kind_name(topic)),
        ("examples", (counts or simulated) + unread),
        ("sessions", str(topic.sessions.get("file", "none"))),
        ("folder", str(topic.folder or "in the egg")),
    ]
    return [f"Topic {topic.name}", *(f"  {name:<10}{value or 'none'}" for name, value in lines), ""]


def nodes_of(topic: Topic) -> list[Node]:
    """The tree, a parent before its children; empty if the topic has none."""
    if "tree" not in topic.taxonomy:
        return []
    named = wanted(topic)
    pages = Counter([*named.files.values(), *named.pages.values()])
    sites = Counter(named.sites.values())
    file = named.folder / str(topic.taxonomy["tree"])
    paths = sorted(paths_of([*read_tree(file)], str(file)), key=lambda path: path.split("/"))
    below: Counter[str] = Counter()
    for path in paths:
        for at in (at for at, sign in enumerate(path) if sign == "/"):
            below[path[:at]] += pages[path]
    marks = {which: [str(path) for path in topic.taxonomy.get(which, [])] for which in (GOOD, REPORT)}
    return [
        Node(
            path,
            pages[path],
            sites[path],
            below[path],
            mark_of(path, marks[GOOD]),
            mark_of(path, marks[REPORT]),
        )
        for path in paths
    ]


def mark_of(path: str, marks: list[str]) -> str:
    """Goodness is inherited (F-04)."""
    return MARKED if path in marks else INHERITED if any(is_at(path, mark) for mark in marks) else ""


def tree_of(topic: Topic) -> Section:
    """Indented by level."""
    rows: list[tuple[Cell, ...]] = []
    for node in nodes_of(topic):
        *above, name = node.path.split("/")
        rows.append(("· " * len(above) + name, node.pages, node.sites, node.below, node.good, node.report))
    headings = ("class", "examples", "sites", "below it", "good", "report")
    return Section(f"Taxonomy of {topic.name}", headings, rows)


def examples_of(topic: Topic, label: str) -> Section:
    """What is known of one class (F-05)."""
    found = zip(("file", "page", "site", "directory"), _parts(wanted(topic)), strict=True)
    rows: list[tuple[Cell, ...]] = [(name, kind) for kind, part in found for name, of in part.items() if of == label]
    classes = [node.path for node in nodes_of(topic)] or [RELEVANT, OTHER]
    if not rows and label not in classes:
        raise TopicError(f"Topic '{topic.name}' has no class '{clean(label)}': give one of {', '.join(classes)}.")
    return Section(f"Examples of {label}", ("example", "kind"), rows)

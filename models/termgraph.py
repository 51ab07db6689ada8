"""A topic's own ontology, read from a file: SKOS or OWL in RDF, or a plain table of terms.

    terms.toml    [bicycle]  words = ["bicycle", "bike"]  parents = ["vehicle"]
    terms.csv     concept,parents,words      several parents or words are parted by semicolons
    terms.ttl     (.rdf, .owl, .nt) skos:broader, skos:narrower or rdfs:subClassOf; their labels

A word is found as it is written, else by its stem. A label of several words is nobody's name; its concept still has
its place between the others.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

from models.ontology import OntologyError
from models.text import Stem, words_of

RDF = {".ttl": "turtle", ".rdf": "xml", ".owl": "xml", ".nt": "nt"}


class Entry(NamedTuple):
    """One concept of a file."""

    name: str
    parents: Sequence[str]
    words: Sequence[str]


class TermGraph:
    """Concepts are numbered in the order in which they are first named."""

    def __init__(self, entries: Iterable[Entry], stem: Stem) -> None:
        numbers: dict[str, int] = {}
        self._parents: list[dict[int, None]] = []
        self._names: list[dict[str, None]] = []
        self._index: dict[str, dict[int, None]] = {}
        self._stem = stem
        for entry in entries:
            number, *parents = (self._number(name, numbers) for name in (entry.name, *entry.parents))
            self._parents[number] |= dict.fromkeys(parents)
            self._names[number] |= dict.fromkeys(entry.words)
            for word in entry.words:
                self._learn(word, number)
        self._refuse_circles(list(numbers))
        if not self._index:
            raise OntologyError("it names no concept by a single word")

    def concepts(self, word: str) -> list[int]:
        lower = word.lower()
        return list(self._index.get(lower) or self._index.get(self._stem(lower)) or ())

    def parents(self, concept: int) -> list[int]:
        return list(self._parents[concept])

    def names(self, concept: int) -> list[str]:
        return list(self._names[concept])

    def _number(self, name: str, numbers: dict[str, int]) -> int:
        if name not in numbers:
            numbers[name] = len(numbers)
            self._parents.append({})
            self._names.append({})
        return numbers[name]

    def _learn(self, word: str, concept: int) -> None:
        lower = word.lower()
        if words_of(lower) == [lower]:
            for key in {lower, self._stem(lower)} - {""}:
                self._index.setdefault(key, {})[concept] = None

    def _refuse_circles(self, names: list[str]) -> None:
        try:
            TopologicalSorter(dict(enumerate(self._parents))).prepare()
        except CycleError as error:
            circle = " → ".join(names[number] for number in error.args[1])
            raise OntologyError(f"a concept is above itself ({circle})") from None


def term_graph(path: str, stem: Stem) -> TermGraph:
    """The ontology of a file."""
    file = Path(path)
    suffix = file.suffix.lower()
    readers: dict[str, Callable[[Path], list[Entry]]] = {".toml": _toml, ".csv": _csv, **dict.fromkeys(RDF, _rdf)}
    if suffix not in readers:
        raise OntologyError(f"Ontology {path} is of no known kind: give a file {', '.join(readers)}.")
    try:
        return TermGraph(readers[suffix](file), stem)
    except OSError as error:
        raise OntologyError(f"Ontology {path} cannot be read ({error.strerror}): give the path of a file.") from None
    except (ValueError, csv.Error) as error:
        raise OntologyError(f"Ontology {path} cannot be used ({error}): correct it there.") from None


def _toml(file: Path) -> list[Entry]:
    content: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    entries = []
    for name, table in content.items():
        if not isinstance(table, dict) or not table.keys() <= {"words", "parents"}:
            raise OntologyError(f"'{name}' is not a table of words and parents")
        lists = [table.get("parents", []), table.get("words", [name])]
        if not all(isinstance(one, list) and all(isinstance(text, str) for text in one) for one in lists):
            raise OntologyError(f"words and parents of '{name}' are not lists of texts")
        entries.append(Entry(name, *lists))
    return _known_parents(entries)


def _csv(file: Path) -> list[Entry]:
    rows = csv.DictReader(file.read_text("utf-8-sig").splitlines())
    if not {"concept", "parents", "words"} <= set(rows.fieldnames or ()):
        raise OntologyError("its first line is not concept,parents,words")
    entries = []
    for row in rows:
        parents, words = ([t.strip() for t in (row[key] or "").split(";") if t.strip()] for key in ("parents", "words"))
        entries.append(Entry(row["concept"].strip(), parents, words or [row["concept"].strip()]))
    return _known_parents(entries)


def _known_parents(entries: list[Entry]) -> list[Entry]:
    known = {entry.name for entry in entries}
    for entry in entries:
        for parent in entry.parents:
            if parent not in known:
                raise OntologyError(f"'{entry.name}' is below '{parent}', which is not there")
    return entries


def _rdf(file: Path) -> list[Entry]:
    # Only those who have such a file pay for the import.
    from rdflib import RDFS, SKOS, Graph, URIRef

    graph = Graph()
    try:
        graph.parse(data=file.read_bytes(), format=RDF[file.suffix.lower()])
    except OSError:
        raise
    except Exception as error:  # every parser of rdflib raises errors of its own
        raise OntologyError(f"it is not valid RDF: {str(error).splitlines()[0]}") from None
    above = [pair for link in (SKOS.broader, RDFS.subClassOf) for pair in graph.subject_objects(link)]
    above += [(child, parent) for parent, child in graph.subject_objects(SKOS.narrower)]
    # What has no name is a condition of OWL, no concept; and a class may be below itself there.
    named = [(a, b) for a, b in above if isinstance(a, URIRef) and isinstance(b, URIRef) and a != b]
    entries = [Entry(str(child), [str(parent)], []) for child, parent in named]
    for label in (SKOS.prefLabel, SKOS.altLabel, RDFS.label):
        entries += [Entry(str(concept), [], [str(name)]) for concept, name in graph.subject_objects(label)]
    return sorted(entries)  # rdflib gives them in the order of a hash

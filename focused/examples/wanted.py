"""What a topic names as examples, before any of it is read or fetched.

[examples]                                  files, patterns, folders, URLs, files that list URLs
relevant = ["relevant/*.html", "https://www.example.org/page"]
other = ["other"]
relevant_sites = ["https://www.example.org/"]    homepages: the first 25 pages of each site (W-05)
other_sites = ["sites.txt", "saved-directory.html"]
relevant_directories = ["https://directory.example.org/horses"]    pages that list sites: those they link to
labels = "labels.csv"                       url,label lines; a label is relevant, other, or a class

[taxonomy]
tree = "taxonomy.toml"                      one table a class, named by its path:
good = ["Recreation/Cycling"]                   ["Recreation/Cycling"]
                                                examples = ["cycling/*.html"]
                                                sites = ["https://www.example.org/"]
                                                directories = ["directory.html"]
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from focused.errors import TopicError
from focused.examples.collection import Document, Skipped
from focused.examples.directories import sites_in
from focused.examples.files import document_of, files_of, is_url, urls_in
from focused.topic import Topic
from focused.urls import canonical, homepage_of
from models.model import OTHER, RELEVANT

SITES, DIRECTORIES = "_sites", "_directories"
OF_A_CLASS = ("examples", "sites", "directories")  # what a table of the taxonomy's file may have
YES, NO = {RELEVANT, "1", "true", "yes"}, {OTHER, "0", "false", "no"}


@dataclass(slots=True)
class Wanted:
    """Each with its label; a URL that is named twice keeps the first."""

    topic: Topic
    files: dict[Path, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)  # URL → label
    sites: dict[str, str] = field(default_factory=dict)  # homepage → label
    directories: dict[str, str] = field(default_factory=dict)  # URL of a page that lists sites → their label
    skipped: list[Skipped] = field(default_factory=list)
    _spelt: dict[Path, Path] = field(default_factory=dict, repr=False)  # where a file is → how it was first named

    @property
    def folder(self) -> Path:
        if self.topic.folder is None:
            raise TopicError(f"Topic '{self.topic.name}' has no folder for its examples: copy it to topics/.")
        return self.topic.folder

    def add(self, given: object, label: str, where: str) -> None:
        """A list of entries with one label."""
        for entry in _texts(given, where):
            if is_url(entry):
                self._add_url(entry, label, self.pages)
            elif files := files_of(entry, self.folder):
                for file in files:
                    self._add_file(file, label)
            else:
                raise TopicError(f"'{entry}' in {where} names no file in {self.folder}: correct it, or take it out.")

    def add_sites(self, given: object, label: str, where: str) -> None:
        """A list of homepages, or of files that list some: lines of URLs, or a page with links to them."""
        for entry in _texts(given, where):
            if is_url(entry):
                self._add_url(entry, label, self.sites)
            else:
                self._add_lists(entry, label, where)

    def add_directories(self, given: object, label: str, where: str) -> None:
        """A list of pages that list sites: files, and URLs whose pages have to be fetched first."""
        for entry in _texts(given, where):
            if is_url(entry):
                self._add_url(entry, label, self.directories)
            else:
                self._add_lists(entry, label, where)

    def add_listed(self, page: Document, label: str) -> None:
        """A directory page was had: the sites it lists have its label."""
        self._add_sites(page.name, sites_in(page), label)

    def _add_lists(self, entry: str, label: str, where: str) -> None:
        listed = {file: _listed_in(file, self.folder) for file in files_of(entry, self.folder)}
        if not any(listed.values()):
            raise TopicError(
                f"'{entry}' in {where} is neither a homepage nor a file that lists some: give one with a URL a line, "
                "or an HTML page that links to them."
            )
        for file, urls in listed.items():
            self._add_sites(str(file), urls, label)

    def _add_sites(self, name: str, urls: list[str], label: str) -> None:
        if not urls:
            self.skipped.append(Skipped(name, "lists no site"))
        for url in urls:
            self._add_url(url, label, self.sites)

    def _add_file(self, file: Path, label: str) -> None:
        """A file may be named by more than one path."""
        file = self._spelt.setdefault(file.resolve(), file)
        if urls := urls_in(file):
            for url in urls:
                self._add_url(url, label, self.pages)
        elif self.files.setdefault(file, label) != label:
            self.skipped.append(Skipped(str(file), f"named as {label} and as {self.files[file]}"))

    def _add_url(self, given: str, label: str, table: dict[str, str]) -> None:
        url = canonical(given)
        if url is None:
            self.skipped.append(Skipped(given[:200], "not an http(s) URL"))
            return
        url = homepage_of(url) if table is self.sites else url
        if table.setdefault(url, label) != label:
            self.skipped.append(Skipped(url, f"named as {label} and as {table[url]}"))

    def add_labels(self, given: object, where: str) -> None:
        """A CSV file with url,label lines; instead of a URL a file may be named."""
        for entry in _texts([given] if isinstance(given, str) else given, where):
            rows = _rows(self.folder / entry, where)
            for number, row in enumerate(rows, 1):
                if not any(cell.strip() for cell in row) or (number == 1 and row[0].strip().lower() == "url"):
                    continue
                self._add_row(row, f"{entry}, line {number}")

    def _add_row(self, row: list[str], where: str) -> None:
        name, label = (cell.strip() for cell in (*row, "")[:2])
        label = RELEVANT if label.lower() in YES else OTHER if label.lower() in NO else label
        if not label or (label not in (RELEVANT, OTHER) and "/" not in label and not self.topic.taxonomy):
            self.skipped.append(Skipped(where, f"'{label[:60]}' is no label: write relevant or other"))
        elif is_url(name):
            self._add_url(name, label, self.pages)
        elif name and (self.folder / name).is_file():
            self._add_file(self.folder / name, label)
        else:
            self.skipped.append(Skipped(where, f"'{name[:60]}' is neither a URL nor a file"))


def wanted(topic: Topic) -> Wanted:
    """Mistakes in the topic's file stop here; what is wrong with single lines of a list is counted."""
    found = Wanted(topic)
    for key, given in topic.examples.items():
        where = f"[examples] {key} of topic '{topic.name}'"
        if key == "labels":
            found.add_labels(given, where)
        elif key.endswith(SITES):
            found.add_sites(given, key.removesuffix(SITES), where)
        elif key.endswith(DIRECTORIES):
            found.add_directories(given, key.removesuffix(DIRECTORIES), where)
        else:
            found.add(given, key, where)
    if "tree" in topic.taxonomy:
        _add_tree(found, topic)
    return found


def _add_tree(found: Wanted, topic: Topic) -> None:
    """A file that one class names is of that class, also where a pattern or a folder of another one holds it."""
    file = found.folder / str(topic.taxonomy["tree"])
    tree = read_tree(file)
    for is_single in (True, False):
        for path, node in tree.items():
            where = f"{file}, [{path}] examples"
            entries = _texts(node.get("examples", []), where)
            found.add([entry for entry in entries if (found.folder / entry).is_file() is is_single], path, where)
    for path, node in tree.items():
        found.add_sites(node.get("sites", []), path, f"{file}, [{path}] sites")
        found.add_directories(node.get("directories", []), path, f"{file}, [{path}] directories")


def read_tree(file: Path) -> dict[str, Mapping[str, Any]]:
    """The classes of a taxonomy file: path → what it says of them."""
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise TopicError(f"[taxonomy] tree {file} cannot be read ({error.strerror}): correct its name.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TopicError(f"Taxonomy {file} is not valid TOML ({error}): correct it there.") from None
    for path, node in content.items():
        strange = set(node) - set(OF_A_CLASS) if isinstance(node, dict) else {path}
        if strange:
            raise TopicError(f"[{path}] in {file} has '{min(strange)}': write examples = [...] and sites = [...].")
    return content


def _listed_in(file: Path, folder: Path) -> list[str]:
    """The sites that a file lists: a line each, or by links."""
    if urls := urls_in(file):
        return urls
    page = document_of(file, folder)
    return [] if isinstance(page, Skipped) else sites_in(page)


def _texts(given: object, where: str) -> list[str]:
    if isinstance(given, list) and all(isinstance(entry, str) and entry for entry in given):
        return given
    raise TopicError(f'{where} is not a list of texts: write ["first", "second"].')


def _rows(file: Path, where: str) -> list[list[str]]:
    try:
        text = file.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise TopicError(
            f"'{file}' in {where} cannot be read ({error.strerror}): give a CSV with url,label lines."
        ) from None
    try:
        return list(csv.reader(text.replace("\0", "\ufffd").splitlines()))
    except csv.Error as error:
        raise TopicError(f"'{file}' in {where} is no CSV ({error}): write url,label lines.") from None

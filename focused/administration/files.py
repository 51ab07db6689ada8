"""A topic's own file and the tree beside it, changed without losing the comments somebody wrote there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit import TOMLDocument

from focused.errors import TopicError
from focused.examples.wanted import read_tree
from focused.topic import Topic, find, is_shipped, name_of

GOOD, REPORT = "good", "report"  # F-08: what the crawl goes by, and what is shown besides
TREE = "taxonomy.toml"
Placed = Callable[[str], str | None]  # the new path of a class; None: it goes


class TopicFile:
    """Change `content` and `tree`, then `save`."""

    def __init__(self, given: str) -> None:
        self.topic = Topic.load(given)
        if is_shipped(given):
            name = name_of(given)
            raise TopicError(
                f"Topic '{name}' came with the project and is not changed: make it yours with "
                f"`scrapy topics new {name} --copy {name}`."
            )
        self.path = Path(str(find(given)))
        self.content = tomlkit.parse(self.path.read_text("utf-8"))
        self.tree_path = self.folder / str(self.topic.taxonomy["tree"]) if "tree" in self.topic.taxonomy else None
        self.tree = _tree(self.tree_path)

    @property
    def folder(self) -> Path:
        return self.path.parent

    def table(self, name: str) -> Any:
        """A table of the topic's file, made if there is none."""
        return self.content.setdefault(name, tomlkit.table())

    def begin_tree(self) -> None:
        """A topic that has no tree gets one beside its file."""
        if self.tree_path is None:
            self.tree_path = self.folder / TREE
            if self.tree_path.exists():
                raise TopicError(f'{self.tree_path} is there but not used: write tree = "{TREE}" below [taxonomy].')
            self.table("taxonomy")["tree"] = TREE

    def marks(self, which: str = GOOD) -> list[str]:
        return [str(path) for path in self.content.get("taxonomy", {}).get(which, [])]

    def set_marks(self, which: str, paths: list[str]) -> None:
        """In the order given, each once. The list is changed where it stands, so its comments stay."""
        if not paths and not self.marks(which):
            return
        listed = self.table("taxonomy").setdefault(which, tomlkit.array())
        for path in self.marks(which):
            if path not in paths:
                listed.remove(path)
        for path in dict.fromkeys(paths):
            if path not in listed:
                listed.append(path)

    def place(self, placed: Placed) -> None:
        """Give classes other paths, or take them out; marks go with them."""
        self.tree = _replaced(self.tree, placed)
        for which in (GOOD, REPORT):
            marks = self.marks(which)
            for at, path in enumerate(marks):
                if (new := placed(path)) not in (None, path):
                    self.table("taxonomy")[which][at] = new
            self.set_marks(which, [new for path in marks if (new := placed(path)) is not None])

    def save(self) -> None:
        """The tree first: a mark must not name a class that is not there yet."""
        if self.tree_path is not None:
            write(self.tree_path, self.tree)
        write(self.path, self.content)


def write(path: Path, document: TOMLDocument) -> None:
    """Whole or not at all, and never what could not be read again."""
    text = tomlkit.dumps(document)
    tomllib.loads(text)
    write_text(path, text)


def write_text(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(text, "utf-8", newline="")
        new.replace(path)
    except OSError as error:
        raise TopicError(f"{path} cannot be written ({error.strerror}): make room, or change its rights.") from None


def _tree(path: Path | None) -> TOMLDocument:
    if path is None:
        return tomlkit.document()
    read_tree(path)  # says in one sentence what is wrong with it
    return tomlkit.parse(path.read_text("utf-8"))


def _replaced(old: TOMLDocument, placed: Placed) -> TOMLDocument:
    """tomlkit cannot rename a table: everything is put into a new document, in its old order."""
    new = tomlkit.document()
    for key, item in old.body:
        if key is None:
            new.add(item)
        elif (path := placed(key.key)) is not None:
            new.append(path, _copied(item))
        else:
            for note in _after_last(item):  # what stands above the next class
                new.add(note)
    return new


def _copied(table: Any) -> Any:
    fresh = tomlkit.table()
    if table.trivia.comment:
        fresh.comment(table.trivia.comment)
    for key, item in table.value.body:
        fresh.append(key, item) if key is not None else fresh.add(item)
    return fresh


def _after_last(table: Any) -> list[Any]:
    body = table.value.body
    last = max((at for at, (key, _) in enumerate(body) if key is not None), default=-1)
    return [item for _, item in body[last + 1 :]]

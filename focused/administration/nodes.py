"""Changes of a taxonomy: marks (F-04, F-08), classes and their examples (F-07).

Each function changes an open TopicFile and says what it did; nothing is on disk before `save`. A class is a path
("Recreation/Cycling"). The topic without a tree has the classes `relevant` and `other`, below [examples].
Differs: the root cannot be marked. The paper warns, but a crawl for everything has nothing to tell it from.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import tomlkit

from focused.administration.files import GOOD, REPORT, TopicFile
from focused.errors import TopicError
from focused.examples.files import files_of, is_url
from models.model import OTHER, RELEVANT, ModelError
from models.tree import Tree

ROOT = "/"


def classes_of(file: TopicFile) -> list[str]:
    """All classes of the tree, those without a table of their own among them."""
    return paths_of([str(path) for path in file.tree], str(file.tree_path or file.path))


def paths_of(paths: Sequence[str], where: str) -> list[str]:
    """Parents before children; refuses what is no path, or another spelling of one."""
    try:
        return Tree(paths).paths if paths else []
    except ModelError as error:
        raise TopicError(f"The tree in {where} cannot be used: {error}") from None


def is_at(path: str, above: str) -> bool:
    """Whether a class is the other one or below it."""
    return path == above or path.startswith(f"{above}/")


def mark(file: TopicFile, paths: Sequence[str], which: str = GOOD) -> list[str]:
    """Goodness is inherited: what is below a marked class needs no mark (F-04)."""
    if any(path.strip(ROOT) == "" for path in paths):
        raise TopicError("The root is everything there is: mark classes below it.")
    classes = classes_of(file)
    for path in paths:
        known(classes, path)
    before = file.marks(which)
    file.set_marks(which, [*before, *paths])
    said = [f"{path} is marked ({which})" for path in paths if path not in before]
    said += [f"{path} was marked before" for path in paths if path in before]
    return said + _warnings(classes, file.marks(which), which)


def unmark(file: TopicFile, paths: Sequence[str], which: str = GOOD) -> list[str]:
    before = file.marks(which)
    for path in paths:
        if path not in before:
            have = f"marked are {', '.join(before)}" if before else "nothing is marked"
            raise TopicError(f"'{path}' is not marked ({which}): {have}.")
    file.set_marks(which, [path for path in before if path not in paths])
    return [f"{path} is not marked any more ({which})" for path in paths] + _warnings(
        classes_of(file), file.marks(which), which
    )


def _warnings(classes: list[str], marks: list[str], which: str) -> list[str]:
    if which != GOOD:
        return []
    if not marks:
        return ["Warning: nothing is good any more; a crawl needs at least one mark"]
    if classes and all(any(is_at(path, good) for good in marks) for path in classes):
        return ["Warning: everything is good now, and a crawl has nothing to tell it from; mark fewer classes"]
    return []


def add(file: TopicFile, path: str, entries: Sequence[str]) -> list[str]:
    """Examples to a class; a class that is not there is made."""
    for entry in entries:
        check_entry(file, entry)
    is_new = not _is_side(path) and path not in classes_of(file)
    if is_new:
        file.begin_tree()
        file.tree.append(path, tomlkit.table())
        classes_of(file)  # refuses what is no path, or another spelling of one
    listed = _listed(file, path)
    fresh = [entry for entry in dict.fromkeys(entries) if entry not in listed]
    for entry in fresh:
        listed.append(entry)
    return [f"Class {path} is new"] * is_new + [f"{path}: examples added {len(fresh):,}, entries now {len(listed):,}"]


def move(file: TopicFile, what: str, to: str) -> list[str]:
    """A class with all below it under another one ("/": the root), or an example that a list names."""
    if what not in classes_of(file):
        return _move_example(file, what, to)
    parent = to.strip(ROOT)
    if parent:
        known(classes_of(file), parent)
    if is_at(parent, what):
        raise TopicError(f"'{what}' cannot be moved to '{to}', which is below it: name another class.")
    name = what.rpartition("/")[2]
    return _rename(file, what, f"{parent}/{name}" if parent else name)


def rename(file: TopicFile, path: str, name: str) -> list[str]:
    """Only the last name changes; to move is another thing."""
    if "/" in name or not name.strip():
        raise TopicError(f"'{name}' is no name of a class: give one without /, or move the class.")
    known(classes_of(file), path)
    above = path.rpartition("/")[0]
    return _rename(file, path, f"{above}/{name}" if above else name)


def _rename(file: TopicFile, old: str, new: str) -> list[str]:
    classes = classes_of(file)
    if new in classes:
        raise TopicError(f"There is a class '{new}' already: choose another name, or move the examples.")
    file.place(lambda path: new + path[len(old) :] if is_at(path, old) else path)
    classes_of(file)
    count = sum(is_at(path, old) for path in classes)
    return [f"{old} is {new} now" + (f", and what is below it ({count - 1:,})" if count > 1 else ""), *_let_go(file)]


def _let_go(file: TopicFile) -> list[str]:
    """A class that was nothing but what is below it is gone when that is; no mark may be left of it."""
    classes, said = classes_of(file), list[str]()
    for which in (GOOD, REPORT):
        marks = file.marks(which)
        if gone := [path for path in marks if path not in classes]:
            file.set_marks(which, [path for path in marks if path in classes])
            said += [f"{path} is gone, and its mark with it ({which})" for path in gone]
            said += _warnings(classes, file.marks(which), which)
    return said


def delete(file: TopicFile, what: str) -> list[str]:
    """A class with all below it, or one example."""
    classes = classes_of(file)
    if what not in classes:
        places = _places(file, what)
        for listed in places.values():
            listed.remove(what)
        return [f"{what} is no example of {', '.join(places)} any more"]
    gone = [path for path in classes if is_at(path, what)]
    file.place(lambda path: None if is_at(path, what) else path)
    return [f"Gone: {', '.join(gone)}", *(_let_go(file) or _warnings(classes_of(file), file.marks(), GOOD))]


def refine(file: TopicFile, path: str, name: str, entries: Sequence[str]) -> list[str]:
    """A new class below another; those of the entries that are its examples go down, the others are added."""
    known(classes_of(file), path)
    child = f"{path}/{name}"
    if "/" in name or child in classes_of(file):
        raise TopicError(f"'{name}' cannot be a new class below '{path}': give a name without / that is not there yet.")
    listed = file.tree.get(path, {}).get("examples", [])
    taken = [entry for entry in entries if entry in listed]
    for entry in taken:
        listed.remove(entry)
    return [*add(file, child, entries), f"taken from {path}: {len(taken):,}"]


def _move_example(file: TopicFile, entry: str, to: str) -> list[str]:
    places = _places(file, entry)
    if not _is_side(to):
        known(classes_of(file), to)
    for listed in places.values():
        listed.remove(entry)
    _listed(file, to).append(entry)
    return [f"{entry} moved from {', '.join(places)} to {to}"]


def lists_of(file: TopicFile, entry: str) -> dict[str, Any]:
    """The classes whose lists name an example, and the lists."""
    lists = {path: node.get("examples", []) for path, node in file.tree.items()}
    lists |= {side: file.content.get("examples", {}).get(side, []) for side in (RELEVANT, OTHER)}
    return {path: listed for path, listed in lists.items() if entry in listed}


def _places(file: TopicFile, entry: str) -> dict[str, Any]:
    found = lists_of(file, entry)
    if not found:
        raise TopicError(
            f"'{entry}' is neither a class nor an example of topic '{file.topic.name}': "
            f"see `scrapy topics show {file.topic.name}`."
        )
    return found


def _listed(file: TopicFile, path: str) -> Any:
    """The list of examples of a class, made if there is none."""
    if _is_side(path):
        return file.table("examples").setdefault(path, tomlkit.array())
    if path not in file.tree:  # a class that has others below it, but no table
        file.tree.append(path, tomlkit.table())
    table: Any = file.tree[path]
    return table.setdefault("examples", tomlkit.array())


def _is_side(path: str) -> bool:
    return path in (RELEVANT, OTHER)


def check_entry(file: TopicFile, entry: str) -> None:
    if not is_url(entry) and not files_of(entry, file.folder):
        raise TopicError(f"'{entry}' is neither a URL nor a file in {file.folder}: put it there, or correct it.")


def known(classes: Sequence[str], path: str) -> None:
    if path not in classes:
        near = get_close_matches(path, classes, 3, 0.5) or classes[:10]
        hint = f"did you mean {', '.join(near)}?" if near else "the topic has no tree yet, add classes first."
        raise TopicError(f"There is no class '{path}': {hint}")

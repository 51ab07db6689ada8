"""New topics: from words, from a taxonomy, or a copy of another one. Nothing is ever overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import tomlkit

from focused.administration.files import TREE, write
from focused.administration.nodes import paths_of
from focused.errors import TopicError
from focused.examples.files import is_url
from focused.examples.wanted import OF_A_CLASS, read_tree
from focused.topic import FILE, OWN_TOPICS, Topic, check_query, checked_seed, find

_NAME = re.compile(r"[^\W_][\w-]{0,63}")


def new_topic(name: str, query: str, seeds: Sequence[str], taxonomy: str = "") -> Path:
    """The file of a topic that was not there before."""
    folder = _new_folder(name)
    if not (query or taxonomy):
        raise TopicError(f"Topic '{name}' does not say what is wanted: add --query \"some words\".")
    if not taxonomy:
        check_query(query, "--query")
    if not seeds:
        raise TopicError(f"Topic '{name}' has nowhere to begin: add --seeds and some URLs.")
    content = tomlkit.document()
    if query:
        content["query"] = query
    content["seeds"] = [checked_seed(seed, "--seeds") for seed in seeds]
    if taxonomy:
        tree = _master(Path(taxonomy), folder)
        content["taxonomy"] = {"tree": TREE, "good": []}
        write(folder / TREE, tree)
    write(folder / FILE, content)
    return folder / FILE


def copy_topic(name: str, source: str) -> Path:
    """Another topic with all that lies beside its file."""
    file = find(source)
    if file.name != FILE:
        raise TopicError(f"'{source}' shares its folder with others: give a topic whose file is named {FILE}.")
    folder = _new_folder(name)
    _copy(find_folder(source), folder)
    return folder / FILE


def find_folder(given: str) -> Traversable:
    file = find(given)
    if isinstance(file, Path):
        return file.parent
    return resources.files("focused").joinpath("topics", given)


def _copy(source: Traversable, folder: Path) -> None:
    try:
        folder.mkdir(parents=True)
        for entry in source.iterdir():
            if entry.is_dir():
                _copy(entry, folder / entry.name)
            else:
                (folder / entry.name).write_bytes(entry.read_bytes())
    except OSError as error:
        raise TopicError(f"{folder} cannot be written ({error.strerror}): make room, or change its rights.") from None


def _new_folder(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise TopicError(f"'{name}' is no name of a topic: use letters, digits, - and _.")
    folder = OWN_TOPICS / name
    if folder.exists():
        raise TopicError(f"{folder} is there already and is not overwritten: choose another name, or remove it.")
    return folder


def _master(file: Path, folder: Path) -> Any:
    """A copy of a taxonomy whose files stay where they are (F-02): its entries are named from the new folder."""
    paths_of([*read_tree(file)], str(file))
    tree = tomlkit.parse(file.read_text("utf-8"))
    for node in tree.values():
        for key in OF_A_CLASS:
            for at, entry in enumerate(node.get(key, [])):
                if not is_url(entry):
                    node[key][at] = os.path.relpath(file.parent / entry, folder)
    return tree


def onward(name: str, has_tree: bool) -> str:
    """What to do next with a new topic: what it is still without comes first."""
    topic = Topic.load(name)
    if has_tree:
        return f"scrapy topics mark {name} CLASS"
    if topic.seeds or topic.search:
        return f"scrapy crawl topic -a topic={name}"
    web = f"; or scrapy crawl topic -a topic={name} -a web=sim:small,seed=1" if topic.sim else ""
    return f'write seeds = ["https://..."] in that file{web}'

"""What is wanted: a topic, read from one TOML file with its examples beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import tomlkit

from focused.errors import TopicError
from focused.urls import canonical
from models.text import says_something

OWN_TOPICS = Path("topics")
FILE = "topic.toml"
KNOWN = {"query", "seeds", "search", "examples", "taxonomy", "model", "sessions", "sim"}
# What the tables may say, and of what kind; that of [model] and [search] is known to those who read them.
SAID: dict[str, dict[str, type | tuple[type, ...]]] = {
    "examples": {
        **{f"{side}{kind}": list for side in ("relevant", "other") for kind in ("", "_sites", "_directories")},
        "labels": (str, list),
    },
    "taxonomy": {"tree": str, "good": list, "report": list},
    "sessions": {"file": str},
    "sim": {"topic": str, "seeds": int, "examples": str},
}
KINDS: dict[object, str] = {
    list: 'a list of texts: write ["first", "second"]',
    str: "a text: write it in quotes",
    (str, list): "a text: write it in quotes",
    int: "a whole number: correct it there",
}


@dataclass(slots=True, frozen=True)
class Topic:
    """Query, seeds and, where given, examples, taxonomy and the model's arguments."""

    name: str
    query: str = ""
    seeds: tuple[str, ...] = ()
    model: Mapping[str, Any] = field(default_factory=dict)
    sim: Mapping[str, Any] = field(default_factory=dict)  # where it lies on the simulated web
    examples: Mapping[str, Any] = field(default_factory=dict)
    taxonomy: Mapping[str, Any] = field(default_factory=dict)
    sessions: Mapping[str, Any] = field(default_factory=dict)  # recorded browsing: its file
    search: Mapping[str, Any] = field(default_factory=dict)  # seeds that search engines are to find: docs/catalogue.md
    folder: Path | None = None  # what the file names is beside it; None: the topic came out of an egg

    @classmethod
    def load(cls, given: str) -> Topic:
        """A path of a topic file or its folder, a folder of topics/, or the name of a shipped topic."""
        if not given:
            raise TopicError("No topic was given: add -a topic=NAME, one of " + _known_names() + ", or a topic.toml.")
        path = find(given)
        try:
            content = tomllib.loads(path.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise TopicError(f"Topic file {path} is not valid TOML ({error}): correct it there.") from None
        folder = path.parent if isinstance(path, Path) else None
        return replace(_checked(name_of(given), content, str(path)), folder=folder)

    @classmethod
    def of(cls, given: str, folder: Path, query: str = "") -> Topic:
        """Of the crawl in that folder. A topic without a file is its query, here or kept there by an earlier run."""
        if given and query and not is_known(given):
            return _checked(name_of(given), {"query": query}, "FOCUSED_QUERY")
        return cls.load(located(given, folder))


def name_of(given: str) -> str:
    """The short name: of topics/horses/topic.toml it is horses, of lists/boats.toml it is boats."""
    path = Path(given)
    if path.name == FILE:
        return path.absolute().parent.name
    return path.stem if path.suffix == ".toml" else path.name


def find(given: str) -> Path | Traversable:
    """The topic's file; a Traversable if it came out of an egg."""
    path = Path(given)
    for candidate in (path, path / FILE, OWN_TOPICS / given / FILE):
        if candidate.is_file():
            return candidate
    shipped = resources.files("focused").joinpath("topics", given, FILE)
    if "/" not in given and shipped.is_file():
        return shipped
    raise TopicError(
        f"Topic '{given}' was not found: give one of {_known_names()}, or the path of a topic.toml, "
        "or make it with `scrapy topics new`."
    )


def is_known(given: str) -> bool:
    """Whether there is a file of that topic."""
    try:
        return bool(find(given))
    except TopicError:
        return False


def located(given: str, folder: Path) -> str:
    """What to load: the topic as given, or, where there is none, what `keep` has left in the folder of its crawl."""
    own = _kept(given, folder)
    return str(own) if given and own.is_file() and not is_known(given) else given


def keep(given: str, folder: Path, query: str) -> None:
    """Into the crawl's folder: who asks about the crawl has its name, not the spider that had the query."""
    if given and query and not is_known(given):
        _kept(given, folder).write_text(tomlkit.dumps({"query": query}), "utf-8")


def _kept(given: str, folder: Path) -> Path:
    return folder / f"{name_of(given)}.toml"  # the crawl may have another name than the topic


def names() -> dict[str, bool]:
    """The topics that can be given by name, and whether they are the user's own."""
    shipped = {entry.name for entry in resources.files("focused").joinpath("topics").iterdir() if entry.is_dir()}
    own = {path.parent.name for path in OWN_TOPICS.glob(f"*/{FILE}")}
    return {name: name in own for name in sorted((shipped | own) - {"__pycache__"})}


def is_shipped(given: str) -> bool:
    """Whether the topic came with the project; such a file is not to be changed."""
    path = find(given)
    home = resources.files("focused")
    return not isinstance(path, Path) or not isinstance(home, Path) or path.absolute().is_relative_to(home.absolute())


def _known_names() -> str:
    return ", ".join(names())


def _checked(name: str, content: dict[str, Any], where: str) -> Topic:
    for key in content.keys() - KNOWN:
        raise TopicError(f"'{key}' in {where} is not known: use some of {', '.join(sorted(KNOWN))}.")
    if not any(content.get(key) for key in ("query", "examples", "taxonomy")):
        raise TopicError(f'{where} does not say what is wanted: add query = "some words".')
    tables: dict[str, Any] = {}
    for key in ("model", "sim", "examples", "taxonomy", "sessions", "search"):
        tables[key] = content.get(key, {})
        if not isinstance(tables[key], dict):
            raise TopicError(f"'{key}' in {where} must be a table: write [{key}] above its lines.")
        _check_table(tables[key], key, where)
    query = content.get("query", "")
    if not isinstance(query, str):
        raise TopicError(f'query in {where} is not a text: write query = "some words".')
    return Topic(name, query, _seeds(content.get("seeds", []), where), **tables)


def _check_table(table: dict[str, Any], name: str, where: str) -> None:
    """What is spelt wrong would go unnoticed: the crawl would go by something else."""
    said = SAID.get(name, {})
    for key, value in table.items() if said else ():
        if key not in said:
            known = ", ".join(sorted(said))
            raise TopicError(f"'{key}' in [{name}] of {where} is not known: use some of {known}.")
        if not isinstance(value, said[key]):
            raise TopicError(f"{key} = {value!r} in [{name}] of {where} is not {KINDS[said[key]]}.")
    if name == "sim" and table and "topic" not in table:
        raise TopicError(f'[sim] in {where} has no topic: write topic = "recreation/cycling", or one of yours.')


def check_query(query: str, where: str) -> None:
    """Where pages are judged by the query: words that every page has, or none, tell no page from another."""
    if not says_something(query):
        raise TopicError(f"{where} is '{query}', which has no telling word: add words that only the topic has.")


def _seeds(given: object, where: str) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise TopicError(f'seeds in {where} is not a list: write seeds = ["https://..."].')
    return tuple(checked_seed(seed, where) for seed in given)


def checked_seed(seed: object, where: str) -> str:
    """A seed in canonical form."""
    url = canonical(seed) if isinstance(seed, str) else None
    if url is None:
        raise TopicError(f"Seed {seed!r} in {where} is not an http(s) URL: write it as https://host/path.")
    return url

"""Files that travel together: a topic with what it names beside it, a trained model, what an ordering reads."""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from focused.errors import StoreError, TopicError
from focused.examples.files import files_of, is_url
from focused.topic import FILE, Topic, find
from focused.training.fitting import MODEL
from models.saved import MANIFEST

MOST_BYTES = 512 * 1024**2  # of one bundle; half of what PostgreSQL takes as one value


@dataclass(frozen=True, slots=True)
class Bundle:
    """Content by place; known by it."""

    files: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        whole = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            whole.update(f"{len(name)} {name} {len(content)} ".encode() + content)
        return whole.hexdigest()

    def packed(self) -> bytes:
        if sum(map(len, self.files.values())) > MOST_BYTES:
            raise StoreError(
                f"The {len(self.files)} files of a topic are more than {MOST_BYTES // 1024**2} MiB, too many to be "
                "shared: train the model, and take the examples out of the topic."
            )
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in sorted(self.files.items()):
                packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return buffer.getvalue()

    @classmethod
    def unpacked(cls, content: bytes, digest: str) -> Bundle:
        """Refuses what is not what it says it is, and places outside of the bundle's folder."""
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = packed.infolist()
            is_sound = sum(entry.file_size for entry in entries) <= MOST_BYTES and all(map(_is_inside, entries))
            bundle = cls({entry.filename: packed.read(entry) for entry in entries} if is_sound else {})
        if bundle.digest != digest:
            raise StoreError(
                "What the crawl's store holds of its topic or model is damaged: give another FOCUSED_CRAWL."
            )
        return bundle

    def written(self, folder: Path) -> Path:
        """A folder with the files, made once for each content: whole, or not there."""
        place = folder / self.digest[:16]
        try:
            return place if place.is_dir() else self._write(folder, place)
        except OSError as error:
            raise StoreError(f"{folder} cannot be written ({error.strerror}): give another FOCUSED_DATA_DIR.") from None

    def _write(self, folder: Path, place: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".", dir=folder))
        for name, content in self.files.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).write_bytes(content)
        try:
            return draft.rename(place)
        except OSError:
            shutil.rmtree(draft)
            if place.is_dir():  # another worker of this folder was quicker
                return place
            raise


def _is_inside(entry: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(entry.filename)
    return not path.is_absolute() and ".." not in path.parts


def of_model(folder: Path) -> Bundle | None:
    """What was trained for the crawl of this folder; None: nothing."""
    if not (folder / MODEL / MANIFEST).is_file():
        return None
    files = sorted(path for path in (folder / MODEL).iterdir() if path.is_file() and not path.name.startswith("."))
    return Bundle({f"{MODEL}/{path.name}": path.read_bytes() for path in files})


def of_ordering(named: Mapping[str, str]) -> Bundle | None:
    """Files, and those in folders, that an ordering's arguments name; None: none of them is here."""
    files: dict[str, Path] = {}
    for argument, given in named.items():
        path, place = Path(given), place_of(argument, given)
        files |= {f"{place}/{file.name}": file for file in path.iterdir()} if path.is_dir() else {place: path}
    found = {place: path.read_bytes() for place, path in files.items() if path.is_file()}
    return Bundle(found) if found else None


def place_of(argument: str, given: str) -> str:
    """Where such a file lies differs from machine to machine; what it is for, and its own name, do not."""
    return f"{argument}/{Path(given).name}"


def of_topic(given: str) -> tuple[Bundle, Bundle] | None:
    """The topic with what a crawl goes by, and what its model was learned from; None: it is not here.

    Files outside of the topic's folder stay where they are.
    """
    try:
        path = find(given)
    except TopicError:
        return None
    topic, content = Topic.load(given), path.read_bytes()
    named = {f"{topic.name}/{FILE}": content}
    if topic.folder is None:
        return Bundle(named), Bundle({})
    learned = _examples(topic)
    for file in _named([topic.sessions, topic.search, topic.taxonomy.get("tree", [])], topic.folder):
        learned.pop(file, None)
        named |= _placed(topic, [file])
    return Bundle(named), Bundle(_placed(topic, learned))


def _examples(topic: Topic) -> dict[Path, None]:
    """Also those that a taxonomy or a list of labels names; what is wrong with them is told when they are read."""
    assert topic.folder is not None
    found = dict.fromkeys(_named(topic.examples, topic.folder))
    for tree in _named([topic.taxonomy.get("tree", [])], topic.folder):
        found |= dict.fromkeys(_named(_content(tree), topic.folder))
    for labels in _named([topic.examples.get("labels", [])], topic.folder):
        rows = csv.reader(labels.read_text("utf-8", "replace").replace("\0", "").splitlines())
        found |= dict.fromkeys(_named([row[0].strip() for row in rows if row], topic.folder))
    return found


def _content(tree: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(tree.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}


def _named(given: object, folder: Path) -> Iterator[Path]:
    """The files that texts somewhere in a table mean."""
    if isinstance(given, Mapping):
        given = list(given.values())
    if isinstance(given, list):
        for value in given:
            yield from _named(value, folder)
    elif isinstance(given, str) and given and not is_url(given):
        yield from files_of(given, folder)


def _placed(topic: Topic, files: Iterable[Path]) -> dict[str, bytes]:
    assert topic.folder is not None
    inside = [file for file in files if file.resolve().is_relative_to(topic.folder.resolve())]
    return {f"{topic.name}/{_place(file, topic.folder)}": file.read_bytes() for file in inside}


def _place(file: Path, folder: Path) -> str:
    return file.resolve().relative_to(folder.resolve()).as_posix()

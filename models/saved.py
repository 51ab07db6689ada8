"""A trained model in a folder: a manifest in JSON and arrays in npz; never pickle, which would run what it reads.

The arrays' file is named after its content and the manifest names it, so replacing the manifest is the one step
that counts: a reader finds the old model or the new one, whenever the writer dies.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from models.model import ModelFileError

if TYPE_CHECKING:
    from models.text import Vocabulary

FORMAT = 1
MANIFEST = "manifest.json"
LIBRARIES = ("numpy", "scipy", "scikit-learn")


class Saved(NamedTuple):
    """What a model must keep: terms by name, never by id."""

    kind: str
    facts: dict[str, Any]  # JSON
    arrays: dict[str, NDArray[Any]]

    def require(self, kind: str, facts: Iterable[str], arrays: Iterable[str]) -> None:
        """Refuse what another kind of model kept, and what lacks a part."""
        if self.kind != kind:
            raise ModelFileError(f"The kept model is of kind '{self.kind}', not '{kind}': train it again.")
        missing = [name for name in facts if name not in self.facts] + [n for n in arrays if n not in self.arrays]
        if missing:
            raise ModelFileError(f"The kept model of kind '{kind}' lacks {', '.join(missing)}: train it again.")


class Kept:
    """A model that is made of nothing but what it keeps: a new one and one that was read are made alike."""

    def __init__(self, vocabulary: Vocabulary, saved: Saved) -> None:
        self._saved = saved

    def saved(self) -> Saved:
        return self._saved

    @classmethod
    def restored(cls, vocabulary: Vocabulary, saved: Saved) -> Self:
        return cls(vocabulary, saved)


def write(folder: Path, saved: Saved, training: Mapping[str, Any]) -> None:
    """Keep a model and how it was trained (data hash, metrics …); an older one in the folder is replaced at once."""
    packed = _packed(saved.arrays)
    digest = hashlib.sha256(packed).hexdigest()
    name = f"model-{digest[:16]}.npz"
    manifest = {
        "kind": saved.kind,
        "format": FORMAT,
        "arrays": {"file": name, "sha256": digest},
        "libraries": {library: version(library) for library in LIBRARIES},
        "training": dict(training),
        "facts": saved.facts,
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False, allow_nan=False)
    folder.mkdir(parents=True, exist_ok=True)
    _replace(folder / name, packed)
    _replace(folder / MANIFEST, text.encode())
    for path in folder.glob("model-*.npz"):
        if path.name != name:
            path.unlink(missing_ok=True)


def read(folder: Path) -> tuple[Saved, dict[str, Any]]:
    """The model in a folder and how it was trained; refuses what it cannot be sure of."""
    manifest = _manifest(folder)
    try:
        kind, facts, training = manifest["kind"], manifest["facts"], manifest["training"]
        name, digest = manifest["arrays"]["file"], manifest["arrays"]["sha256"]
        path = folder / Path(name).name
    except (KeyError, TypeError) as error:
        raise ModelFileError(f"{folder / MANIFEST} is incomplete ({error}): train the model again.") from None
    return Saved(kind, facts, _arrays(path, digest)), training


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ModelFileError(f"There is no trained model in {folder}: train one first.") from None
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path} cannot be read ({error}): train the model again.") from None
    if not isinstance(manifest, dict):
        raise ModelFileError(f"{path} is no manifest of a model: train the model again.")
    if manifest.get("format") != FORMAT:
        known = manifest.get("format")
        raise ModelFileError(f"{path} has format {known!r}, this version reads {FORMAT}: train the model again.")
    return manifest


def _arrays(path: Path, digest: str) -> dict[str, NDArray[Any]]:
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read ({error.strerror}): train the model again.") from None
    if hashlib.sha256(packed).hexdigest() != digest:
        raise ModelFileError(f"{path} was changed or is not whole: train the model again.")
    try:
        with np.load(io.BytesIO(packed), allow_pickle=False) as content:
            return {name: content[name] for name in content.files}
    except (OSError, ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ModelFileError(f"{path} holds no arrays ({error}): train the model again.") from None


def _packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """An npz without dates: the same model gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with packed.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)
    return buffer.getvalue()


def _replace(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)

"""Train a kind of model, measure it, keep it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focused.errors import StoreError
from focused.examples import Examples
from focused.training.kinds import Kind
from focused.training.quality import Quality, doubtful, quality_of
from focused.training.validation import Held, Told, cross_validate
from models.model import Trained
from models.saved import write

MODEL = "model"  # in the crawl's folder


@dataclass(slots=True, frozen=True)
class Training:
    """A trained model and how good it is."""

    kind: Kind
    model: Trained
    quality: Quality
    doubtful: list[Held]
    seconds: float  # of one fit with all examples


def train(kind: Kind, examples: Examples, told: Told) -> Training:
    """With all examples; measured by folds."""
    begun = time.process_time()
    model = kind.fit(examples)
    seconds = time.process_time() - begun
    validation = cross_validate(kind, examples, told)
    return Training(kind, model, quality_of(validation), doubtful(validation.held), seconds)


def keep(kind: Kind, model: Trained, examples: Examples, folder: Path, quality: Quality | None = None) -> Path:
    """In the crawl's folder, with what it was trained on."""
    training: dict[str, Any] = {
        "model": kind.name,
        "arguments": kind.arguments,
        "data_hash": examples.fingerprint(),
        "examples": dict(examples.counts()),
        "skipped": len(examples.skipped),
        "metrics": quality.facts() if quality else None,
    }
    try:
        write(folder / MODEL, model.saved(), training)
    except OSError as error:
        raise StoreError(f"{folder / MODEL} cannot be written ({error.strerror}): give another one.") from None
    return folder / MODEL

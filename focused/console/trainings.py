"""Training in the background, and how far it is."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings
from starlette.exceptions import HTTPException
from starlette.requests import Request

from focused.console.advice import settings_of
from focused.console.crawls import Shared, shared
from focused.errors import FocusedError
from focused.evaluate.wording import moment
from focused.examples import gather
from focused.page import PageReader
from focused.topic import Topic
from focused.training.fitting import MODEL, Training, keep, train
from focused.training.kinds import BY_EXAMPLES, kind_of
from models.saved import MANIFEST
from models.text import Vocabulary

FIGURES = {"precision": "precision", "recall": "recall", "f": "F"}


@dataclass(slots=True)
class Job:
    """Hears what gathering and training tell."""

    what: str = "gathering examples"
    done: int = 0
    total: int = 0
    said: str = ""  # when it has ended
    is_wrong: bool = False

    def __call__(self, what: str, done: int, total: int) -> None:
        self.what, self.done, self.total = what, done, total


def begin(request: Request, topic: Topic) -> str:
    """One training of a topic at a time."""
    given = shared(request)
    job = given.jobs.get(topic.name)
    if job and not job.said:
        raise HTTPException(409, f"Topic '{topic.name}' is being trained already: wait for it.")
    job = given.jobs[topic.name] = Job()
    work = (given, topic, settings_of(request, topic), job)
    threading.Thread(target=_run, args=work, name=f"train {topic.name}", daemon=True).start()
    return "Training has begun."


def _run(given: Shared, topic: Topic, settings: BaseSettings, job: Job) -> None:
    """Whatever happens, the job ends with a sentence."""
    try:
        job.said = _trained(given, topic, settings, job)
    except FocusedError as error:
        job.said, job.is_wrong = str(error), True
    except Exception as error:
        job.said, job.is_wrong = f"The training failed: {type(error).__name__}: {error}", True
        raise


def _trained(given: Shared, topic: Topic, settings: BaseSettings, job: Job) -> str:
    own, folder = kind_of(settings, topic), given.data / topic.name
    kind = own if own.needs_examples else kind_of(settings, topic, BY_EXAMPLES)
    examples = gather(settings, topic, PageReader(Vocabulary()), folder, job)
    training = train(kind, examples, job)
    path = keep(kind, training.model, examples, folder, training.quality)
    return f"{_figures(training)} of {len(examples.pages):,} examples. Kept in {path}/. {training.quality.note}".strip()


def _figures(training: Training) -> str:
    quality = training.quality
    return f"Trained: {training.kind.name}{_validated(quality.facts() if quality.pages else None)}"


def _validated(metrics: Mapping[str, Any] | None) -> str:
    if not metrics or not metrics["pages"]:
        return ""
    figures = ", ".join(f"{words} {metrics[name]:.3f}" for name, words in FIGURES.items())
    return f", {figures} by {metrics['folds']}-fold cross-validation"


def kept(folder: Path) -> str:
    """What is known of the model of an earlier training; empty if there is none."""
    file = folder / MODEL / MANIFEST
    try:
        training, at = json.loads(file.read_bytes())["training"], file.stat().st_mtime
        examples = sum(training["examples"].values())
        return f"{training['model']}{_validated(training['metrics'])} of {examples:,} examples, trained {moment(at)}."
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""

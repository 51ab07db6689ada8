"""Crawls that were run before, found again by everything that decides how a crawl goes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from focused.evaluate.fingerprint import CRAWL, fingerprint
from focused.evaluate.runs import Job, Run, Task, run_tasks
from focused.evaluate.shelf import Key, Shelf
from focused.topic import Topic

Told = Callable[[Task, Run], None]


@dataclass(slots=True, frozen=True)
class Archive:
    shelf: Shelf
    orderings: Mapping[str, str]  # short name → import path
    models: Mapping[str, str]
    settings: Mapping[str, Any]  # of every crawl

    @classmethod
    def of(cls, folder: Path, settings: Mapping[str, Any]) -> Archive:
        """Kept in a folder; `settings` are the project's."""
        orderings, models = (dict(settings[name]) for name in ("FOCUSED_ORDERINGS", "FOCUSED_MODELS"))
        ours = {name: settings[name] for name in settings if name.startswith("FOCUSED_")}
        values = {name: value for name, value in ours.items() if not isinstance(value, Mapping)}
        return cls(Shelf(folder), orderings, models, values)

    def run(self, tasks: Sequence[Task], at_once: int, told: Told) -> dict[Task, Run]:
        """What is known, and the rest run; `told` hears of each that had to be run."""
        known = {task: self.get(task) for task in tasks}
        done = {task: run for task, run in known.items() if run is not None}
        missing = [task for task in known if task not in done]
        for folder in {plan.folder for plan, _ in missing}:
            shutil.rmtree(folder, ignore_errors=True)  # what was broken off must not be resumed under another's name
            folder.mkdir(parents=True)
        with closing(run_tasks(missing, at_once)) as ended:
            for task, run in ended:
                done[task] = run
                if not run.error:
                    self.shelf.put(self.key_of(task), asdict(run))
                told(task, run)
        return done

    def get(self, task: Task) -> Run | None:
        kept = self.shelf.get(self.key_of(task))
        return None if kept is None else Run(**kept)

    def key_of(self, task: Task) -> Key:
        plan, job = task
        topic = Topic.load(plan.topic)
        return {
            "topic": _plain(asdict(topic)),
            "web": stamp_of(plan.web),
            "crawl": [plan.pages, plan.is_strict, *plan.settings, *([plan.judges.name] if plan.judges else [])],
            "ordering": [job.entry.ordering, job.entry.arguments, job.seed],
            "settings": _plain(self.settings),
            "code": fingerprint(*CRAWL, *self._modules(plan.judge or topic.model.get("kind", "similarity"), job)),
        }

    def _modules(self, model: str, job: Job) -> list[str]:
        """Those of the ordering and of the model, which are loaded by name."""
        ordering = job.entry.ordering
        paths = (self.orderings.get(ordering, ordering), self.models.get(model, model))
        return [path.rpartition(".")[0] for path in paths]


def stamp_of(web: str) -> list[str | int]:
    """A web's name and, if it is a file, its size and when it was written.

    >>> stamp_of("sim:small,seed=1")
    ['sim:small,seed=1']
    """
    path = Path(web.partition(":")[2])
    if not path.exists():
        return [web]
    facts = path.stat()
    return [web, facts.st_size, facts.st_mtime_ns]


def _plain(value: Any) -> Any:
    """As JSON has it: tuples are lists, what it does not know is text."""
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value if isinstance(value, str | int | float | None) else str(value)

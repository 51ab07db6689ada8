"""Crawls run for a comparison: each in a process of its own, some at a time, and what is read from them afterwards."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from focused.errors import FocusedError, SettingError
from focused.evaluate.websites import relevant_sites
from focused.evaluate.wording import clean
from focused.store.queries import EXPORT_COLUMNS, Reading
from focused.timing import JUDGING, ORDERING
from focused.topic import Topic
from focused.training.fitting import MODEL

POLL = 0.05  # seconds
LOG_TAIL = 64 * 1024  # bytes at the end of a log that are looked at
ORACLE = "oracle"
DATABASE = "crawl.db"


class Entry(NamedTuple):
    """An ordering as it was named, such as best_first:on=anchor;n=4."""

    name: str
    ordering: str
    arguments: str  # on=anchor,n=4


class Job(NamedTuple):
    entry: Entry
    seed: int


@dataclass(slots=True, frozen=True)
class Plan:
    """What all crawls of a comparison share."""

    topic: str
    web: str
    pages: int
    folder: Path  # where their own folders are
    is_strict: bool = True
    settings: tuple[str, ...] = ()  # NAME=VALUE, as given to the command
    keep: bool = False  # the folders of crawls that went well
    judge: str = ""  # kind of the models that were made for these crawls beforehand; empty: each has the topic's own
    judges: Path | None = None  # where they are, each below the number of its seed set

    def judged_by(self, kind: str, folder: Path) -> Plan:
        return replace(self, judge=kind, judges=folder)


@dataclass(slots=True, frozen=True)
class Run:
    """What one crawl did; with an error nothing else counts."""

    urls: list[str] = field(default_factory=list)  # of the pages, in order
    judged: list[bool] = field(default_factory=list)  # relevant to the model that steered; the oracle has none
    pages_per_second: float = 0.0
    cpu_ms_per_page: float = 0.0  # from the moment its database was there: without the start of the process
    error: str = ""
    relevance: list[float] = field(default_factory=list)  # as that model saw it
    depths: list[int] = field(default_factory=list)  # links from a seed
    verdicts: dict[str, bool] = field(default_factory=dict)  # of sites, as the crawl judged them
    judges_sites: bool = False  # as a whole; otherwise a verdict is that of most of the pages
    ordering_share: float = 0.0  # of the processor's time: weights, hubs, choices
    judging_share: float = 0.0  # the same for the page model
    rendering_share: float = 0.0  # of the time by the clock, in a browser


Told = Callable[[Job, Run], None]
Task = tuple[Plan, Job]


def entries_of(given: str) -> list[Entry]:
    """
    >>> entries_of("breadth_first, best_first:on=anchor;n=4")[1]
    Entry(name='best_first:on=anchor;n=4', ordering='best_first', arguments='on=anchor,n=4')
    """
    entries: dict[str, Entry] = {}
    for name in filter(None, (part.strip() for part in given.split(","))):
        ordering, _, arguments = name.partition(":")
        if name in entries:
            raise SettingError(f"--orderings names '{name}' twice: name each once.")
        if name != ORACLE:  # it is always among them
            entries[name] = Entry(name, ordering.strip(), arguments.replace(";", ","))
    if not entries:
        raise SettingError("--orderings names none: give some, such as best_first,breadth_first.")
    return list(entries.values())


def run_all(plan: Plan, jobs: Sequence[Job], at_once: int, told: Told) -> dict[Job, Run]:
    """Run every job, at most `at_once` at a time; `told` hears of each that ended, whatever became of it."""
    shutil.rmtree(plan.folder, ignore_errors=True)
    plan.folder.mkdir(parents=True)
    done: dict[Job, Run] = {}
    with closing(run_tasks([(plan, job) for job in jobs], at_once)) as ended:
        for (_, job), run in ended:
            done[job] = run
            told(job, run)
    if not any(plan.folder.iterdir()):
        plan.folder.rmdir()
    return done


def run_tasks(tasks: Sequence[Task], at_once: int) -> Generator[tuple[Task, Run], None, None]:
    """Each task with what became of it, as they end; the folders must be there. Close it to end what still runs."""
    waiting, running = list(reversed(tasks)), dict[Task, Process]()
    # Half of a short crawl would be spent on compiling the same modules again where no bytecode may be written, and
    # on training the same model again for another ordering.
    with TemporaryDirectory(prefix="focused-") as shared:
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    task = waiting.pop()
                    running[task] = Process(*task, len(tasks) - len(waiting), Path(shared))
                for task in [task for task, process in running.items() if process.has_ended()]:
                    yield task, running.pop(task).read()
                time.sleep(POLL)
        finally:
            for process in running.values():
                process.kill()


class Process:
    """One crawl while it runs."""

    def __init__(self, plan: Plan, job: Job, number: int, shared: Path) -> None:
        safe = re.sub(r"[^\w.-]+", "-", job.entry.name)[:80]
        self._folder = plan.folder / f"{number:03}-{safe}-seed-{job.seed}"
        self._log = self._folder.with_suffix(".log")
        self._plan = plan
        self._status = 0
        self._cpu = 0.0  # seconds from the beginning of the crawl to its end
        self._cpu_before: float | None = None
        made = plan.judges / str(job.seed) / MODEL if plan.judges else None
        self._model = made or shared / f"model-{_digest(plan)}"
        if self._model.is_dir():
            shutil.copytree(self._model, self._folder / MODEL)
        with self._log.open("wb") as log:
            self._child = subprocess.Popen(
                _command(plan, job, self._folder),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(shared)},
            )

    def has_ended(self) -> bool:
        if self._cpu_before is None and (self._folder / DATABASE).exists():
            self._cpu_before = _cpu_seconds(self._child.pid)
        pid, status, usage = os.wait4(self._child.pid, os.WNOHANG)
        if pid:
            self._status = self._child.returncode = os.waitstatus_to_exitcode(status)
            self._cpu = usage.ru_utime + usage.ru_stime - (self._cpu_before or 0.0)
        return bool(pid)

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()

    def read(self) -> Run:
        """The result; folder and log stay only where somebody may want to look at them."""
        run = Run(error=self._last_words()) if self._status else self._read()
        if not run.error:
            self._log.unlink()
            self._share_model()
        if not run.error and not self._plan.keep:
            shutil.rmtree(self._folder, ignore_errors=True)
        return run

    def _share_model(self) -> None:
        """What was trained for this topic on this web serves the crawls to come; one made of words is not kept."""
        if not self._model.exists() and (self._folder / MODEL).is_dir():
            shutil.copytree(self._folder / MODEL, self._model)

    def _read(self) -> Run:
        try:
            with Reading(self._folder / DATABASE) as reading:
                pages = [dict(zip(EXPORT_COLUMNS, row, strict=True)) for row in reading.pages()]
                summary, posteriors, meta = reading.summary(), reading.site_verdicts(), reading.meta()
        except FocusedError as error:
            return Run(error=str(error))
        if not pages:
            return Run(error="no page was fetched")
        seconds = (summary.finished or 0.0) - (summary.started or 0.0)
        return Run(
            urls=[page["url"] for page in pages],
            judged=[page["relevant"] == 1 for page in pages],
            relevance=[page["relevance"] or 0.0 for page in pages],
            depths=[page["depth"] for page in pages],
            verdicts=relevant_sites({page["url"]: page["relevant"] == 1 for page in pages}) | posteriors,
            judges_sites=bool(posteriors),
            pages_per_second=len(pages) / seconds if seconds > 0 else 0.0,
            cpu_ms_per_page=1000 * self._cpu / len(pages),
            ordering_share=_share(meta, ORDERING),
            judging_share=_share(meta, JUDGING),
            rendering_share=_share(meta, "rendering", "seconds"),
        )

    def _last_words(self) -> str:
        """What it said was wrong, or its last line; the log has the rest."""
        tail = self._log.read_bytes()[-LOG_TAIL:].decode("utf-8", "replace").split("\n")
        lines = [line.strip() for line in tail if line.strip()] or [""]
        said = next((line for line in lines if line.startswith("Error: ")), lines[-1])
        how = f"killed by signal {-self._status}" if self._status < 0 else f"status {self._status}"
        return f"{clean(said.removeprefix('Error: '))} ({how}, {self._log})"


def _digest(plan: Plan) -> str:
    """Of all that a model is trained by."""
    told = f"{Topic.load(plan.topic)} {plan.web} {plan.settings}"
    return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()


def _share(meta: Mapping[str, Any], task: str, of: str = "cpu") -> float:
    total = float(meta.get(of) or 0.0)
    return float(meta.get(f"{of}_{task}") or 0.0) / total if total else 0.0


def _cpu_seconds(pid: int) -> float:
    """What a process has used so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _command(plan: Plan, job: Job, folder: Path) -> list[str]:
    arguments = {
        "topic": plan.topic,
        "web": plan.web,
        "ordering": job.entry.ordering,
        "ordering_args": job.entry.arguments,
        "max_pages": str(plan.pages),
    }
    settings = (
        *plan.settings,
        f"FOCUSED_SEED={job.seed}",
        f"FOCUSED_STRICT_ORDER={int(plan.is_strict)}",
        "FOCUSED_PROGRESS=0",
        "FOCUSED_STORE=",
        f"FOCUSED_DATA_DIR={folder.parent}",
        f"FOCUSED_CRAWL={folder.name}",
    )
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", "topic", *words, *(w for s in settings for w in ("-s", s))]

"""focused.evaluate.runs: crawls in processes of their own; whatever becomes of one, the others are heard."""

from __future__ import annotations

import doctest
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from focused.errors import SettingError
from focused.evaluate import runs
from focused.evaluate.runs import Entry, Job, Plan, Process, Run, entries_of, run_all


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(runs) == (0, 1)


def test_orderings_are_named_with_their_arguments() -> None:
    assert entries_of("a, b:x=1;y=2,my.module.Name,oracle,") == [
        Entry("a", "a", ""),
        Entry("b:x=1;y=2", "b", "x=1,y=2"),
        Entry("my.module.Name", "my.module.Name", ""),
    ]


@pytest.mark.parametrize(("given", "said"), [("", "names none"), ("oracle", "names none"), ("a,b,a", "'a' twice")])
def test_orderings_that_make_no_sense(given: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        entries_of(given)


def plan(folder: Path, **others: object) -> Plan:
    return Plan("cycling", "sim:small", 7, folder / "runs", **others)  # type: ignore[arg-type]


def test_the_crawl_is_told_everything(tmp_path: Path) -> None:
    words = runs._command(
        plan(tmp_path, settings=("A=1",)), Job(Entry("b:n=4", "b", "n=4"), 3), tmp_path / "runs" / "x"
    )
    assert words[:5] == [sys.executable, "-m", "scrapy", "crawl", "topic"]
    given = {words[n + 1] for n, word in enumerate(words) if word in ("-a", "-s")}
    assert given >= {"topic=cycling", "web=sim:small", "ordering=b", "ordering_args=n=4", "max_pages=7"}
    assert given >= {"A=1", "FOCUSED_SEED=3", "FOCUSED_STRICT_ORDER=1", "FOCUSED_CRAWL=x", "FOCUSED_STORE="}
    loose = runs._command(plan(tmp_path, is_strict=False), Job(Entry("b", "b", ""), 3), tmp_path / "x")
    assert "FOCUSED_STRICT_ORDER=0" in loose


PRETEND = """
import sys, time, signal, os
from pathlib import Path
from tests.focused.made_crawl import MadeCrawl
kind, folder = sys.argv[1], Path(sys.argv[2])
if kind in ("good", "trains", "again"):
    crawl = MadeCrawl(folder)
    model = folder / "model" / "manifest.json"
    if kind == "trains":
        model.parent.mkdir()
        model.write_text("trained")
    elif kind == "again":
        assert model.read_text() == "trained"
    for n in range(4):
        crawl.fetched(f"http://a.example/{n}", 0.9 if n < 3 else 0.1)
    crawl.note(started_at=100.0, stopped_at=102.0)
    crawl.save()
    sum(n * n for n in range(2_000_000))
elif kind == "mistake":
    print("Error: no such thing.", file=sys.stderr)
    print("and more")
    sys.exit(1)
elif kind == "crash":
    raise RuntimeError("\\x1b[31mboom")
elif kind == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
elif kind == "empty":
    MadeCrawl(folder).save()
elif kind == "slow":
    time.sleep(60)
"""


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of a crawl a script that does what the ordering's name says."""

    def command(_: Plan, job: Job, folder: Path) -> list[str]:
        return [sys.executable, "-c", PRETEND, job.entry.ordering, str(folder)]

    monkeypatch.setattr(runs, "_command", command)


def ran(folder: Path, *kinds: str, at_once: int = 2, **others: object) -> dict[str, Run]:
    heard: list[tuple[Job, Run]] = []
    jobs = [Job(Entry(kind, kind, ""), 0) for kind in kinds]
    done = run_all(plan(folder, **others), jobs, at_once, lambda job, run: heard.append((job, run)))
    assert dict(heard) == done and len(heard) == len(jobs)
    return {job.entry.name: run for job, run in done.items()}


@pytest.mark.usefixtures("pretend")
def test_a_crawl_is_read_and_measured(tmp_path: Path) -> None:
    run = ran(tmp_path, "good")["good"]
    assert run.urls == [f"http://a.example/{n}" for n in range(4)]
    assert run.judged == [True, True, True, False]
    assert run.relevance == [0.9, 0.9, 0.9, 0.1] and run.depths == [1] * 4
    assert run.verdicts == {"a.example": True}  # three of four pages
    assert run.pages_per_second == 2.0
    assert 5 < run.cpu_ms_per_page < 1000
    assert not run.error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("pretend")
def test_every_way_to_fail_is_said_and_nothing_else_suffers(tmp_path: Path) -> None:
    found = ran(tmp_path, "mistake", "crash", "killed", "empty", "nothing", "good")
    assert found["mistake"].error.startswith("no such thing. (status 1, ")
    assert found["crash"].error.startswith("RuntimeError: [31mboom (status 1, ")
    assert "(killed by signal 9, " in found["killed"].error
    assert found["empty"].error == "no page was fetched"
    assert "There is no crawl database" in found["nothing"].error
    assert len(found["good"].urls) == 4 and all(not run.urls for name, run in found.items() if name != "good")
    logs = sorted(path.name for path in (tmp_path / "runs").glob("*.log"))
    assert [name.split("-")[1] for name in logs] == ["mistake", "crash", "killed", "empty", "nothing"]


@pytest.mark.usefixtures("pretend")
def test_what_one_crawl_has_trained_the_next_finds_in_its_folder(tmp_path: Path) -> None:
    found = ran(tmp_path, "trains", "again", at_once=1)
    assert [run.error for run in found.values()] == ["", ""]
    assert ran(tmp_path, "again")["again"].error  # another comparison trains its own


@pytest.mark.usefixtures("pretend")
def test_crawls_are_kept_when_asked_for_and_those_of_before_are_gone(tmp_path: Path) -> None:
    (tmp_path / "runs" / "old").mkdir(parents=True)
    ran(tmp_path, "good", keep=True)
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["001-good-seed-0"]


@pytest.mark.usefixtures("pretend")
def test_what_still_runs_is_ended_when_somebody_interrupts(tmp_path: Path) -> None:
    children: list[int] = []
    jobs = [Job(Entry(kind, kind, ""), 0) for kind in ("slow", "good")]
    began = Process.__init__

    def begin(self: Process, *args: object) -> None:
        began(self, *args)  # type: ignore[arg-type]
        children.append(self._child.pid)

    def interrupt(job: Job, run: Run) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Process, "__init__", begin)
        run_all(plan(tmp_path), jobs, 2, interrupt)
    assert len(children) == 2
    for pid in children:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


@pytest.mark.usefixtures("pretend")
def test_so_many_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = set[int](), 0
    ended = Process.has_ended

    def count(self: Process) -> bool:
        nonlocal most
        running.add(id(self))
        most = max(most, len(running))
        if is_over := ended(self):
            running.discard(id(self))
        return is_over

    monkeypatch.setattr(Process, "has_ended", count)
    ran(tmp_path, "nothing", "empty", "good", "crash", at_once=2)
    assert most == 2


def test_cpu_of_a_process() -> None:
    before = runs._cpu_seconds(os.getpid())
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    assert 0.05 < runs._cpu_seconds(os.getpid()) - before < 0.5
    assert runs._cpu_seconds(2**22 + 1) == 0.0

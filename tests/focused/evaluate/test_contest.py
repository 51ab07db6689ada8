"""focused.evaluate.contest: who judges, what is noted, and every crawl in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from focused.evaluate import contest
from focused.evaluate.compare import Comparison
from focused.evaluate.contest import OF_LABELS, OF_MODEL, OF_OTHER, OF_WEB, WARNING, Ground, compete
from focused.evaluate.reach import Atlas, Rules
from focused.evaluate.runs import Entry, Job, Plan, Run
from focused.evaluate.truth import Labels
from focused.page import PageReader
from focused.topic import Topic
from focused.webs import Web, open_web
from models.similarity import Similarity
from models.text import Vocabulary
from tests.focused.evaluate.test_reach import HandMade, page

SIM = "sim:small,seed=1,pages=800"
QUERY = "bicycle"


class Quiet:
    """A watcher that writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def explored(self, seed: int, pages: int) -> None:
        self.heard.append(f"{seed}: {pages}")

    def crawled(self, job: Job, run: Run) -> None:
        self.heard.append(f"{job.entry.name} {job.seed}: {len(run.urls)}")


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every crawl fetches the first pages within reach, in that order, and finds all of them relevant."""

    def run_all(plan: Plan, jobs: Sequence[Job], at_once: int, told: Callable[[Job, Run], None]) -> dict[Job, Run]:
        done = {job: Run(["http://a/", "http://a/b"], [True, True], 10.0, 5.0) for job in jobs}
        for job, run in done.items():
            told(job, run)
        return done

    monkeypatch.setattr(contest, "run_all", run_all)


def ground(web: Web, topic: Topic, seeds: list[list[str]], labels: Labels | None = None, limit: int = 1000) -> Ground:
    vocabulary = Vocabulary()
    atlas = Atlas(web, PageReader(vocabulary), Similarity(vocabulary, QUERY), Rules(None))
    return Ground(topic, web, seeds, atlas, vocabulary, labels, limit)


def compared(on: Ground, watcher: Quiet | None = None) -> Comparison:
    plan = Plan(on.topic.name, "hand-made", 3, Path("nowhere"))
    return compete(plan, [Entry("one", "one", ""), Entry("two", "two", "")], on, watcher or Quiet(), 2)


def small() -> HandMade:
    return HandMade({"http://a/": page("/b", "/c"), "http://a/b": page("/"), "http://a/c": page()})


def test_without_truth_the_model_judges_and_it_is_said() -> None:
    made = compared(ground(small(), Topic("bikes", QUERY), [["http://a/"]]))
    assert made.truth == OF_MODEL and made.notes[0] == WARNING
    assert (made.reachable, made.reachable_relevant) == ([3], [2])  # c is empty
    assert {row.name for row in made.rows} == {"oracle", "one", "two"}


def test_labels_come_first() -> None:
    labels = Labels({"a/b": True, "a/x": True}, ["line 2: 'x' has no label"])
    made = compared(ground(small(), Topic("bikes", QUERY), [["http://a/"]], labels))
    assert made.truth == OF_LABELS and made.reachable_relevant == [1]
    assert [note.partition(":")[0] for note in made.notes] == [
        "Lines of the labels that were not used",
        "Labels of pages that cannot be reached",
        "Pages within reach without a label, which count as not relevant",
    ]
    assert made.contestants[0].stat("harvest").each == [0.5]


def test_the_web_judges_where_it_knows_the_topic() -> None:
    web = open_web(SIM)
    topic = Topic.load("cycling")
    seeds = web.seeds("recreation/cycling", 3, 0)
    made = compared(ground(web, topic, [seeds, seeds[1:]]))
    assert made.truth == OF_WEB and made.notes == []
    assert made.seeds == 2 and min(made.reachable_relevant) > 3
    unknown = compared(ground(web, Topic("unheard-of", QUERY), [seeds]))
    assert unknown.truth == OF_MODEL


def test_the_same_seeds_are_explored_once_and_noted() -> None:
    web, watcher = small(), Quiet()
    made = compared(ground(web, Topic("bikes", QUERY), [["http://a/"]] * 3), watcher)
    assert len(web.asked) == 3 and made.seeds == 3
    assert any(note.startswith("All seeds start from the same pages") for note in made.notes)
    assert watcher.heard == [f"{name} {seed}: 2" for seed in range(3) for name in ("one", "two")]


def test_a_web_too_large_to_explore_is_noted_and_what_crawls_found_is_within_reach() -> None:
    web = HandMade({"http://a/": page("/c", "/b", "/d"), "http://a/b": page("/")})
    web.answers |= {f"http://a/{name}": page() for name in "cd"}
    made = compared(ground(web, Topic("bikes", QUERY), [["http://a/"]], limit=2))
    assert any("Only the 2 pages nearest to the seeds were explored" in note for note in made.notes)
    assert list(made.cases[0].relevant) == ["http://a/", "http://a/c", "http://a/b"]
    assert made.contestants[0].area == 1.0


def test_another_judge_may_be_named() -> None:
    made = compared(replace(ground(small(), Topic("bikes", QUERY), [["http://a/"]]), other="svm"))
    assert made.truth == OF_OTHER.format("svm") and made.notes == []
    assert made.reachable_relevant == [2]  # as the atlas's model says


def test_another_judge_fills_in_for_labels() -> None:
    labels = Labels({"a/": False})
    made = compared(replace(ground(small(), Topic("bikes", QUERY), [["http://a/"]], labels), other="svm"))
    assert made.truth == "judged by labels, pages without one judged by a model that did not steer (svm)"
    assert made.reachable_relevant == [1] and made.notes == []


@pytest.mark.parametrize("labels", [None, Labels({"a/": True, "a/b": True})])
def test_what_the_model_has_learned_from_is_no_find(labels: Labels | None) -> None:
    on = ground(small(), Topic("bikes", QUERY), [["http://a/"]], labels)
    made = compared(replace(on, examples=frozenset(["http://a/b", "http://elsewhere/"])))
    assert made.reachable_relevant == [1]
    assert "Pages that the model that steers has learned from, which do not count: 1." in made.notes
    assert made.contestants[0].stat("relevant").each == [1.0]


def test_what_is_wrong_with_a_web_is_noted() -> None:
    web = small()
    web.faults = Counter(truncated=1, bad_url=1_200)  # type: ignore[attr-defined]
    made = compared(ground(web, Topic("bikes", QUERY), [["http://a/"]]))
    assert "The web has faults (bad_url 1,200, truncated 1); the rest of it was served." in made.notes

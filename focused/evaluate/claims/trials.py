"""The crawls of claims, run once: each on its own web, with its own topic file, and measured against the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from focused.evaluate.archive import Archive
from focused.evaluate.claims.claim import Results, Setup, Study
from focused.evaluate.claims.outcome import Outcome
from focused.evaluate.claims.starts import opened, seeds_of, sessions_file, topic_file, web_of
from focused.evaluate.fingerprint import fingerprint
from focused.evaluate.likeness import EXAMPLES, Terms, best_similarity, tf_idf
from focused.evaluate.runs import Job, Plan, Run, Task, entries_of
from focused.page import PageReader
from focused.topic import Topic
from focused.urls import key_of, site_of
from focused.webs import about
from models.text import Vocabulary, counted

CATALOGUE = "catalogue/"
Trial = tuple[Study, str, int]  # study, topic, number
Told = Callable[[Trial, Run], None]


@dataclass(slots=True)
class Trials:
    """What was run before comes from the archive; `errors` are those of crawls that failed."""

    archive: Archive
    folder: Path  # topic files, and crawls while they run
    at_once: int = 2
    errors: list[str] = field(default_factory=list)

    def known(self, studies: Iterable[Study]) -> Results:
        """Studies all of whose crawls have been run and measured."""
        found: dict[Study, Mapping[tuple[str, int], Outcome]] = {}
        for study in studies:
            outcomes = {trial[1:]: self._kept(trial) for trial in trials_of(study)}
            whole = {place: outcome for place, outcome in outcomes.items() if outcome is not None}
            if len(whole) == len(outcomes):
                found[study] = whole
        return found

    def missing(self, studies: Iterable[Study]) -> list[Trial]:
        """In such an order that crawls on the same web come together."""
        trials = [trial for study in studies for trial in trials_of(study) if self._kept(trial) is None]
        return sorted(trials, key=lambda trial: (web_of(trial[0].setup, trial[2]), trial[1]))

    def run(self, trials: Iterable[Trial], told: Told) -> None:
        tasks = {self.task_of(trial): trial for trial in trials}

        def ended(task: Task, run: Run) -> None:
            self._measured(tasks[task], run)
            told(tasks[task], run)

        for task, run in self.archive.run(list(tasks), self.at_once, ended).items():
            if not run.error and self._kept(tasks[task]) is None:  # run before, but not measured with this code
                self._measured(tasks[task], run)

    def task_of(self, trial: Trial) -> Task:
        study, topic, number = trial
        setup, folder = study.setup, self.folder / "topics"
        sessions = sessions_file(setup, topic, number, folder)
        path = topic_file(setup, topic, self._seeds(setup, topic, number), sessions, folder)
        plan = Plan(str(path), web_of(setup, number), setup.pages, self.folder / "runs", settings=setup.settings)
        return plan, Job(entries_of(study.ordering)[0], number)

    def _seeds(self, setup: Setup, topic: str, number: int) -> list[str]:
        """Seeds that have to be looked for are looked for once."""
        if not (setup.pairs or setup.screened or topic in setup.far):
            return []
        key = {
            "seeds": [web_of(setup, number), topic, number, setup.pairs, setup.screened and setup.starts],
            "code": fingerprint("focused.evaluate.claims.starts"),
        }
        found: list[str] | None = self.archive.shelf.get(key)
        if found is None:
            found = seeds_of(setup, topic, number)
            self.archive.shelf.put(key, found)
        return found

    def _kept(self, trial: Trial) -> Outcome | None:
        run = self.archive.get(self.task_of(trial))
        kept = None if run is None else self.archive.shelf.get(self._key(trial))
        return None if run is None or kept is None else Outcome(run, **kept)

    def _key(self, trial: Trial) -> dict[str, object]:
        return {
            "crawl": self.archive.key_of(self.task_of(trial)),
            "likeness": trial[0].setup.likeness,
            "code": fingerprint(__name__),
        }

    def _measured(self, trial: Trial, run: Run) -> None:
        study, topic, number = trial
        if run.error:
            self.errors.append(f"{study.ordering} on {topic}, seed {number}: {run.error}")
            return
        outcome = asdict(measured(run, study.setup, topic, number))
        del outcome["run"]
        self.archive.shelf.put(self._key(trial), outcome)


def trials_of(study: Study) -> list[Trial]:
    return [(study, topic, number) for topic, number in study.setup.trials]


def measured(run: Run, setup: Setup, topic: str, number: int) -> Outcome:
    """What the pages of a crawl really are."""
    web, path = opened(web_of(setup, number)), str(Topic.load(topic).sim["topic"])
    found = [about(web, url, path) for url in run.urls]
    outcome = Outcome(run, found, base_rate=web.count(path) / web.knobs.pages)
    if path.startswith(CATALOGUE):
        outcome.existing.update(Counter(map(site_of, web.pages_of(path))))
    else:
        outcome.websites.extend(sorted(web.websites(path).intersection(outcome.sites)))
    if setup.likeness:
        outcome.likeness.extend(_likeness(web_of(setup, number), path, run.urls))
    return outcome


def _likeness(spec: str, topic: str, urls: list[str]) -> list[float]:
    """m(p): the highest cosine with one of 50 pages on the topic, chosen by the hash of their URLs (B-27, B-28)."""
    web, vocabulary = opened(spec), Vocabulary()
    reader = PageReader(vocabulary)

    def terms(url: str) -> Terms:
        answer = web.fetch(url)
        return counted(reader.read(url, answer.body, answer.headers.get("Content-Type", ""), 200).judged_terms)

    pages = [terms(url) for url in urls]
    examples = [terms(url) for url in sorted(web.pages_of(topic), key=key_of)[:EXAMPLES]]
    found: list[float] = best_similarity(tf_idf(pages, vocabulary), tf_idf(examples, vocabulary)).tolist()
    return found

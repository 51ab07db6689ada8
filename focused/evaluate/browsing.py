"""Browsing for crawls of a collected web, made on what these crawls cannot come by.

A simulated reader walks over pages that no chain of links leads to from the seeds, and over no others: nothing that an
ordering has learned from is there to be found, and what counts is the same for all. Each seed set has a reader of its
own, who walks as the one of simulated webs does (focused.surfing).
"""

from __future__ import annotations

import hashlib
import random
import shutil
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np

from focused.evaluate.archive import stamp_of
from focused.evaluate.contest import Ground
from focused.evaluate.fingerprint import fingerprint
from focused.evaluate.runs import Job, Plan
from focused.page import Page, PageReader
from focused.sessions import Step, write
from focused.sessions.imports import text_of
from focused.surfing import LENGTH, TEMPTING, WALKS
from focused.topic import FILE, Topic
from focused.webs import about
from focused.webs.pages import PagesWeb
from models.similarity import Similarity
from models.text import Vocabulary

LEARNERS = frozenset(("hmm",))  # orderings that learn from browsing
SESSIONS = "sessions.jsonl"


def browsed(plan: Plan, job: Job, ground: Ground, folder: Path) -> Plan:
    """The plan of one crawl, with browsing if it needs some that the topic has not; what was made before is kept."""
    topic = ground.topic
    is_wanted = job.entry.ordering in LEARNERS and not topic.sessions and topic.folder is not None
    if not is_wanted or not isinstance(ground.web, PagesWeb):
        return plan
    place = folder / _digest(plan, job, ground) / topic.name
    if not (place / FILE).is_file():
        reached = frozenset(ground.atlas.reach(ground.seeds[job.seed], ground.limit).urls)
        unseen = [url for url in ground.web.urls() if url not in reached]
        steps = Reader(ground.web, topic, unseen).steps()
        if not any(step.relevant for step in steps):
            return plan  # nothing to learn from: the crawl says so
        _keep(topic, steps, place)
    return replace(plan, topic=str(place))


def _digest(plan: Plan, job: Job, ground: Ground) -> str:
    """Of all that decides what is browsed."""
    code = fingerprint(__name__, "focused.evaluate.reach")
    told = f"{stamp_of(plan.web)} {list(ground.seeds[job.seed])} {ground.limit} {ground.topic} {code}"
    return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()


def _keep(topic: Topic, steps: list[Step], place: Path) -> None:
    """The topic once more, with these sessions; its file comes last, so that it is not found before all is there."""
    assert topic.folder is not None
    shutil.copytree(topic.folder, place, ignore=lambda *_: [FILE], dirs_exist_ok=True)
    write(place / SESSIONS, steps)
    text = (topic.folder / FILE).read_text("utf-8")
    (place / FILE).write_text(f'{text}\n[sessions]\nfile = "{SESSIONS}"\n', "utf-8")


class Reader:
    """Walks over some pages of a collected web; the same way each time."""

    def __init__(self, web: PagesWeb, topic: Topic, pages: Collection[str]) -> None:
        self._web, self._subject = web, str(topic.sim["topic"])
        self._pages = list(pages)
        self._open = frozenset(pages)
        self._dice = random.Random(f"{self._subject} reader")
        vocabulary = Vocabulary()
        self._reader = PageReader(vocabulary)
        self._query = Similarity(vocabulary, topic.query)

    def steps(self) -> list[Step]:
        """As many as the surfer's at most; where walks soon come to an end, there are more of them."""
        relevant = [url for url in self._pages if about(self._web, url, self._subject)]
        steps: list[Step] = []
        for walk in range(WALKS * LENGTH if relevant else 0):
            steps += self._walk(self._dice.choice(self._pages if walk % 2 else relevant))
            if len(steps) >= WALKS * LENGTH:
                break
        return steps

    def _walk(self, url: str | None) -> list[Step]:
        steps: list[Step] = []
        referrer = ""
        while url is not None and len(steps) < LENGTH:
            page = self._reader.read(url, self._web.fetch(url).body)
            steps.append(Step(page.url, referrer, about(self._web, url, self._subject), text_of(page)))
            referrer, url = page.url, self._choose(page)
        return steps

    def _choose(self, page: Page) -> str | None:
        """One of the links that sound most like the query half of the time, else any; None: none leads on."""
        links = [number for number, link in enumerate(page.links) if link.url in self._open and link.url != page.url]
        similar = self._query.judge_spans(page.terms, page.starts, page.ends)[links]
        if self._dice.random() < 0.5 and similar.any():
            links = [links[place] for place in np.argsort(-similar, kind="stable")[:TEMPTING].tolist()]
        return page.links[self._dice.choice(links)].url if links else None

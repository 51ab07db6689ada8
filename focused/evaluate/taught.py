"""Judges for crawls of a collected web, taught by what these crawls cannot come by.

The pages of the web that no chain of links leads to from the seeds, with the labels the web has for them, and the seeds
themselves: so nothing that a judge has learned from is there to be found. Each seed set has a judge of its own.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from scrapy.settings import BaseSettings

from focused.errors import SettingError
from focused.evaluate.archive import stamp_of
from focused.evaluate.contest import Ground
from focused.evaluate.fingerprint import fingerprint
from focused.evaluate.runs import Plan
from focused.examples import Examples
from focused.examples.collection import Document
from focused.page import PageReader
from focused.training.fitting import MODEL, keep
from focused.training.kinds import Kind, kind_of
from focused.urls import site_of
from focused.webs import about
from focused.webs.pages import PagesWeb
from models.model import OTHER, RELEVANT
from models.text import Vocabulary

OF_TOPIC, OF_OTHERS, OF_SITE = 150, 600, 20  # pages at most; of a site where there are several


class Teacher(NamedTuple):
    """Teaches judges of one kind. What it taught before is kept in the folder."""

    settings: BaseSettings
    kind: str
    folder: Path

    def taught(self, plan: Plan, ground: Ground) -> Plan:
        """The same plan, with a judge for each seed set."""
        chosen = kind_of(self.settings, ground.topic, self.kind)
        if not chosen.can_learn or not isinstance(ground.web, PagesWeb):
            raise SettingError(f"--judge {self.kind}: name a kind that learns, such as svm, and webs of pages: only.")
        folder = self.folder / f"{ground.topic.name}-{self._digest(chosen, plan, ground)}"
        for number in range(len(ground.seeds)):
            if not (folder / str(number) / MODEL).is_dir():
                self._teach(chosen, ground, number, folder / str(number))
        return plan.judged_by(self.kind, folder)

    def _digest(self, chosen: Kind, plan: Plan, ground: Ground) -> str:
        """Of all that decides what is learned."""
        code = fingerprint(__name__, "focused.evaluate.reach", chosen.made.__module__)
        told = f"{chosen.name} {stamp_of(plan.web)} {list(map(list, ground.seeds))} {ground.topic.sim} {code}"
        return hashlib.blake2b(told.encode(), digest_size=8).hexdigest()

    def _teach(self, chosen: Kind, ground: Ground, number: int, folder: Path) -> None:
        assert isinstance(ground.web, PagesWeb)
        seeds, examples = ground.seeds[number], Examples(PageReader(Vocabulary()))
        reached = frozenset(ground.atlas.reach(seeds, ground.limit).urls)
        for url, label in lessons(ground.web, str(ground.topic.sim["topic"]), seeds, reached):
            answer = ground.web.fetch(url)
            examples.add(Document(url, url, answer.body, answer.headers.get("Content-Type", "")), label)
        keep(chosen, chosen.fit(examples), examples, folder)


def lessons(web: PagesWeb, topic: str, seeds: Iterable[str], reached: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The seeds, and pages out of reach, with their labels; drawn the same way each time, of no site too many."""
    yield from ((url, RELEVANT) for url in seeds)
    unseen = [url for url in web.articles() if url not in reached]
    random.Random(topic).shuffle(unseen)
    most = OF_SITE if len({site_of(url) for url in unseen}) > 1 else len(unseen)
    room, taken = Counter({RELEVANT: OF_TOPIC, OTHER: OF_OTHERS}), Counter[str]()
    for url in unseen:
        label, site = RELEVANT if about(web, url, topic) else OTHER, site_of(url)
        if room[label] and taken[site] < most:
            room[label] -= 1
            taken[site] += 1
            yield url, label

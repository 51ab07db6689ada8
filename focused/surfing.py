"""The browsing an ordering learns from: recorded with the topic or, on a simulated web, simulated.

The simulated surfer walks on the web of another seed, so nothing it sees counts in the crawl. It begins on sites of
the topic and on those of others, by turns, and takes one of the links that sound most like the query half of the
time, any link otherwise. What is relevant is what that web says.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from focused.errors import TopicError
from focused.examples.simulated import other_web
from focused.page import Page, PageReader
from focused.sessions import Step, read
from focused.sessions.imports import text_of
from focused.topic import Topic
from focused.urls import canonical
from focused.webs import about
from focused.webs.simulated.web import SimWeb
from models.similarity import Similarity
from models.text import Vocabulary

WALKS, LENGTH = 40, 10  # how often it begins anew, and how many pages it sees each time
TEMPTING = 3  # of the links that sound best it takes one


def sessions_for(topic: Topic, web: str) -> list[Step]:
    """Of the topic's own recording, else of the surfer; `web` is the setting FOCUSED_WEB."""
    if name := topic.sessions.get("file"):
        return read((topic.folder or Path()) / str(name)).steps
    other = other_web(web) if "topic" in topic.sim else None
    if other is None:
        raise TopicError(
            f"Topic '{topic.name}' has no recorded browsing to learn from: record or import some (docs/semantic.md), "
            'and write file = "sessions.jsonl" below [sessions] in its file.'
        )
    return Surfer(other, topic).steps()


class Surfer:
    """Walks on a simulated web; the same way each time."""

    def __init__(self, web: SimWeb, topic: Topic) -> None:
        self.web = web
        self.topic = str(topic.sim["topic"])
        self._dice = random.Random(f"{web.knobs.seed} {self.topic} surfer")
        vocabulary = Vocabulary()
        self._reader = PageReader(vocabulary)
        self._query = Similarity(vocabulary, topic.query)
        self._pages: dict[str, Page | None] = {}

    def steps(self) -> list[Step]:
        return [step for walk in range(WALKS) for step in self._walk(self._beginning(walk))]

    def _beginning(self, walk: int) -> str:
        others = [topic for topic in self.web.topics() if topic != self.topic]
        topic = self.topic if walk % 2 == 0 or not others else self._dice.choice(others)
        return self.web.seeds(topic, 1, walk)[0]

    def _walk(self, url: str) -> list[Step]:
        steps: list[Step] = []
        referrer = ""
        while len(steps) < LENGTH and (page := self._page(url)) is not None:
            steps.append(Step(page.url, referrer, about(self.web, page.url, self.topic), text_of(page)))
            if not page.links:
                break
            referrer, url = page.url, self._choose(page)
        return steps

    def _choose(self, page: Page) -> str:
        similar = self._query.judge_spans(page.terms, page.starts, page.ends)
        if self._dice.random() < 0.5 and similar.any():
            best = np.argsort(-similar, kind="stable")[:TEMPTING]
            return page.links[int(self._dice.choice(best.tolist()))].url
        return self._dice.choice(page.links).url

    def _page(self, url: str) -> Page | None:
        """None: a dead end. A redirect is followed once, as far as a surfer has patience."""
        if url not in self._pages:
            answer = self.web.fetch(url)
            target = canonical(answer.headers.get("Location", ""), url) if answer.status in (301, 302) else None
            if target is not None:
                url, answer = target, self.web.fetch(target)
            is_page = answer.status == 200 and "html" in answer.headers.get("Content-Type", "")
            self._pages[url] = self._reader.read(url, answer.body) if is_page else None
        return self._pages[url]
